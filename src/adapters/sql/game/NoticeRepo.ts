import { SqlClient, SqlSchema } from "@effect/sql"
import { Effect, Layer, Option, Schema } from "effect"
import { randomUUID } from "node:crypto"
import { maxNotices } from "../../../domain/game/NoticeLog.ts"
import { EnvironmentId } from "../../../domain/Ids.ts"
import { NoticeRepo } from "../../../ports/game/NoticeRepo.ts"
import { atOpening } from "../Opening.ts"
import { JsonText } from "../Rows.ts"

const Numbered = Schema.Struct({ number: Schema.Int })

const Row = Schema.Struct({
  ...Numbered.fields,
  event: Schema.Literal("configuration", "experiments"),
  ids: JsonText(Schema.Array(Schema.Number))
})

const NewRow = Schema.Struct({ environmentId: EnvironmentId, ...Row.pick("event", "ids").fields })

/** The processes that share a database number what they tell together, and those that come after them go on. */
const sharedEpoch = (sql: SqlClient.SqlClient) =>
  Effect.map(
    SqlSchema.single({
      Request: Schema.Void,
      Result: Schema.Struct({ id: Schema.String }),
      execute: () => sql`select id from epochs`
    })(undefined),
    ({ id }) => id
  )

export const NoticeRepoSql = Layer.effect(
  NoticeRepo,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const insert = SqlSchema.findOne({
      Request: NewRow,
      Result: Numbered,
      execute: ({ environmentId, event, ids }) => sql`insert into notices (environment_id, number, event, ids)
        select id, (select coalesce(max(number), 0) + 1 from notices where environment_id = ${environmentId}), ${event}, ${ids}
        from environments where id = ${environmentId} returning number`
    })
    const list = SqlSchema.findAll({
      Request: EnvironmentId,
      Result: Row,
      execute: (id) => sql`select number, event, ids from notices where environment_id = ${id} order by number`
    })
    const last = SqlSchema.single({
      Request: EnvironmentId,
      Result: Numbered,
      execute: (id) => sql`select coalesce(max(number), 0) as number from notices where environment_id = ${id}`
    })
    const add = Effect.fnUntraced(function* (row: typeof NewRow.Type) {
      const inserted = yield* insert(row)
      if (Option.isNone(inserted)) return 0
      const { number } = inserted.value
      yield* sql`delete from notices where environment_id = ${row.environmentId} and number <= ${number - maxNotices}`
      return number
    })
    yield* atOpening(sql`delete from notices`)
    const epoch = yield* sql.onDialectOrElse({
      pg: () => Effect.orDie(sharedEpoch(sql)),
      orElse: () => Effect.sync(randomUUID)
    })
    return NoticeRepo.of({
      epoch,
      add: (environmentId, notice) => Effect.orDie(sql.withTransaction(add({ environmentId, ...notice }))),
      last: (environmentId) => Effect.map(Effect.orDie(last(environmentId)), ({ number }) => number),
      list: (environmentId) => Effect.orDie(list(environmentId))
    })
  })
)

import { SqlClient } from "@effect/sql"
import { Effect, Layer, Schema } from "effect"
import { UnitSightRepo } from "../../../ports/game/UnitSightRepo.ts"

const Row = Schema.Struct({ distinctId: Schema.String, firstSeenAt: Schema.Number })

export const UnitSightRepoSql = Layer.effect(
  UnitSightRepo,
  Effect.map(SqlClient.SqlClient, (sql) => {
    const decode = Schema.decodeUnknown(Schema.Array(Row))
    return UnitSightRepo.of({
      firstSeen: Effect.fn("UnitSightRepo.firstSeen")(
        (environmentId, unitType, distinctIds) =>
          sql`select distinct_id, first_seen_at from unit_sights
            where environment_id = ${environmentId} and unit_type = ${unitType}
            and distinct_id in (select value from json_each(${JSON.stringify(distinctIds)}))`.pipe(
            Effect.flatMap(decode),
            Effect.map((rows) => new Map(rows.map(({ distinctId, firstSeenAt }) => [distinctId, firstSeenAt])))
          ),
        Effect.orDie
      ),
      record: Effect.fn("UnitSightRepo.record")(
        (sights) =>
          Effect.asVoid(
            sql`insert into unit_sights (environment_id, unit_type, distinct_id, first_seen_at)
              select environments.id, value ->> 'unitType', value ->> 'distinctId', value ->> 'firstSeenAt'
              from json_each(${JSON.stringify(sights)}) join environments on environments.id = value ->> 'environmentId'
              where true
              on conflict do update set first_seen_at = min(first_seen_at, excluded.first_seen_at)`
          ),
        Effect.orDie
      ),
      eraseUnit: Effect.fn("UnitSightRepo.eraseUnit")(
        (environmentId, distinctId) =>
          Effect.asVoid(
            sql`delete from unit_sights
              where environment_id = ${environmentId} and unit_type = 'user' and distinct_id = ${distinctId}`
          ),
        Effect.orDie
      )
    })
  })
)

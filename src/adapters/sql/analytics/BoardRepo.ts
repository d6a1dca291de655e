import { SqlSchema } from "@effect/sql"
import { Effect, Layer, Schema } from "effect"
import { ApplicationId, BoardId, QueryId } from "../../../domain/Ids.ts"
import { BoardRepo } from "../../../ports/analytics/BoardRepo.ts"
import { PersonColumn } from "../PersonColumn.ts"
import { Flag, Instant, JsonText, tableOf } from "../Rows.ts"

const Tile = Schema.Struct({
  queryId: QueryId,
  x: Schema.Int,
  y: Schema.Int,
  w: Schema.Int,
  h: Schema.Int,
  display: Schema.NullOr(Schema.Literal("line", "area", "bars", "totalBars", "number", "table")),
  time: Schema.NullOr(Schema.String)
})

const Row = Schema.Struct({
  id: BoardId,
  applicationId: ApplicationId,
  name: Schema.String,
  description: Schema.NullOr(Schema.String),
  tiles: JsonText(Schema.Array(Tile)),
  time: Schema.NullOr(Schema.String),
  pinned: Flag,
  createdBy: PersonColumn,
  createdAt: Instant,
  updatedAt: Instant
})

export const BoardRepoSql = Layer.effect(
  BoardRepo,
  Effect.map(tableOf("boards", Row, Row), ({ sql, ...boards }) => {
    const list = SqlSchema.findAll({
      Request: ApplicationId,
      Result: Row,
      execute: (id) => sql`select * from boards where application_id = ${id} order by created_at, id`
    })
    return BoardRepo.of({
      insert: boards.insert,
      update: boards.update,
      remove: (applicationId, id) => boards.removeWhere(sql`application_id = ${applicationId} and id = ${id}`),
      find: (applicationId, id) => boards.findWhere(sql`application_id = ${applicationId} and id = ${id}`),
      list: (applicationId) => Effect.orDie(list(applicationId))
    })
  })
)

import { SqlSchema } from "@effect/sql"
import { Effect, Layer, Schema } from "effect"
import { ApplicationId, QueryId, UserId } from "../../../domain/Ids.ts"
import { SavedQueryRepo } from "../../../ports/analytics/SavedQueryRepo.ts"
import { Instant, Json, tableOf } from "../Rows.ts"

const Row = Schema.Struct({
  id: QueryId,
  applicationId: ApplicationId,
  name: Schema.String,
  description: Schema.NullOr(Schema.String),
  definition: Schema.String,
  createdBy: Schema.NullOr(Json(Schema.Struct({ id: UserId, email: Schema.String }))),
  createdAt: Instant,
  updatedAt: Instant
})

const Page = Schema.Struct({
  applicationId: ApplicationId,
  after: Schema.NullOr(Schema.Struct({ createdAt: Instant, id: QueryId })),
  limit: Schema.Int
})

export const SavedQueryRepoSqlite = Layer.effect(
  SavedQueryRepo,
  Effect.map(tableOf("saved_queries", Row, Row), ({ sql, ...queries }) => {
    const list = SqlSchema.findAll({
      Request: Page,
      Result: Row,
      execute: ({ applicationId, after, limit }) => {
        const rest = after === null ? sql`true` : sql`(created_at, id) > (${after.createdAt}, ${after.id})`
        return sql`select * from saved_queries where application_id = ${applicationId} and ${rest}
          order by created_at, id limit ${limit}`
      }
    })
    return SavedQueryRepo.of({
      insert: Effect.fn("SavedQueryRepo.insert")(queries.insert),
      update: Effect.fn("SavedQueryRepo.update")(queries.update),
      remove: Effect.fn("SavedQueryRepo.remove")((applicationId, id) =>
        queries.removeWhere(sql`application_id = ${applicationId} and id = ${id}`)
      ),
      find: Effect.fn("SavedQueryRepo.find")((applicationId, id) =>
        queries.findWhere(sql`application_id = ${applicationId} and id = ${id}`)
      ),
      list: Effect.fn("SavedQueryRepo.list")((applicationId, after, limit) =>
        Effect.orDie(list({ applicationId, after, limit }))
      )
    })
  })
)

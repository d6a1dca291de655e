import { SqlSchema } from "@effect/sql"
import { Effect, Layer, Schema } from "effect"
import { ApplicationId, HeatmapId } from "../../../domain/Ids.ts"
import { HeatmapRepo } from "../../../ports/analytics/HeatmapRepo.ts"
import { Instant, JsonText, tableOf } from "../Rows.ts"

const Point = Schema.Struct({ x: Schema.Number, y: Schema.Number, z: Schema.Number })

const NewRow = Schema.Struct({
  id: HeatmapId,
  applicationId: ApplicationId,
  name: Schema.String,
  description: Schema.NullOr(Schema.String),
  bounds: JsonText(Schema.Struct({ pointA: Point, pointB: Point })),
  resolutionFactor: Schema.Number,
  imageTag: Schema.NullOr(Schema.String),
  createdAt: Instant
})
const Row = Schema.Struct({ ordinal: Schema.Int, ...NewRow.fields })

const ImageRow = Schema.Struct({ contentType: Schema.String, bytes: Schema.Uint8ArrayFromSelf })

export const HeatmapRepoSql = Layer.effect(
  HeatmapRepo,
  Effect.gen(function* () {
    const { sql, ...heatmaps } = yield* tableOf("heatmaps", Row, NewRow)
    const list = SqlSchema.findAll({
      Request: ApplicationId,
      Result: Row,
      execute: (id) => sql`select * from heatmaps where application_id = ${id} order by ordinal`
    })
    const image = SqlSchema.findOne({
      Request: HeatmapId,
      Result: ImageRow,
      execute: (id) => sql`select content_type, bytes from heatmap_images where heatmap_id = ${id}`
    })
    return HeatmapRepo.of({
      insert: heatmaps.insert,
      update: heatmaps.update,
      remove: (id) => heatmaps.removeWhere(sql`id = ${id}`),
      find: (applicationId, id) => heatmaps.findWhere(sql`id = ${id} and application_id = ${applicationId}`),
      list: (applicationId) => Effect.orDie(list(applicationId)),
      image: (id) => Effect.orDie(image(id)),
      putImage: (id, { contentType, bytes }) =>
        Effect.asVoid(
          Effect.orDie(sql`insert into heatmap_images ${sql.insert({ heatmapId: id, contentType, bytes })}
            on conflict (heatmap_id) do update set content_type = excluded.content_type, bytes = excluded.bytes`)
        )
    })
  })
)

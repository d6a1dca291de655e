import { Effect, Layer, Schema } from "effect"
import type { Document } from "../../../domain/configuration/Document.ts"
import { DeeplinkType } from "../../../domain/deeplinks/Deeplink.ts"
import { ApplicationId, DeeplinkId } from "../../../domain/Ids.ts"
import { DeeplinkRepo } from "../../../ports/deeplinks/DeeplinkRepo.ts"
import { Instant, JsonText, tableOf } from "../Rows.ts"
import { rowsInPortions } from "../RowsInTurns.ts"
import { Trusted } from "../Trusted.ts"
import { WithoutForeignKeys } from "../WithoutForeignKeys.ts"
import { sizeOf } from "../SizeOf.ts"

const Row = Schema.Struct({
  id: DeeplinkId,
  applicationId: ApplicationId,
  name: Schema.String,
  slug: Schema.String,
  type: DeeplinkType,
  redirectUrl: Schema.String,
  metadata: JsonText(Trusted<Document>()),
  conversionMarker: Schema.String,
  attributionWindowHours: Schema.Int,
  createdAt: Instant,
  updatedAt: Instant,
  archivedAt: Schema.NullOr(Instant)
})

export const DeeplinkRepoSql = Layer.effect(
  DeeplinkRepo,
  Effect.map(
    Effect.all([tableOf("deeplinks", Row, Row), WithoutForeignKeys]),
    ([{ sql, ...deeplinks }, unenforced]) => {
      const list = rowsInPortions(Row)
      /** A link of a removed project gives its slug up before it is deleted. */
      const free = (slug: string) =>
        Effect.orDie(sql`update deeplinks set slug = '/' || id
        where slug = ${slug} and application_id not in (select id from applications)`)
      const insert = deeplinks.insertUnlessTaken("slug")
      const size = sizeOf(
        ApplicationId,
        (id) => sql`select count(*) as count, coalesce(sum(length(metadata)), 0) as characters
          from deeplinks where application_id = ${id}`
      )
      return DeeplinkRepo.of({
        insert: (link) => Effect.zipRight(free(link.slug), insert(link)),
        update: (link) => Effect.zipRight(free(link.slug), deeplinks.updateUnlessTaken(link)),
        remove: (id) => Effect.orDie(unenforced(deeplinks.removeWhere(sql`id = ${id}`))),
        find: (applicationId, id) => deeplinks.findWhere(sql`id = ${id} and application_id = ${applicationId}`),
        findBySlug: (slug) =>
          deeplinks.findWhere(sql`slug = ${slug} and application_id in (select id from applications)`),
        size,
        list: (applicationId) =>
          list(sql`select * from deeplinks where application_id = ${applicationId} order by created_at, id`)
      })
    }
  )
)

import { DateTime, Effect, Option } from "effect"
import { ImageNotFound } from "../../../schema/access/AccessErrors.ts"
import { HeatmapLimitReached, HeatmapNotFound } from "../../../schema/analytics/AnalyticsErrors.ts"
import type { HeatmapDefinition as Request, HeatmapPage, HeatmapRecord } from "../../../schema/analytics/Heatmaps.ts"
import type { HeatmapDefinition } from "../../domain/analytics/heatmap/HeatmapDefinition.ts"
import type { ApplicationId } from "../../domain/Ids.ts"
import { HeatmapId } from "../../domain/Ids.ts"
import { HeatmapRepo } from "../../ports/analytics/HeatmapRepo.ts"
import { Secrets } from "../../ports/access/Secrets.ts"
import { Settings } from "../../ports/operations/Settings.ts"
import { Transaction } from "../../ports/operations/Transaction.ts"
import { page } from "./Page.ts"
import { Pictures } from "../access/Pictures.ts"
import type { PictureLimits } from "../access/Pictures.ts"
import { Policy } from "../access/Policy.ts"

/** Heatmaps of one project: a public key may be made that defines some, and every player has it. */
export const mostHeatmaps = 500

/** Largest map image in bytes. */
export const maxBytes = 4 * 1024 * 1024

const limits: PictureLimits = {
  subject: "A map image",
  maxBytes,
  maxSide: 8192,
  types: ["image/png", "image/jpeg", "image/webp"]
}

interface Paging {
  readonly limit: number
  readonly cursor?: string | undefined
}

const fields = ({ name, description = null, bounds, resolutionFactor }: Request) => ({
  name,
  description,
  bounds,
  resolutionFactor
})

/** Where the heatmaps of a project lie in the world, and the maps they are drawn on. */
export class Heatmaps extends Effect.Service<Heatmaps>()("services/analytics/Heatmaps", {
  effect: Effect.gen(function* () {
    const { publicUrl } = yield* Settings
    const heatmaps = yield* HeatmapRepo
    const pictures = yield* Pictures
    const policy = yield* Policy
    const secrets = yield* Secrets
    const transaction = yield* Transaction

    /** The image's address is absolute, and different for every content. */
    const record = ({ id, applicationId, imageTag, name, description, ...definition }: HeatmapDefinition) => ({
      id,
      name,
      description,
      bounds: definition.bounds,
      resolutionFactor: definition.resolutionFactor,
      imageUrl:
        imageTag === null
          ? null
          : `${publicUrl}/application/${applicationId}/analytics/v1/heatmaps/${id}/image?v=${encodeURIComponent(imageTag)}`
    })

    const existing = Effect.fnUntraced(function* (applicationId: ApplicationId, id: HeatmapId) {
      const found = yield* heatmaps.find(applicationId, id)
      if (Option.isSome(found)) return found.value
      return yield* Effect.fail(new HeatmapNotFound({ message: `Heatmap ${id} does not exist in this application` }))
    })

    const open = Effect.fnUntraced(function* (applicationId: ApplicationId, id: HeatmapId) {
      yield* policy.application("analytics:read", applicationId)
      return yield* existing(applicationId, id)
    })

    const openToChange = Effect.fnUntraced(function* (applicationId: ApplicationId, id: HeatmapId) {
      yield* policy.everyEnvironment("queries:write", applicationId)
      return yield* existing(applicationId, id)
    })

    const list = Effect.fnUntraced(function* (applicationId: ApplicationId, paging: Paging) {
      yield* policy.application("analytics:read", applicationId)
      const { items, nextCursor } = yield* page(yield* heatmaps.list(applicationId), ({ ordinal }) => ordinal, paging)
      return { items: items.map(record), nextCursor } satisfies HeatmapPage
    })

    const get = Effect.fnUntraced(function* (applicationId: ApplicationId, id: HeatmapId) {
      return record(yield* open(applicationId, id)) satisfies HeatmapRecord
    })

    const create = Effect.fnUntraced(
      function* (applicationId: ApplicationId, request: Request) {
        yield* policy.application("queries:write", applicationId)
        if ((yield* heatmaps.list(applicationId)).length >= mostHeatmaps) {
          const message = `A project has at most ${mostHeatmaps} heatmaps: delete one first`
          return yield* Effect.fail(new HeatmapLimitReached({ message }))
        }
        const created = yield* heatmaps.insert({
          id: HeatmapId.make(yield* secrets.uuid),
          applicationId,
          ...fields(request),
          imageTag: null,
          createdAt: yield* DateTime.now
        })
        return record(created) satisfies HeatmapRecord
      },
      (effect) => transaction.run(effect)
    )

    const change = (applicationId: ApplicationId, id: HeatmapId, part: Partial<HeatmapDefinition>) =>
      Effect.flatMap(existing(applicationId, id), (present) => heatmaps.update({ ...present, ...part }))

    const update = Effect.fnUntraced(function* (applicationId: ApplicationId, id: HeatmapId, request: Request) {
      yield* openToChange(applicationId, id)
      return record(yield* transaction.run(change(applicationId, id, fields(request)))) satisfies HeatmapRecord
    })

    const remove = Effect.fnUntraced(function* (applicationId: ApplicationId, id: HeatmapId) {
      yield* openToChange(applicationId, id)
      yield* heatmaps.remove(id)
    })

    /** Reads the upload once it is known that the caller may set the image. */
    const putImage = Effect.fnUntraced(function* <E, R>(
      applicationId: ApplicationId,
      id: HeatmapId,
      upload: Effect.Effect<Uint8Array, E, R>
    ) {
      yield* openToChange(applicationId, id)
      const { tag, ...image } = yield* pictures.inspect(yield* upload, limits)
      const write = Effect.zipLeft(change(applicationId, id, { imageTag: tag }), heatmaps.putImage(id, image))
      return record(yield* transaction.run(write)) satisfies HeatmapRecord
    })

    const image = Effect.fnUntraced(function* (applicationId: ApplicationId, id: HeatmapId) {
      const { imageTag } = yield* open(applicationId, id)
      const found = yield* heatmaps.image(id)
      if (Option.isNone(found) || imageTag === null) {
        return yield* Effect.fail(new ImageNotFound({ message: `Heatmap ${id} has no image` }))
      }
      return { ...found.value, tag: imageTag }
    })

    return { list, get, create, update, remove, putImage, image } as const
  })
}) {}

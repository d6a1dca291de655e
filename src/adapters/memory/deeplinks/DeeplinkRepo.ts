import { DateTime, Effect, Layer, Option } from "effect"
import type { Deeplink } from "../../../domain/deeplinks/Deeplink.ts"
import { DeeplinkRepo } from "../../../ports/deeplinks/DeeplinkRepo.ts"
import { MemoryDb } from "../MemoryDb.ts"

const byAge = (a: Deeplink, b: Deeplink): number => DateTime.Order(a.createdAt, b.createdAt) || (a.id < b.id ? -1 : 1)

export const DeeplinkRepoMemory = Layer.effect(
  DeeplinkRepo,
  Effect.map(MemoryDb, ({ access, deeplinks, clicks, clickVisitors, clickSlots, conversions }) => {
    const isTaken = ({ id, slug }: Deeplink) => deeplinks.rows.some((each) => each.slug === slug && each.id !== id)
    return DeeplinkRepo.of({
      insert: (deeplink) => access(() => (isTaken(deeplink) ? Option.none() : Option.some(deeplinks.insert(deeplink)))),
      update: (deeplink) =>
        access(() =>
          isTaken(deeplink) ? Option.none() : Option.some(deeplinks.replace(({ id }) => id === deeplink.id, deeplink))
        ),
      remove: (gone) =>
        access(() => {
          deeplinks.remove(({ id }) => id === gone)
          for (const table of [clicks, clickVisitors, clickSlots, conversions])
            table.remove(({ deeplinkId }) => deeplinkId === gone)
        }),
      find: (applicationId, id) =>
        access(() =>
          Option.fromNullable(deeplinks.rows.find((each) => each.id === id && each.applicationId === applicationId))
        ),
      findBySlug: (slug) => access(() => Option.fromNullable(deeplinks.rows.find((each) => each.slug === slug))),
      size: (applicationId) =>
        access(() => {
          const all = deeplinks.rows.filter((each) => each.applicationId === applicationId)
          const characters = all.reduce((sum, { metadata }) => sum + JSON.stringify(metadata).length, 0)
          return { count: all.length, characters }
        }),
      list: (applicationId) =>
        access(() => deeplinks.rows.filter((each) => each.applicationId === applicationId).toSorted(byAge))
    })
  })
)

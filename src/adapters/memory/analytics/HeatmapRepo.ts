import { Effect, Layer, Option } from "effect"
import { HeatmapRepo } from "../../../ports/analytics/HeatmapRepo.ts"
import { MemoryDb } from "../MemoryDb.ts"

export const HeatmapRepoMemory = Layer.effect(
  HeatmapRepo,
  Effect.map(MemoryDb, ({ access, heatmaps, heatmapImages }) =>
    HeatmapRepo.of({
      insert: (definition) => access(() => heatmaps.insert({ ...definition, ordinal: heatmaps.nextId() })),
      update: (definition) => access(() => heatmaps.replace(({ id }) => id === definition.id, definition)),
      remove: (id) =>
        access(() => {
          heatmaps.remove((each) => each.id === id)
          heatmapImages.remove(({ heatmapId }) => heatmapId === id)
        }),
      find: (applicationId, id) =>
        access(() =>
          Option.fromNullable(heatmaps.rows.find((each) => each.id === id && each.applicationId === applicationId))
        ),
      list: (applicationId) => access(() => heatmaps.rows.filter((each) => each.applicationId === applicationId)),
      image: (id) =>
        access(() =>
          Option.map(
            Option.fromNullable(heatmapImages.rows.find(({ heatmapId }) => heatmapId === id)),
            ({ contentType, bytes }) => ({ contentType, bytes })
          )
        ),
      putImage: (id, { contentType, bytes }) =>
        access(() => {
          heatmapImages.remove(({ heatmapId }) => heatmapId === id)
          heatmapImages.insert({ heatmapId: id, contentType, bytes })
        })
    })
  )
)

import { Effect, Layer, Option } from "effect"
import { HeatmapRepo } from "../../ports/HeatmapRepo.ts"
import { MemoryDb } from "./MemoryDb.ts"

export const HeatmapRepoMemory = Layer.effect(
  HeatmapRepo,
  Effect.map(MemoryDb, ({ heatmaps, heatmapImages }) =>
    HeatmapRepo.of({
      insert: (definition) => Effect.sync(() => heatmaps.insert({ ...definition, ordinal: heatmaps.nextId() })),
      update: (definition) => Effect.sync(() => heatmaps.replace(({ id }) => id === definition.id, definition)),
      remove: (id) =>
        Effect.sync(() => {
          heatmaps.remove((each) => each.id === id)
          heatmapImages.remove(({ heatmapId }) => heatmapId === id)
        }),
      find: (applicationId, id) =>
        Effect.sync(() =>
          Option.fromNullable(heatmaps.rows.find((each) => each.id === id && each.applicationId === applicationId))
        ),
      list: (applicationId) => Effect.sync(() => heatmaps.rows.filter((each) => each.applicationId === applicationId)),
      image: (id) =>
        Effect.sync(() =>
          Option.map(
            Option.fromNullable(heatmapImages.rows.find(({ heatmapId }) => heatmapId === id)),
            ({ contentType, bytes }) => ({ contentType, bytes })
          )
        ),
      putImage: (id, { contentType, bytes }) =>
        Effect.sync(() => {
          heatmapImages.remove(({ heatmapId }) => heatmapId === id)
          heatmapImages.insert({ heatmapId: id, contentType, bytes })
        })
    })
  )
)

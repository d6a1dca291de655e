import { Effect, Layer } from "effect"
import { MarkerRepo } from "../../../ports/analytics/MarkerRepo.ts"
import { MemoryDb } from "../MemoryDb.ts"

export const MarkerRepoMemory = Layer.effect(
  MarkerRepo,
  Effect.map(MemoryDb, ({ access, markerTypes, markerArguments }) =>
    MarkerRepo.of({
      metadata: (environmentId) =>
        access(() => ({
          types: markerTypes.rows.flatMap((row) => (row.environmentId === environmentId ? [row.metadata] : [])),
          arguments: markerArguments.rows.flatMap((row) => (row.environmentId === environmentId ? [row.metadata] : []))
        })),
      put: (environmentId, { types, arguments: described }) =>
        access(() => {
          for (const metadata of types) {
            markerTypes.remove((row) => row.environmentId === environmentId && row.metadata.name === metadata.name)
            markerTypes.insert({ environmentId, metadata })
          }
          for (const metadata of described) {
            const { type, name } = metadata
            markerArguments.remove(
              (row) => row.environmentId === environmentId && row.metadata.type === type && row.metadata.name === name
            )
            markerArguments.insert({ environmentId, metadata })
          }
        })
    })
  )
)

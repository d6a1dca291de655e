import { Effect, Layer } from "effect"
import { ContextPropertyRepo } from "../../../ports/game/ContextPropertyRepo.ts"
import { MemoryDb } from "../MemoryDb.ts"

export const ContextPropertyRepoMemory = Layer.effect(
  ContextPropertyRepo,
  Effect.map(MemoryDb, ({ access, contextProperties, environments }) =>
    ContextPropertyRepo.of({
      list: (wanted) =>
        access(() =>
          contextProperties.rows
            .filter(({ environmentId }) => environmentId === wanted)
            .map(({ environmentId: _, ...facts }) => facts)
            .toSorted((a, b) => (a.name < b.name ? -1 : 1))
        ),
      put: (environmentId, facts) =>
        access(() => {
          if (!environments.rows.some(({ id }) => id === environmentId)) return
          for (const each of facts) {
            contextProperties.remove((kept) => kept.environmentId === environmentId && kept.name === each.name)
            contextProperties.insert({ environmentId, ...each })
          }
        })
    })
  )
)

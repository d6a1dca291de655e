import { Effect, Layer } from "effect"
import type { ContextFacts } from "../../../domain/experiments/ContextFacts.ts"
import type { EnvironmentId } from "../../../domain/Ids.ts"
import { ContextPropertyRepo } from "../../../ports/game/ContextPropertyRepo.ts"
import { MemoryDb } from "../MemoryDb.ts"

export const ContextPropertyRepoMemory = Layer.effect(
  ContextPropertyRepo,
  Effect.map(MemoryDb, ({ access, contextProperties, environments }) => {
    const of = (wanted: EnvironmentId): ReadonlyArray<ContextFacts> =>
      contextProperties.rows
        .filter(({ environmentId }) => environmentId === wanted)
        .map(({ environmentId: _, ...facts }) => facts)
        .toSorted((a, b) => (a.name < b.name ? -1 : 1))

    const put = (environmentId: EnvironmentId, facts: Iterable<ContextFacts>) => {
      if (!environments.rows.some(({ id }) => id === environmentId)) return
      for (const each of facts) {
        contextProperties.remove((kept) => kept.environmentId === environmentId && kept.name === each.name)
        contextProperties.insert({ environmentId, ...each })
      }
    }

    return ContextPropertyRepo.of({
      list: (environmentId) => access(() => of(environmentId)),
      add: (environmentId, sightings) => access(() => put(environmentId, sightings.addedTo(of(environmentId)))),
      put: (environmentId, facts) => access(() => put(environmentId, facts))
    })
  })
)

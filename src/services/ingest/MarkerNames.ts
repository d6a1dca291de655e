import { Effect } from "effect"
import { AdmittedNames } from "../../domain/ingest/NameLimits.ts"
import type { EnvironmentId } from "../../domain/Ids.ts"
import { LruCache, mebibyte } from "../../domain/LruCache.ts"
import { EventStore } from "../../ports/analytics/EventStore.ts"
import { Settings } from "../../ports/operations/Settings.ts"

/** The names that markers of each environment have, so that nobody fills its catalogue with names that no game uses. */
export class MarkerNames extends Effect.Service<MarkerNames>()("services/ingest/MarkerNames", {
  effect: Effect.gen(function* () {
    const { nameLimits } = yield* Settings
    const store = yield* EventStore
    const known = new LruCache<AdmittedNames, number>(64 * mebibyte, ({ bytes }) => bytes)

    /** Those of one environment; asked of the store the first time. */
    const of = (environmentId: EnvironmentId) =>
      Effect.suspend(() => {
        const names = known.get(environmentId)
        if (names !== undefined) return Effect.succeed(names)
        return Effect.map(store.names(environmentId), (stored) => {
          // Another request may have asked meanwhile, and taken up names since.
          const other = known.get(environmentId)
          if (other !== undefined) return other
          const fresh = new AdmittedNames(nameLimits, stored)
          known.set(environmentId, fresh)
          return fresh
        })
      })

    /** Names may have been added: their bytes are counted anew. */
    const grown = (environmentId: EnvironmentId, names: AdmittedNames, before: number): void => {
      if (names.bytes !== before && known.get(environmentId) === names) known.set(environmentId, names)
    }

    /** Nothing was stored of markers that may have added names: those are not counted, and the store is asked again. */
    const refused = (environmentId: EnvironmentId, names: AdmittedNames, before: number): void => {
      if (names.bytes !== before && known.get(environmentId) === names) known.delete(environmentId)
    }

    return { of, grown, refused } as const
  })
}) {}

import { Effect, Layer } from "effect"
import type { UnitSight } from "../../../domain/experiments/UnitSight.ts"
import { UnitSightRepo } from "../../../ports/game/UnitSightRepo.ts"
import { MemoryDb } from "../MemoryDb.ts"

const isSame = (a: UnitSight) => (b: UnitSight) =>
  a.environmentId === b.environmentId && a.unitType === b.unitType && a.distinctId === b.distinctId

export const UnitSightRepoMemory = Layer.effect(
  UnitSightRepo,
  Effect.map(MemoryDb, ({ access, environments, unitSights }) =>
    UnitSightRepo.of({
      firstSeen: (environmentId, unitType, distinctIds) =>
        access(() => {
          const wanted = new Set(distinctIds)
          return new Map(
            unitSights.rows
              .filter((sight) => sight.environmentId === environmentId && sight.unitType === unitType)
              .filter(({ distinctId }) => wanted.has(distinctId))
              .map(({ distinctId, firstSeenAt }) => [distinctId, firstSeenAt])
          )
        }),
      record: (sights) =>
        access(() => {
          for (const sight of sights) {
            if (!environments.rows.some(({ id }) => id === sight.environmentId)) continue
            const known = unitSights.rows.find(isSame(sight))
            if (known === undefined) unitSights.insert(sight)
            else if (sight.firstSeenAt < known.firstSeenAt) unitSights.replace(isSame(sight), sight)
          }
        }),
      eraseUnit: (environmentId, distinctId) =>
        access(() => unitSights.remove(isSame({ environmentId, unitType: "user", distinctId, firstSeenAt: 0 })))
    })
  )
)

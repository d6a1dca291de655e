import { Effect, Layer } from "effect"
import { ErasedUnitRepo } from "../../../ports/operations/ErasedUnitRepo.ts"
import { MemoryDb } from "../MemoryDb.ts"

export const ErasedUnitRepoMemory = Layer.effect(
  ErasedUnitRepo,
  Effect.map(MemoryDb, ({ access, erasedUnits }) =>
    ErasedUnitRepo.of({
      put: (environmentId, fingerprint, erasedAt) =>
        access(() => {
          const isSame = (each: { readonly environmentId: number; readonly fingerprint: string }) =>
            each.environmentId === environmentId && each.fingerprint === fingerprint
          const before = erasedUnits.rows.find(isSame)?.erasedAt ?? erasedAt
          erasedUnits.remove(isSame)
          erasedUnits.insert({ environmentId, fingerprint, erasedAt: Math.max(before, erasedAt) })
        }),
      scrub: Effect.void,
      list: (environmentId) =>
        access(() => erasedUnits.rows.flatMap(({ environmentId: of, ...unit }) => (of === environmentId ? [unit] : [])))
    })
  )
)

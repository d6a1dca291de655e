import { Effect, Layer } from "effect"
import type { Erasure } from "../../../domain/operations/Erasure.ts"
import { ErasureRepo } from "../../../ports/operations/ErasureRepo.ts"
import { MemoryDb } from "../MemoryDb.ts"

const isOf =
  (environmentId: number, unitId: string) =>
  (each: Erasure): boolean =>
    each.environmentId === environmentId && each.unitId === unitId

const byAge = (a: Erasure, b: Erasure): number =>
  a.erasedAt - b.erasedAt || a.environmentId - b.environmentId || (a.unitId < b.unitId ? -1 : 1)

export const ErasureRepoMemory = Layer.effect(
  ErasureRepo,
  Effect.map(MemoryDb, ({ access, erasures }) =>
    ErasureRepo.of({
      begin: (erasure) =>
        access(() => {
          const isSame = isOf(erasure.environmentId, erasure.unitId)
          const before = erasures.rows.find(isSame)?.erasedAt ?? erasure.erasedAt
          erasures.remove(isSame)
          erasures.insert({ ...erasure, erasedAt: Math.max(before, erasure.erasedAt) })
        }),
      end: ({ environmentId, unitId, erasedAt }) =>
        access(() => {
          const isSame = isOf(environmentId, unitId)
          erasures.remove((each) => isSame(each) && each.erasedAt <= erasedAt)
        }),
      unfinished: access(() => erasures.rows.toSorted(byAge))
    })
  )
)

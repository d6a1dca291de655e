import { Effect, Layer } from "effect"
import { byCodePoint } from "../../../domain/CodePointOrder.ts"
import type { Exposure } from "../../../domain/experiments/Exposure.ts"
import { groupIn } from "../../../domain/experiments/StoredAssignment.ts"
import { ExposureRepo } from "../../../ports/experiments/ExposureRepo.ts"
import { MemoryDb } from "../MemoryDb.ts"

const isSame = (one: Exposure) => (other: Exposure) =>
  one.experimentId === other.experimentId && one.groupId === other.groupId && one.distinctId === other.distinctId

export const ExposureRepoMemory = Layer.effect(
  ExposureRepo,
  Effect.map(MemoryDb, ({ access, assignments, unmarkedExposures }) => {
    const note = (exposure: Exposure) => {
      unmarkedExposures.remove(isSame(exposure))
      unmarkedExposures.insert(exposure)
    }

    const record = (exposure: Exposure) => {
      const { environmentId, experimentId, groupId, distinctId, at } = exposure
      const kept = assignments.rows.find((each) => each.experimentId === experimentId && each.distinctId === distinctId)
      if (kept === undefined || kept.environmentId !== environmentId) return
      if (kept.firstExposedAt !== null || groupIn(kept) !== groupId) return
      assignments.replace((each) => each === kept, { ...kept, firstExposedAt: at })
      note(exposure)
    }

    const isUnmarked = (exposure: Exposure): boolean =>
      unmarkedExposures.rows.some((each) => isSame(exposure)(each) && each.at === exposure.at)

    return ExposureRepo.of({
      record: (exposures, marked) =>
        access(() => {
          for (const each of marked) unmarkedExposures.remove((other) => isSame(each)(other) && other.at === each.at)
          exposures.forEach(record)
          return exposures.filter(isUnmarked)
        }),
      note: (exposures) => access(() => exposures.forEach(note)),
      noted: (exposures) => access(() => exposures.filter(isUnmarked)),
      unmarked: (before, limit) =>
        access(() =>
          unmarkedExposures.rows
            .filter(({ at }) => at < before)
            .toSorted(
              (a, b) => a.at - b.at || a.experimentId - b.experimentId || byCodePoint(a.distinctId, b.distinctId)
            )
            .slice(0, limit)
        ),
      eraseUnit: (environmentId, distinctId) =>
        access(() =>
          unmarkedExposures.remove((each) => each.environmentId === environmentId && each.distinctId === distinctId)
        )
    })
  })
)

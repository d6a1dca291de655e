import { Effect, Layer } from "effect"
import { randomUUID } from "node:crypto"
import { maxNotices } from "../../../domain/game/NoticeLog.ts"
import type { EnvironmentId } from "../../../domain/Ids.ts"
import { NoticeRepo } from "../../../ports/game/NoticeRepo.ts"
import { MemoryDb } from "../MemoryDb.ts"

export const NoticeRepoMemory = Layer.effect(
  NoticeRepo,
  Effect.map(MemoryDb, ({ access, environments, notices }) => {
    const of = (wanted: EnvironmentId) => notices.rows.filter(({ environmentId }) => environmentId === wanted)
    return NoticeRepo.of({
      epoch: randomUUID(),
      add: (environmentId, notice) =>
        access(() => {
          if (!environments.rows.some(({ id }) => id === environmentId)) return 0
          const number = (of(environmentId).at(-1)?.number ?? 0) + 1
          notices.insert({ environmentId, number, ...notice })
          notices.remove((each) => each.environmentId === environmentId && each.number <= number - maxNotices)
          return number
        }),
      last: (environmentId) => access(() => of(environmentId).at(-1)?.number ?? 0),
      list: (environmentId) => access(() => of(environmentId).map(({ environmentId: _, ...notice }) => notice))
    })
  })
)

import { Effect } from "effect"
import type { Notice, NoticeLog } from "../../domain/game/NoticeLog.ts"
import { append, empty, logOf, noticeOf } from "../../domain/game/NoticeLog.ts"
import type { EnvironmentId } from "../../domain/Ids.ts"
import { NoticeRepo } from "../../ports/game/NoticeRepo.ts"
import { Changes } from "../configuration/Changes.ts"

type NoticeListener = (environmentId: EnvironmentId, notice: Notice) => void

/** The numbered notices of changes of each environment, so that readers of any stream can come back with the last number they know. */
export class NoticeLogs extends Effect.Service<NoticeLogs>()("services/game/NoticeLogs", {
  scoped: Effect.gen(function* () {
    const changes = yield* Changes
    const repo = yield* NoticeRepo
    const logs = new Map<EnvironmentId, NoticeLog>()
    const heard = new Map<EnvironmentId, number>()
    const listeners = new Set<NoticeListener>()

    /** The latest notices of the environment, once `known`. */
    const of = (environmentId: EnvironmentId): NoticeLog => logs.get(environmentId) ?? empty(repo.epoch)

    /** Whether the notices of the environment are at hand. */
    const isKnown = (environmentId: EnvironmentId): boolean => logs.has(environmentId)

    /**
     * Reads the notices of before this process began to hear of the environment; nothing where it knows them. They are read again only where
     * one was heard meanwhile: what was heard before is not there where the environment has been removed since.
     */
    const known = Effect.fnUntraced(function* (environmentId: EnvironmentId) {
      while (!logs.has(environmentId)) {
        const before = heard.get(environmentId)
        const log = logOf(repo.epoch, yield* repo.list(environmentId))
        if (heard.get(environmentId) === before) logs.set(environmentId, log)
      }
    })

    yield* changes.listen(({ environmentId, kind, number, ids }) => {
      if (number === 0) return
      heard.set(environmentId, number)
      const log = logs.get(environmentId)
      if (log?.last === number - 1) logs.set(environmentId, append(log, { event: kind, ids }))
      else logs.delete(environmentId)
      const notice = noticeOf(repo.epoch, { number, event: kind, ids })
      for (const listener of listeners) listener(environmentId, notice)
    })

    /** Calls the listener with every notice, in order, until the scope closes. */
    const listen = (listener: NoticeListener) =>
      Effect.acquireRelease(
        Effect.sync(() => listeners.add(listener)),
        () => Effect.sync(() => listeners.delete(listener))
      )

    return { of, isKnown, known, listen } as const
  })
}) {}

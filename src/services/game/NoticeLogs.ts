import { Effect, Encoding } from "effect"
import type { Notice, NoticeLog } from "../../domain/game/NoticeLog.ts"
import { append, empty } from "../../domain/game/NoticeLog.ts"
import type { EnvironmentId } from "../../domain/Ids.ts"
import { Secrets } from "../../ports/access/Secrets.ts"
import { Changes } from "../configuration/Changes.ts"

type NoticeListener = (environmentId: EnvironmentId, notice: Notice) => void

/** Numbers the notices of changes of each environment, so that readers of any stream can come back with the last number they know. */
export class NoticeLogs extends Effect.Service<NoticeLogs>()("services/game/NoticeLogs", {
  scoped: Effect.gen(function* () {
    const changes = yield* Changes
    const process = Encoding.encodeHex(yield* (yield* Secrets).bytes(6))
    const logs = new Map<EnvironmentId, NoticeLog>()
    const listeners = new Set<NoticeListener>()

    /** The latest notices of the environment. */
    const of = (environmentId: EnvironmentId): NoticeLog => logs.get(environmentId) ?? empty(process)

    yield* changes.listen(({ environmentId, kind, ids }) => {
      const log = append(of(environmentId), { event: kind, ids })
      logs.set(environmentId, log)
      const notice = log.notices.at(-1)
      if (notice !== undefined) for (const listener of listeners) listener(environmentId, notice)
    })

    /** Calls the listener with every notice, in order, until the scope closes. */
    const listen = (listener: NoticeListener) =>
      Effect.acquireRelease(
        Effect.sync(() => listeners.add(listener)),
        () => Effect.sync(() => listeners.delete(listener))
      )

    return { of, listen } as const
  })
}) {}

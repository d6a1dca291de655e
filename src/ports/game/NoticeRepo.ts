import type { Effect } from "effect"
import { Context } from "effect"
import type { NumberedNotice } from "../../domain/game/NoticeLog.ts"
import type { EnvironmentId } from "../../domain/Ids.ts"

/** The latest notices of changes of each environment, numbered from 1. Removing an environment removes its own. */
export class NoticeRepo extends Context.Tag("ports/game/NoticeRepo")<
  NoticeRepo,
  {
    /** Names the numbering: numbers given under another name mean nothing. A store that one process has for itself begins a new one when it is opened. */
    readonly epoch: string
    /**
     * Numbers a notice and answers the number; 0 where the environment is gone. Called in the transaction that makes the change: what is
     * undone leaves no gap. An environment keeps its latest 1,000 notices.
     */
    readonly add: (environmentId: EnvironmentId, notice: Omit<NumberedNotice, "number">) => Effect.Effect<number>
    /** The number of the latest notice; 0 before the first. */
    readonly last: (environmentId: EnvironmentId) => Effect.Effect<number>
    /** Oldest first. */
    readonly list: (environmentId: EnvironmentId) => Effect.Effect<ReadonlyArray<NumberedNotice>>
  }
>() {}

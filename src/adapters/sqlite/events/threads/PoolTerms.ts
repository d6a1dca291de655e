import type { AnswerMeta } from "../../../../domain/analytics/question/Question.ts"
import type { RetentionLimit } from "../../../../domain/analytics/markers/RetentionRule.ts"
import type { Failed } from "./WriterClient.ts"

export type PoolAnswer<Answer> =
  | { readonly _tag: "Answered"; readonly answer: Answer; readonly meta: AnswerMeta }
  | { readonly _tag: "Cancelled" }
  /** The budget ran out, of time or of memory. */
  | { readonly _tag: "TimedOut" }
  /** The queue is full, or the question waited in it for too long. */
  | { readonly _tag: "Overloaded" }
  /** Too many questions of the owner wait. */
  | { readonly _tag: "Crowded" }
  | Failed

/** A caller's hold on a question that it has asked. */
export interface Ticket {
  /** Stops the question and frees its thread; `done` is called with Cancelled. Has no effect once it was answered. */
  cancel(): void
  progress(): { readonly rowsScanned: number; readonly rowsTotal: number }
}

export interface PoolLimits {
  readonly readers: number
  /** Number of questions that may wait for a thread before further ones are refused. */
  readonly queue: number
  /** The same for the questions of one owner. */
  readonly queueOfOwner: number
  /** Milliseconds that a question may wait for a thread. */
  readonly wait: number
  /** Milliseconds in which a cancelled thread must stop by itself before it is terminated and replaced. */
  readonly grace: number
}

/** How a question is asked. */
export interface Terms {
  /** Milliseconds of work, the wait for a thread aside. */
  readonly budget: number
  /** Whose turn it takes: an organization. */
  readonly owner: number
  readonly limit?: RetentionLimit
}

/** How the readers come to rest, so that nobody reads the file. */
export interface Rest {
  /** Milliseconds in which the questions under way may end by themselves. The others stop then, and begin again afterwards. */
  readonly patience: number
  /** Milliseconds of work that a question may lose by that: where one has worked for longer, nobody rests. */
  readonly mostLost: number
  /** How often a question may be stopped for a rest: one that was stopped each time anew would never end. */
  readonly mostRests: number
}

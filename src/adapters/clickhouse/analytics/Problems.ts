import { Data, Effect } from "effect"
import { QueryTimedOut, StoreFull, StoreOverloaded } from "../../../ports/analytics/EventStore.ts"
import { StoreUnavailable } from "../../../ports/analytics/StoreUnavailable.ts"
import { ClickHouseRefused, type ClickHouseProblem } from "../ClickHouse.ts"

/** Errors of ClickHouse by number: too much time, too many rows to read or to answer, too many bytes of them. */
const beyondBudget: ReadonlySet<number> = new Set([158, 159, 307, 396])

/** Too many queries, no memory, too many parts. */
const noMemory = 241
const overload: ReadonlySet<number> = new Set([202, noMemory, 252])

/** Whether the question by itself needs more memory than one question may take. Otherwise all questions together need too much. */
const isTooLarge = ({ code, message }: ClickHouseRefused): boolean =>
  code === noMemory && message.includes("Query memory limit")

/** Why a question has no answer. */
export const unanswered = (problem: ClickHouseProblem) => {
  if (!(problem instanceof ClickHouseRefused)) return Effect.die(new StoreUnavailable({ message: problem.message }))
  if (beyondBudget.has(problem.code) || isTooLarge(problem)) return Effect.fail(new QueryTimedOut())
  return overload.has(problem.code) ? Effect.fail(new StoreOverloaded()) : Effect.die(problem)
}

/** Whoever writes cannot go on without ClickHouse. */
export const undone = (problem: ClickHouseProblem) =>
  Effect.die(problem instanceof ClickHouseRefused ? problem : new StoreUnavailable({ message: problem.message }))

/** ClickHouse's error for a disk without space. */
const noSpace = 243

/** Why a change of members was not stored. */
export const changeFailed = (problem: ClickHouseProblem) =>
  problem instanceof ClickHouseRefused && problem.code === noSpace ? Effect.fail(new StoreFull()) : unanswered(problem)

/** ClickHouse cannot be used as it is; the message says why. */
export class EventsUnusable extends Data.TaggedError("EventsUnusable")<{ readonly message: string }> {}

/** What happened, as a sentence for operators. */
export const unusableText = ({ message }: ClickHouseProblem): string => `ClickHouse cannot be used: ${message}`

/** Why a process does not start. */
export const unusable = (problem: ClickHouseProblem) => new EventsUnusable({ message: unusableText(problem) })

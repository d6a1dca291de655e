import type { OnProblem, Problem } from "./Problem.ts"
import { problemIn, type Reply } from "./Transport.ts"

/** What the server says to one question. */
export type Told<Value> =
  | { readonly kind: "told"; readonly value: Value }
  /** What is known holds still. */
  | { readonly kind: "unchanged" }
  | {
      readonly kind: "failed"
      readonly problem: Problem
      /** Null without an answer. */
      readonly status: number | null
      /** For how long the server asks to be left alone; null where it does not. */
      readonly retryAfterSeconds: number | null
    }

/** What a reply says, read by `valueOf`. What went wrong is told as a problem too, unless it was told when the client was made. */
export const toldBy = <Value>(
  reply: Reply,
  valueOf: (body: unknown) => Value | null,
  onProblem: OnProblem
): Told<Value> => {
  if (reply.isReached && reply.status === 304) return { kind: "unchanged" }
  const value = reply.isReached && reply.status === 200 ? valueOf(reply.body) : null
  if (value !== null) return { kind: "told", value }
  const problem = problemIn(reply)
  if (problem.kind !== "invalid") onProblem(problem)
  const { status, retryAfterSeconds } = reply.isReached ? reply : { status: null, retryAfterSeconds: null }
  return { kind: "failed", problem, status, retryAfterSeconds }
}

/** What went wrong. Nothing of it is thrown into the game. */
export interface Problem {
  readonly kind:
    /** The server cannot be reached, or answers that it cannot serve now; it is tried again. */
    | "unreachable"
    /** The server refuses the key, the environment or the request; it is tried again every few minutes. */
    | "refused"
    /** A marker was refused for good, and is gone. */
    | "rejected"
    /** So many markers wait that a further one was not taken. */
    | "full"
    /** What is to outlive the process could not be kept or read. */
    | "storage"
    /** A value of a configuration has another type than its default, which is used instead. */
    | "mismatch"
  readonly message: string
}

export type OnProblem = (problem: Problem) => void

/** The message of whatever was thrown. */
export const messageOf = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause))

/** What went wrong. Nothing of it is thrown into the game. */
export interface Problem {
  readonly kind:
    /** The server cannot be reached, or answers that it cannot serve now; it is tried again. */
    | "unreachable"
    /** The server refuses the key, the environment or the request; it is tried again every few minutes. */
    | "refused"
    /** A marker was refused for good, by the server or before it was sent, and is gone. */
    | "rejected"
    /** So many markers wait that a further one was not taken. */
    | "full"
    /** An option is wrong or unknown. It is told once, and no later try does better. */
    | "invalid"
    /** Markers were not sent before the client was closed, and nothing keeps them. */
    | "lost"
    /** What is to outlive the process could not be kept or read. */
    | "storage"
    /** A value of a configuration has another type than its default, which is used instead. */
    | "mismatch"
    /** A function of the game that listens to changes has thrown; the client goes on. */
    | "listener"
  readonly message: string
}

export type OnProblem = (problem: Problem) => void

/** The message of whatever was thrown, with what was behind it: Node says that a fetch failed, and why it did in the cause. */
export const messageOf = (thrown: unknown): string => {
  if (!(thrown instanceof Error)) return String(thrown)
  const message = thrown.message || ("code" in thrown ? String(thrown.code) : thrown.name)
  return thrown.cause === undefined ? message : `${message}: ${messageOf(thrown.cause)}`
}

/** Calls a function of the game. What it throws is told, now or later where it is asynchronous, and stops nothing else: it would end a process of Node. */
export const calling = (work: () => unknown, onProblem: OnProblem): void => {
  const tell = (cause: unknown) => onProblem({ kind: "listener", message: messageOf(cause) })
  try {
    const said = work()
    if (said instanceof Promise) said.catch(tell)
  } catch (cause) {
    tell(cause)
  }
}

/** Tells the game. What goes wrong there stays there: the client has nobody else to tell. */
export const telling =
  (onProblem: OnProblem): OnProblem =>
  (problem) =>
    calling(
      () => onProblem(problem),
      () => undefined
    )

import { ApiFailure } from "./Failure.ts"

/** A question is asked so many times more by itself. */
const mostRetries = 2

/** Seconds that a page waits for an answer without a word: who has to wait longer is told so. */
const mostSilentSeconds = 5

/** Milliseconds before the first retry where the server does not say; each further one waits twice as long. */
const firstPause = 1000

/** Whether a question is asked again by itself: refusals stay as they are, but what never reached the server, or came too early, may pass. */
export const isWorthRetrying = (count: number, error: Error): boolean => {
  if (count >= mostRetries || !(error instanceof ApiFailure)) return false
  const { statusCode, retryAfterSeconds } = error
  if (statusCode === 429) return retryAfterSeconds !== null && retryAfterSeconds <= mostSilentSeconds
  return statusCode === 0 || (statusCode === 503 && (retryAfterSeconds ?? 0) <= mostSilentSeconds)
}

/** Milliseconds until then, after `count` retries: the server knows best when it has room again. */
export const retryPause = (count: number, error: Error): number =>
  error instanceof ApiFailure && error.retryAfterSeconds !== null
    ? error.retryAfterSeconds * 1000
    : firstPause * 2 ** count

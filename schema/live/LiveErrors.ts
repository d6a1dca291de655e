import { Failure } from "../Failure.ts"

export class TooManyStreams extends Failure<TooManyStreams>()(
  "TOO_MANY_STREAMS",
  429,
  "The person, the organization or the server has as many live streams open as it may; the header Retry-After says when to come back."
) {
  /** Sent as the header `Retry-After`, never in the body. */
  readonly retryAfterSeconds = 30
}

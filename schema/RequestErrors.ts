import { Failure } from "./Failure.ts"

export class ValidationFailed extends Failure<ValidationFailed>()("VALIDATION_FAILED", 400) {}
export class MalformedJson extends Failure<MalformedJson>()("MALFORMED_JSON", 400) {}
export class MalformedRequest extends Failure<MalformedRequest>()("MALFORMED_REQUEST", 400) {}
export class CursorInvalid extends Failure<CursorInvalid>()("CURSOR_INVALID", 400) {}
export class RouteNotFound extends Failure<RouteNotFound>()("ROUTE_NOT_FOUND", 404) {}
export class MethodNotAllowed extends Failure<MethodNotAllowed>()("METHOD_NOT_ALLOWED", 405) {}
export class PayloadTooLarge extends Failure<PayloadTooLarge>()("PAYLOAD_TOO_LARGE", 413) {}
export class UnsupportedMediaType extends Failure<UnsupportedMediaType>()("UNSUPPORTED_MEDIA_TYPE", 415) {}
export class RateLimited extends Failure<RateLimited>()("RATE_LIMITED", 429) {
  /** Sent as the header `Retry-After`, never in the body. */
  retryAfterSeconds = 1

  static after(seconds: number, message: string): RateLimited {
    const limited = new RateLimited({ message })
    limited.retryAfterSeconds = Math.max(1, Math.ceil(seconds))
    return limited
  }
}
export class InternalError extends Failure<InternalError>()("INTERNAL_ERROR", 500) {}
export class NotImplemented extends Failure<NotImplemented>()("NOT_IMPLEMENTED", 501) {}
export class Overloaded extends Failure<Overloaded>()("OVERLOADED", 503) {
  /** Sent as the header `Retry-After`, never in the body. */
  readonly retryAfterSeconds = 1
}
export class StorageFull extends Failure<StorageFull>()("STORAGE_FULL", 507) {}

import { Failure } from "./Failure.ts"

export class ValidationFailed extends Failure<ValidationFailed>()(
  "VALIDATION_FAILED",
  400,
  "A parameter, a header or the body does not have the declared shape."
) {}
export class MalformedJson extends Failure<MalformedJson>()("MALFORMED_JSON", 400, "The body is not valid JSON.") {}
export class MalformedRequest extends Failure<MalformedRequest>()(
  "MALFORMED_REQUEST",
  400,
  "The request is cut off or could not be read."
) {}
export class CursorInvalid extends Failure<CursorInvalid>()(
  "CURSOR_INVALID",
  400,
  "The cursor was not given out for this list."
) {}
export class RouteNotFound extends Failure<RouteNotFound>()("ROUTE_NOT_FOUND", 404, "No endpoint has the path.") {}
export class MethodNotAllowed extends Failure<MethodNotAllowed>()(
  "METHOD_NOT_ALLOWED",
  405,
  "The path has endpoints and none for the method; the header Allow names those there are."
) {}
export class PayloadTooLarge extends Failure<PayloadTooLarge>()(
  "PAYLOAD_TOO_LARGE",
  413,
  "The body, as sent or inflated, has more bytes than the endpoint takes."
) {}
export class UnsupportedMediaType extends Failure<UnsupportedMediaType>()(
  "UNSUPPORTED_MEDIA_TYPE",
  415,
  "The body has a content type or encoding that the endpoint does not take."
) {}
export class RateLimited extends Failure<RateLimited>()(
  "RATE_LIMITED",
  429,
  "Too many requests or failed attempts; the header Retry-After says how long to wait."
) {
  /** Sent as the header `Retry-After`, never in the body. */
  retryAfterSeconds = 1

  static after(seconds: number, message: string): RateLimited {
    const limited = new RateLimited({ message })
    limited.retryAfterSeconds = Math.max(1, Math.ceil(seconds))
    return limited
  }
}
export class ChangedMeanwhile extends Failure<ChangedMeanwhile>()(
  "CHANGED_MEANWHILE",
  409,
  "Somebody removed what the request writes into, or made something that names what it removes, while it was answered; nothing was stored."
) {}
export class InternalError extends Failure<InternalError>()(
  "INTERNAL_ERROR",
  500,
  "Something went wrong in the server, whose log says what."
) {}
export class Overloaded extends Failure<Overloaded>()(
  "OVERLOADED",
  503,
  "The server has more work than it can take on; the header Retry-After says when to come back."
) {
  /** Sent as the header `Retry-After`, never in the body. */
  readonly retryAfterSeconds = 1
}
export class StorageLost extends Failure<StorageLost>()(
  "STORAGE_LOST",
  503,
  "The data folder of the server was deleted, moved or replaced while it runs; nothing was stored."
) {
  /** Sent as the header `Retry-After`, never in the body. */
  readonly retryAfterSeconds = 5
}
export class MetadataUnavailable extends Failure<MetadataUnavailable>()(
  "METADATA_UNAVAILABLE",
  503,
  "The database of the server cannot be reached now; whether a write was stored is not known. The header Retry-After says when to come back."
) {
  /** Sent as the header `Retry-After`, never in the body. */
  readonly retryAfterSeconds = 2
}
export class StoreUnavailable extends Failure<StoreUnavailable>()(
  "STORE_UNAVAILABLE",
  503,
  "The database that answers questions cannot be reached now; markers are taken in meanwhile. The header Retry-After says when to come back."
) {
  /** Sent as the header `Retry-After`, never in the body. */
  readonly retryAfterSeconds = 5
}
export class DataDamaged extends Failure<DataDamaged>()(
  "DATA_DAMAGED",
  503,
  "Markers or metadata that the answer needs are damaged on disk; the server's log names them."
) {}
export class StorageFull extends Failure<StorageFull>()(
  "STORAGE_FULL",
  507,
  "The disk of the server is full; nothing was stored."
) {}

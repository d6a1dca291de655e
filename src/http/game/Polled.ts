import { HttpServerResponse } from "@effect/platform"
import type { KnownHash } from "../../domain/game/KnownHash.ts"
import { isKnown } from "../../domain/game/KnownHash.ts"

/** The JSON with its hash as entity tag, or 304 without a body for a caller that knows the hash. */
export const polled = (
  { hash, bytes }: { readonly hash: string; readonly bytes: Uint8Array },
  known: KnownHash
): HttpServerResponse.HttpServerResponse => {
  const headers = { etag: `"${hash}"`, "cache-control": "private, no-cache" }
  return isKnown(hash, known)
    ? HttpServerResponse.empty({ status: 304, headers })
    : HttpServerResponse.uint8Array(bytes, { contentType: "application/json", headers })
}

import { HttpServerResponse } from "@effect/platform"
import type { KnownHash } from "../../domain/game/KnownHash.ts"
import { isKnown } from "../../domain/game/KnownHash.ts"

/** The JSON that is ready, under its hash; 304 without a body to who has it. */
export const polled = (
  { hash, bytes }: { readonly hash: string; readonly bytes: Uint8Array },
  known: KnownHash
): HttpServerResponse.HttpServerResponse => {
  const headers = { etag: `"${hash}"`, "cache-control": "private, no-cache" }
  return isKnown(hash, known)
    ? HttpServerResponse.empty({ status: 304, headers })
    : HttpServerResponse.uint8Array(bytes, { contentType: "application/json", headers })
}

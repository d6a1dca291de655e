import type { KnownHash } from "../../domain/game/KnownHash.ts"
import { isKnown } from "../../domain/game/KnownHash.ts"
import type { Ready } from "../../services/game/Delivery.ts"
import { type PlainAnswer, toResponse } from "./PlainRequest.ts"

/** The JSON with its hash as entity tag, or 304 without a body for a caller that knows the hash. */
export const polledAnswer = ({ hash, bytes }: Pick<Ready, "bytes" | "hash">, known: KnownHash): PlainAnswer => {
  const headers = { etag: `"${hash}"`, "cache-control": "private, no-cache" }
  return isKnown(hash, known) ? { status: 304, headers, json: null } : { status: 200, headers, json: bytes }
}

/** The same as the platform answers it. */
export const polled = (ready: Pick<Ready, "bytes" | "hash">, known: KnownHash) => toResponse(polledAnswer(ready, known))

import type { HttpServerRequest } from "@effect/platform"
import * as NodeHttpServerRequest from "@effect/platform-node/NodeHttpServerRequest"
import * as NodeStream from "@effect/platform-node/NodeStream"
import { Effect, Predicate, Stream } from "effect"
import { IncomingMessage } from "node:http"
import { createGunzip, gunzip } from "node:zlib"
import {
  MalformedJson,
  MalformedRequest,
  PayloadTooLarge,
  UnsupportedMediaType,
  ValidationFailed
} from "../../../schema/RequestErrors.ts"
import { RequestNotes } from "./RequestNotes.ts"

type Request = HttpServerRequest.HttpServerRequest

const tooLarge = (limit: number) => new PayloadTooLarge({ message: `A body may have at most ${limit} bytes` })
const cutOff = new MalformedRequest({ message: "The body ended too soon" })
const notGzip = new MalformedRequest({ message: "The body is not valid gzip" })
const notJson = new MalformedJson({ message: "The body is not valid JSON" })

const fromSocket = (incoming: IncomingMessage, limit: number) =>
  Effect.async<Buffer, PayloadTooLarge | MalformedRequest>((resume) => {
    const chunks: Array<Buffer> = []
    let size = 0
    const onData = (chunk: Buffer) => {
      size += chunk.length
      chunks.push(chunk)
      if (size > limit) finish(Effect.fail(tooLarge(limit)))
    }
    const onEnd = () => finish(Effect.succeed(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)))
    const onCut = () => finish(Effect.fail(cutOff))
    const finish = (result: Effect.Effect<Buffer, PayloadTooLarge | MalformedRequest>) => {
      incoming.off("data", onData).off("end", onEnd).off("close", onCut)
      incoming.resume()
      resume(result)
    }
    incoming.on("data", onData).on("end", onEnd).on("close", onCut).on("error", onCut)
  })

const fromWeb = (request: Request, limit: number) =>
  request.arrayBuffer.pipe(
    Effect.mapBoth({ onFailure: () => cutOff, onSuccess: (bytes) => Buffer.from(bytes) }),
    Effect.filterOrFail(
      ({ length }) => length <= limit,
      () => tooLarge(limit)
    )
  )

const inflate = (bytes: Buffer, limit: number) =>
  Effect.async<Buffer, PayloadTooLarge | MalformedRequest>((resume) =>
    gunzip(bytes, { maxOutputLength: limit }, (error, inflated) => {
      if (error === null) return resume(Effect.succeed(inflated))
      const isTooLarge = Predicate.hasProperty(error, "code") && error.code === "ERR_BUFFER_TOO_LARGE"
      return resume(Effect.fail(isTooLarge ? tooLarge(limit) : notGzip))
    })
  )

/** Whether the body is gzip. Fails for any other encoding. */
const isGzip = ({ headers }: Request) => {
  const encoding = headers["content-encoding"]?.trim().toLowerCase() ?? "identity"
  if (encoding === "identity" || encoding === "") return Effect.succeed(false)
  return encoding === "gzip" || encoding === "x-gzip"
    ? Effect.succeed(true)
    : Effect.fail(new UnsupportedMediaType({ message: "Send the body plain or with content-encoding gzip" }))
}

const bodiesReadBefore = new RequestNotes<Buffer>()

/** Hands on a body that was read before the platform got the request. */
export const leaveBody = (request: IncomingMessage, bytes: Buffer): void => bodiesReadBefore.set(request, bytes)

/** The JSON value of a body, plain or gzip, of at most `limit` bytes before and after it is inflated. */
export const jsonBody = Effect.fnUntraced(function* (request: Request, limit: number, mayBeEmpty = false) {
  const isInflated = yield* isGzip(request)
  const incoming = NodeHttpServerRequest.toIncomingMessage(request)
  const left = bodiesReadBefore.get(request)
  const unread = incoming instanceof IncomingMessage ? fromSocket(incoming, limit) : fromWeb(request, limit)
  const read = left === undefined ? unread : Effect.succeed(left)
  const bytes = isInflated ? yield* Effect.flatMap(read, (raw) => inflate(raw, limit)) : yield* read
  if (mayBeEmpty && bytes.length === 0) return null
  return yield* Effect.try({ try: (): unknown => JSON.parse(bytes.toString()), catch: () => notJson })
})

/** Levels of lists and objects in one another. The functions that read and check values recurse, so that the stack limits them. */
const maxDepth = 100

const halfCharacter = /\p{Surrogate}/u

/** The first flaw that no schema looks for and no store can hold, with its path: too deep nesting, or half of a surrogate pair. */
export const flawOf = (value: unknown, path: ReadonlyArray<string>): string | undefined => {
  if (typeof value === "string") {
    return halfCharacter.test(value) ? `${path.join(".") || "body"}: expected well-formed Unicode text` : undefined
  }
  if (typeof value !== "object" || value === null) return undefined
  if (path.length === maxDepth) return `body: expected at most ${maxDepth} levels of nesting`
  for (const [key, each] of Object.entries(value)) {
    const flaw = flawOf(key, path) ?? flawOf(each, [...path, key])
    if (flaw !== undefined) return flaw
  }
  return undefined
}

/** The payload of an endpoint, as `jsonBody` reads it and without flaws; null for an empty body where the endpoint allows one. */
export const payloadOf = Effect.fnUntraced(function* (request: Request, limit: number, mayBeEmpty = false) {
  const value = yield* jsonBody(request, limit, mayBeEmpty)
  const message = flawOf(value, [])
  return message === undefined ? value : yield* Effect.fail(new ValidationFailed({ message }))
})

/** The text of a body, plain or gzip, as a stream that reads no faster than it is used. */
export const textBody = Effect.fnUntraced(function* (request: Request) {
  const bytes = Stream.mapError(request.stream, () => cutOff)
  if (!(yield* isGzip(request))) return Stream.decodeText(bytes)
  return Stream.decodeText(
    NodeStream.pipeThroughDuplex(
      bytes,
      () => createGunzip(),
      () => notGzip
    )
  )
})

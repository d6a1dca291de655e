import type { HttpServerRequest } from "@effect/platform"
import * as NodeHttpServerRequest from "@effect/platform-node/NodeHttpServerRequest"
import * as NodeStream from "@effect/platform-node/NodeStream"
import { Effect, Either, Predicate, Stream } from "effect"
import { isUtf8 } from "node:buffer"
import { IncomingMessage } from "node:http"
import { createGunzip, gunzip } from "node:zlib"
import type { Check } from "../../../schema/Check.ts"
import { problemsOf } from "../../../schema/Checks.ts"
import { knownJsonSteps } from "../../../schema/Json.ts"
import {
  MalformedJson,
  MalformedRequest,
  PayloadTooLarge,
  UnsupportedMediaType,
  ValidationFailed
} from "../../../schema/RequestErrors.ts"
import { inTurns } from "../../services/InTurns.ts"
import { flawOf, surveyOf, surveySteps, tooManyLevels } from "./Flaws.ts"
import { type FaultPlace, jsonFaultOf, jsonFaultSteps } from "../../domain/JsonFault.ts"
import { jsonSteps } from "../../domain/JsonSteps.ts"
import { RequestNotes } from "./RequestNotes.ts"

type Request = HttpServerRequest.HttpServerRequest

/** The refusal of a body of more bytes. */
export const tooLarge = (limit: number) => new PayloadTooLarge({ message: `A body may have at most ${limit} bytes` })
const tooManyValues = new PayloadTooLarge({ message: "The body has too many values: send fewer at a time" })
const tooManyFields = new ValidationFailed({ message: "body: expected an object of at most 1000 fields" })
const cutOff = new MalformedRequest({ message: "The body ended too soon" })
const notGzip = new MalformedRequest({ message: "The body is not valid gzip" })
const notUtf8 = new MalformedJson({ message: "The body is not valid UTF-8" })
const unnamedGzip = new MalformedJson({
  message: "The body is not valid UTF-8: it is gzip, which the header content-encoding: gzip has to say"
})
const tooDeep = new ValidationFailed({ message: tooManyLevels })

/** Says where a body stops being JSON, and of what it holds one character. */
const notJson = (place: FaultPlace | null) => {
  const where =
    place === null
      ? ""
      : `: line ${place.line}, column ${place.column}: expected ${place.expected}, found ${place.found}`
  return new MalformedJson({ message: `The body is not valid JSON${where}` })
}

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

/** Bytes that a body of so many may inflate to. JSON of games inflates to some 20 times its size, zeros to 1,000 times. */
const inflatable = (bytes: number): number => 65_536 + 100 * bytes

const inflatesTooFar = new PayloadTooLarge({ message: "The body inflates to more than 100 times its size" })

const inflate = (bytes: Buffer, limit: number) =>
  Effect.async<Buffer, PayloadTooLarge | MalformedRequest>((resume) => {
    const most = inflatable(bytes.length)
    gunzip(bytes, { maxOutputLength: Math.min(limit, most) }, (error, inflated) => {
      if (error === null) return resume(Effect.succeed(inflated))
      const isTooLarge = Predicate.hasProperty(error, "code") && error.code === "ERR_BUFFER_TOO_LARGE"
      return resume(Effect.fail(isTooLarge ? (most < limit ? inflatesTooFar : tooLarge(limit)) : notGzip))
    })
  })

/** Header fields as Node or as the platform has them, with names in small letters. */
export type HeaderFields = Readonly<Record<string, string | ReadonlyArray<string> | undefined>>

/** Whether the body is sent as it is. */
export const isPlain = ({ "content-encoding": encoding = "" }: HeaderFields): boolean =>
  typeof encoding === "string" && ["identity", ""].includes(encoding.trim().toLowerCase())

/** A larger body is read in steps, with a turn of the event loop after each, in which other requests are handled. */
const pausingBytes = 64 * 1024

/** Whether the body is gzip. Fails for any other encoding. */
const isGzip = (request: Request) => {
  if (isPlain(request.headers)) return Effect.succeed(false)
  const encoding = request.headers["content-encoding"]?.trim().toLowerCase()
  return encoding === "gzip" || encoding === "x-gzip"
    ? Effect.succeed(true)
    : Effect.fail(new UnsupportedMediaType({ message: "Send the body plain or with content-encoding gzip" }))
}

const bodiesReadBefore = new RequestNotes<Buffer>()

/** Hands on a body that was read before the platform got the request. */
export const leaveBody = (request: IncomingMessage, bytes: Buffer): void => bodiesReadBefore.set(request, bytes)

/** The bytes of a body, plain or gzip, of at most `limit` before and after they are inflated. */
const bytesOf = Effect.fnUntraced(function* (request: Request, limit: number) {
  const isInflated = yield* isGzip(request)
  const incoming = NodeHttpServerRequest.toIncomingMessage(request)
  const left = bodiesReadBefore.get(request)
  const unread = incoming instanceof IncomingMessage ? fromSocket(incoming, limit) : fromWeb(request, limit)
  const read = left === undefined ? unread : left.length > limit ? Effect.fail(tooLarge(limit)) : Effect.succeed(left)
  return isInflated ? yield* Effect.flatMap(read, (raw) => inflate(raw, limit)) : yield* read
})

const parsedInTurns = Effect.fnUntraced(function* (text: string) {
  const outcome = yield* inTurns(() => jsonSteps(text))
  if (Either.isRight(outcome)) return outcome.right
  if (outcome.left === "deep") return yield* Effect.fail(tooDeep)
  return yield* Effect.fail(notJson(yield* inTurns(() => jsonFaultSteps(text))))
})

const parsedAtOnce = (text: string) =>
  Effect.try({ try: (): unknown => JSON.parse(text), catch: () => notJson(jsonFaultOf(text)) })

/** The JSON value of the bytes; those of a large body are parsed in several turns of the event loop. */
export const parsed = (bytes: Buffer): Effect.Effect<unknown, MalformedJson | ValidationFailed> => {
  if (!isUtf8(bytes)) return Effect.fail(notUtf8)
  return bytes.length > pausingBytes
    ? parsedInTurns(bytes.toString())
    : Effect.suspend(() => parsedAtOnce(bytes.toString()))
}

/** The JSON value of a body, plain or gzip, of at most `limit` bytes before and after it is inflated. */
export const jsonBody = (request: Request, limit: number) => Effect.flatMap(bytesOf(request, limit), parsed)

/**
 * The payload of an endpoint, null without a body where that may be: as `jsonBody` reads it, without flaws, and of the
 * endpoint's schema. One refusal names every problem.
 */
export const payloadOf = Effect.fnUntraced(function* (
  request: Request,
  limit: number,
  check: Check,
  mayBeEmpty: boolean
) {
  const bytes = yield* bytesOf(request, limit)
  if (mayBeEmpty && bytes.length === 0) return null
  const isLarge = bytes.length > pausingBytes
  const survey = isLarge ? yield* inTurns(() => surveySteps(bytes)) : surveyOf(bytes)
  if (survey.excess === "values") return yield* Effect.fail(tooManyValues)
  if (survey.excess === "fields") return yield* Effect.fail(tooManyFields)
  const pause = isLarge ? Effect.sleep(0) : Effect.void
  yield* pause
  const value = yield* parsed(bytes)
  yield* pause
  const flaw = flawOf(value, survey)
  yield* pause
  if (isLarge) yield* inTurns(() => knownJsonSteps(value))
  const message = flaw ?? problemsOf(check, value)
  yield* pause
  return message === undefined ? value : yield* Effect.fail(new ValidationFailed({ message }))
})

/** The text of pieces of bytes, which may cut characters in two. What is no UTF-8 is refused: a decoder would put other characters in its place. */
const decoded = <E>(pieces: Stream.Stream<Uint8Array, E>) =>
  Stream.suspend(() => {
    const decoder = new TextDecoder("utf-8", { fatal: true })
    const read = (piece?: Uint8Array) =>
      Effect.try({
        try: () => decoder.decode(piece, { stream: piece !== undefined }),
        catch: () => (piece?.[0] === 0x1f && piece[1] === 0x8b ? unnamedGzip : notUtf8)
      })
    return Stream.concat(Stream.mapEffect(pieces, read), Stream.fromEffect(Effect.suspend(() => read())))
  })

/**
 * The bytes of a body as they come. A stream of the platform that ends early destroys the socket, and nobody would hear why the body is refused: what is
 * left of it is read and forgotten instead.
 */
const piecesOf = (request: Request): Stream.Stream<Uint8Array, MalformedRequest> => {
  const incoming = NodeHttpServerRequest.toIncomingMessage(request)
  if (!(incoming instanceof IncomingMessage)) return Stream.mapError(request.stream, () => cutOff)
  const pieces = NodeStream.fromReadable<MalformedRequest>(
    () => incoming,
    () => cutOff,
    { closeOnDone: false }
  )
  return Stream.ensuring(
    pieces,
    Effect.sync(() => void incoming.resume())
  )
}

/** The text of a body, plain or gzip, as a stream that reads no faster than it is used. */
export const textBody = Effect.fnUntraced(function* (request: Request) {
  const bytes = piecesOf(request)
  if (!(yield* isGzip(request))) return decoded(bytes)
  let received = 0
  let inflated = 0
  const counted = Stream.tap(bytes, ({ length }) => Effect.sync(() => void (received += length)))
  const pieces = NodeStream.pipeThroughDuplex(
    counted,
    () => createGunzip(),
    () => notGzip
  )
  const bounded = Stream.mapEffect(pieces, (piece) => {
    inflated += piece.length
    return inflated > inflatable(received) ? Effect.fail(inflatesTooFar) : Effect.succeed(piece)
  })
  return decoded(bounded)
})

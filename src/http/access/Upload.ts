import { HttpServerRequest } from "@effect/platform"
import { Chunk, Effect, Stream } from "effect"
import { MalformedRequest, PayloadTooLarge } from "../../../schema/RequestErrors.ts"
import { ImageInvalid } from "../../../schema/access/AccessErrors.ts"

/** Bytes that a form may have around its file. */
const formOverhead = 16 * 1024

/** A body is read on until it has this many times the bytes that are allowed. */
const readTimes = 8

const empty = new Uint8Array()

const unreadable = () => new MalformedRequest({ message: "The body could not be read" })
const tooLarge = (maxBytes: number) => new PayloadTooLarge({ message: `An image may have at most ${maxBytes} bytes` })

const joined = (chunks: ReadonlyArray<Uint8Array>): Uint8Array<ArrayBuffer> => {
  const bytes = new Uint8Array(chunks.reduce((length, chunk) => length + chunk.length, 0))
  chunks.reduce((offset, chunk) => {
    bytes.set(chunk, offset)
    return offset + chunk.length
  }, 0)
  return bytes
}

/** The whole body. One that is too large is read on for a while, for its sender hears no answer before it is done. */
const body = (request: HttpServerRequest.HttpServerRequest, maxBytes: number, refusal: PayloadTooLarge) => {
  if (Number(request.headers["content-length"] ?? 0) > maxBytes) return Effect.fail(refusal)
  return request.stream.pipe(
    Stream.mapError(unreadable),
    Stream.mapAccumEffect(0, (before, chunk: Uint8Array) => {
      const length = before + chunk.length
      return length > readTimes * maxBytes
        ? Effect.fail(refusal)
        : Effect.succeed([length, { length, bytes: length > maxBytes ? empty : chunk }] as const)
    }),
    Stream.runCollect,
    Effect.filterOrFail(
      (chunks) => Chunk.every(chunks, ({ length }) => length <= maxBytes),
      () => refusal
    ),
    Effect.map((chunks) => joined(Chunk.toReadonlyArray(Chunk.map(chunks, ({ bytes }) => bytes))))
  )
}

/** Parts that a form may have beside its file. The runtime makes an object of each, and of 70,000 of them in a third of a second. */
const mostParts = 100

const boundaryIn = (contentType: string): string => {
  const [, quoted, bare] = /;\s*boundary=(?:"([^"]*)"|([^\s;]*))/i.exec(contentType) ?? []
  return quoted ?? bare ?? ""
}

const hasManyParts = (form: Uint8Array<ArrayBuffer>, boundary: string): boolean => {
  const bytes = Buffer.from(form.buffer, form.byteOffset, form.length)
  const separator = Buffer.from(`--${boundary}`)
  let at = -separator.length
  for (let parts = 0; parts <= mostParts; parts++) {
    at = bytes.indexOf(separator, at + separator.length)
    if (at === -1) return false
  }
  return true
}

/** The platform's own parser never returns from a form cut short, so the runtime's reads the whole of it. */
const fileIn = Effect.fnUntraced(function* (form: Uint8Array<ArrayBuffer>, contentType: string) {
  const boundary = boundaryIn(contentType)
  if (boundary === "") return yield* Effect.fail(unreadable())
  if (hasManyParts(form, boundary)) {
    return yield* Effect.fail(new ImageInvalid({ message: `file: expected a form of at most ${mostParts} fields` }))
  }
  const data = yield* Effect.tryPromise({
    try: () => new Response(form, { headers: { "content-type": contentType } }).formData(),
    catch: unreadable
  })
  const file = data.get("file")
  if (file === null || typeof file === "string") {
    return yield* Effect.fail(new ImageInvalid({ message: "file: expected a form field with the image" }))
  }
  return new Uint8Array(yield* Effect.promise(() => file.arrayBuffer()))
})

/** An uploaded image: the form field `file`, or the body itself. */
export const upload = (maxBytes: number) =>
  Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) => {
    const contentType = request.headers["content-type"] ?? ""
    const isForm = /^multipart\/form-data\b/i.test(contentType)
    const bytes = body(request, isForm ? maxBytes + formOverhead : maxBytes, tooLarge(maxBytes))
    return isForm ? Effect.flatMap(bytes, (form) => fileIn(form, contentType)) : bytes
  })

import { HttpServerRequest, Multipart } from "@effect/platform"
import { Chunk, Effect, Option, Stream } from "effect"
import { ImageInvalid, MalformedRequest, PayloadTooLarge } from "../../schema/Errors.ts"

/** Bytes that a form may have around its file. */
const formOverhead = 16 * 1024

const unreadable = () => new MalformedRequest({ message: "The body could not be read" })
const tooLarge = (maxBytes: number) => new PayloadTooLarge({ message: `An image may have at most ${maxBytes} bytes` })

const joined = (chunks: ReadonlyArray<Uint8Array>): Uint8Array => {
  const bytes = new Uint8Array(chunks.reduce((length, chunk) => length + chunk.length, 0))
  chunks.reduce((offset, chunk) => {
    bytes.set(chunk, offset)
    return offset + chunk.length
  }, 0)
  return bytes
}

/** The whole body, given up as soon as it grows past `most` bytes. */
const body = (request: HttpServerRequest.HttpServerRequest, most: number, refusal: PayloadTooLarge) => {
  if (Number(request.headers["content-length"] ?? 0) > most) return Effect.fail(refusal)
  return request.stream.pipe(
    Stream.mapError(unreadable),
    Stream.mapAccumEffect(0, (length, chunk: Uint8Array) =>
      length + chunk.length > most ? Effect.fail(refusal) : Effect.succeed([length + chunk.length, chunk] as const)
    ),
    Stream.runCollect,
    Effect.map((chunks) => joined(Chunk.toReadonlyArray(chunks)))
  )
}

const contentOf = (part: Multipart.Part) =>
  Multipart.isFile(part)
    ? Effect.map(part.contentEffect, (bytes) => (part.key === "file" ? Option.some(bytes) : Option.none()))
    : Effect.succeedNone

const fileIn = (form: Uint8Array, headers: HttpServerRequest.HttpServerRequest["headers"]) =>
  Stream.make(form).pipe(
    Stream.pipeThroughChannel(Multipart.makeChannel<never>(headers)),
    Stream.filterMapEffect((part) => Option.some(contentOf(part))),
    Stream.runCollect,
    Effect.mapError(unreadable),
    Effect.flatMap((contents) =>
      Effect.mapError(
        Option.firstSomeOf(contents),
        () => new ImageInvalid({ message: "file: expected a form field with the image" })
      )
    )
  )

/** An uploaded image: the form field `file`, or the body itself. */
export const upload = (maxBytes: number) =>
  Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) => {
    const isForm = /^multipart\/form-data\b/i.test(request.headers["content-type"] ?? "")
    const most = isForm ? maxBytes + formOverhead : maxBytes
    const bytes = body(request, most, tooLarge(maxBytes))
    return isForm ? Effect.flatMap(bytes, (form) => fileIn(form, request.headers)) : bytes
  })

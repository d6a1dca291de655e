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

/** A boundary of 1 to 70 characters, as RFC 2046 (5.1.1) has it. */
const boundaryIn = (contentType: string): string | undefined => {
  const [, quoted, bare] = /;\s*boundary=(?:"([^"]{1,70})"|([^\s;"]{1,70})(?=[\s;]|$))/i.exec(contentType) ?? []
  return quoted ?? bare
}

/** The parser of the runtime takes no boundary of less than 27 characters, nor all characters that one may have: it gets this one instead. */
const readableBoundary = "boundary-that-the-runtime-reads"

/** What stands between the lines of a boundary. Text that only begins with the boundary divides nothing. */
const sectionsOf = (form: Uint8Array<ArrayBuffer>, boundary: string): ReadonlyArray<string> => {
  const escaped = boundary.replace(/[^\w ]/g, "\\$&")
  return Buffer.from(form.buffer, form.byteOffset, form.length)
    .toString("latin1")
    .split(new RegExp(`(?:^|\r\n)--${escaped}(?=--|[ \t]*\r\n)`))
}

/** The platform's own parser never returns from a form cut short, so the runtime's reads the whole of it. */
const fileIn = Effect.fnUntraced(function* (form: Uint8Array<ArrayBuffer>, contentType: string) {
  const boundary = boundaryIn(contentType)
  if (boundary === undefined) return yield* Effect.fail(unreadable())
  const [before = "", ...sections] = sectionsOf(form, boundary)
  if (sections.length > mostParts) {
    return yield* Effect.fail(new ImageInvalid({ message: `file: expected a form of at most ${mostParts} fields` }))
  }
  const text = [before, ...sections].join(`\r\n--${readableBoundary}`).replace(/^\r\n/, "")
  const data = yield* Effect.tryPromise({
    try: () =>
      new Response(Buffer.from(text, "latin1"), {
        headers: { "content-type": `multipart/form-data; boundary=${readableBoundary}` }
      }).formData(),
    catch: unreadable
  })
  const [file, ...more] = data.getAll("file")
  if (file === undefined || typeof file === "string") {
    return yield* Effect.fail(new ImageInvalid({ message: "file: expected a form field with the image" }))
  }
  if (more.length > 0) {
    const found = more.length + 1
    return yield* Effect.fail(
      new ImageInvalid({ message: `file: expected one form field of this name, found ${found}` })
    )
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

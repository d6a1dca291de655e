import type { HttpServerRequest } from "@effect/platform"
import { Effect, Option, Stream } from "effect"
import {
  MalformedJson,
  MalformedRequest,
  PayloadTooLarge,
  UnsupportedMediaType
} from "../../../schema/RequestErrors.ts"
import { Elements } from "../../domain/ingest/Elements.ts"
import { asSent, markerJson } from "../../domain/ingest/exports/OwnExport.ts"
import { type IngestCounts, followedBy, nothingSent } from "../../domain/ingest/IngestCounts.ts"
import { Lines } from "../../domain/ingest/Lines.ts"
import { textBody } from "../platform/Body.ts"

type Request = HttpServerRequest.HttpServerRequest

/** Markers stored together. */
const partSize = 1000

/** Characters of one marker; more cannot be within the limits of a marker. */
const maxMarkerCharacters = 65_536

const broken = Effect.fail(
  new MalformedJson({
    message: "The body must be a JSON list of markers, bare or as {markers}; what came before it broke is stored"
  })
)

/** Markers are stored while the body is read. */
const cutShort = (error: MalformedJson | MalformedRequest | PayloadTooLarge) => {
  const message = `${error.message}; markers that came before may be stored`
  if (error instanceof MalformedJson) return new MalformedJson({ message })
  return error instanceof MalformedRequest ? new MalformedRequest({ message }) : new PayloadTooLarge({ message })
}

/** A piece that is no JSON becomes a marker that is no object, which is rejected by itself; a row of an export of ours is the marker it was. */
const markerOf = (piece: string | null): unknown =>
  piece === null ? null : asSent(Option.getOrNull(markerJson(piece)))

const splitterOf = ({ headers }: Request) => {
  const [type = ""] = (headers["content-type"] ?? "application/x-ndjson").split(";")
  switch (type.trim().toLowerCase()) {
    case "application/json":
      return Effect.sync(() => new Elements(maxMarkerCharacters))
    case "application/x-ndjson":
    case "application/ndjson":
    case "application/jsonl":
    case "application/octet-stream":
    case "text/plain":
      return Effect.sync(() => new Lines(maxMarkerCharacters))
    default:
      return Effect.fail(new UnsupportedMediaType({ message: "Send application/json or application/x-ndjson" }))
  }
}

/** Appends the markers of a body of any length part by part, reading on only when a part is stored. */
export const backfill = Effect.fnUntraced(function* <E, R>(
  request: Request,
  append: (part: ReadonlyArray<unknown>) => Effect.Effect<IngestCounts, E, R>
) {
  const splitter = yield* splitterOf(request)
  const text = yield* textBody(request)
  const counts = yield* text.pipe(
    Stream.mapError(cutShort),
    Stream.mapConcat((piece) => splitter.push(piece)),
    Stream.concat(Stream.suspend(() => Stream.fromIterable(splitter.end()))),
    Stream.map(markerOf),
    Stream.grouped(partSize),
    Stream.runFoldEffect(nothingSent, (before, part) =>
      Effect.map(append([...part]), (counts) => followedBy(before, counts))
    )
  )
  return splitter instanceof Elements && splitter.isBroken ? yield* broken : counts
})

import { Effect, Predicate } from "effect"
import { ValidationFailed } from "../../../schema/RequestErrors.ts"
import type { IngestResult } from "../../../schema/ingest/Ingest.ts"
import { InvalidMarkers } from "../../../schema/ingest/IngestErrors.ts"
import { markersOf, maxMarkers } from "../../domain/ingest/Batch.ts"
import type { PlainAnswer } from "../game/PlainRequest.ts"

/** What was sent instead of a list of markers, in words that follow what was expected. */
const found = (body: unknown): string => {
  if (Array.isArray(body)) return `, in an object: {"markers":[…]}`
  if (!Predicate.hasProperty(body, "markers")) return `, for example {"markers":[{"eventName":"Login","timestamp":…}]}`
  const { markers } = body
  return Array.isArray(markers) ? `, found ${markers.length}` : ""
}

/** The markers in the JSON of a request. */
export const markersIn = (body: unknown): Effect.Effect<ReadonlyArray<unknown>, ValidationFailed> => {
  const markers = markersOf(body)
  return markers !== null
    ? Effect.succeed(markers)
    : Effect.fail(
        new ValidationFailed({ message: `markers: expected a list of 1 to ${maxMarkers} markers${found(body)}` })
      )
}

const encoder = new TextEncoder()

export const json = (body: object, status: number): PlainAnswer => ({
  status,
  headers: {},
  json: encoder.encode(JSON.stringify(body))
})

/** The common envelope carries no counts, so this refusal writes its own body. */
export const refusedCounts = ({ statusCode, code, error, message, ...rest }: InvalidMarkers) => ({
  statusCode,
  code,
  error,
  message,
  ingestedMarkersCount: rest.ingestedMarkersCount,
  rejectedMarkersCount: rest.rejectedMarkersCount,
  duplicateMarkersCount: rest.duplicateMarkersCount,
  staleMarkersCount: rest.staleMarkersCount,
  rejectedMarkers: rest.rejectedMarkers,
  duplicateMarkers: rest.duplicateMarkers,
  staleMarkers: rest.staleMarkers,
  clampedMarkers: rest.clampedMarkers
})

/** What a game is answered: the counts, with 400 where every marker was rejected. */
export const answered = <E, R>(stored: Effect.Effect<IngestResult, E | InvalidMarkers, R>) =>
  Effect.catchIf(
    Effect.map(stored, (result) => json(result, 200)),
    (error) => error instanceof InvalidMarkers,
    (error) => Effect.succeed(json({ ...refusedCounts(error), errorCode: error.code }, 400))
  )

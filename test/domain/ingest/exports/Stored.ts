import { Either, Schema } from "effect"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { isObject } from "../../../../src/domain/ingest/Collector.ts"
import { exportDialects } from "../../../../src/domain/ingest/exports/Dialects.ts"
import type { ExportedEvent } from "../../../../src/domain/ingest/exports/ExportedEvent.ts"
import {
  changedMapping,
  type ExportOrigin,
  type MappingChanges
} from "../../../../src/domain/ingest/exports/ExportMapping.ts"
import { mappedMarker } from "../../../../src/domain/ingest/exports/MappedMarker.ts"
import { readMarker } from "../../../../src/domain/ingest/Marker.ts"
import { receipt } from "../Arbitraries.ts"

const fixtures = join(import.meta.dirname, "../../../fixtures/exports")

/** The lines of a fixture that are JSON. */
export const eventsOf = (file: string): ReadonlyArray<ExportedEvent> =>
  readFileSync(join(fixtures, file), "utf8")
    .split("\n")
    .flatMap((line) =>
      Either.match(Schema.decodeEither(Schema.parseJson())(line), { onLeft: () => [], onRight: (event) => [event] })
    )
    .filter(isObject)

export const mapped = (origin: ExportOrigin, event: ExportedEvent, changes: MappingChanges = {}) =>
  mappedMarker(origin, changedMapping(exportDialects[origin].mapping, changes), event)

/** The marker of an event as it would be stored. */
export const stored = (origin: ExportOrigin, event: ExportedEvent, changes: MappingChanges = {}) => {
  const outcome = mapped(origin, event, changes)
  if (outcome._tag === "LeftOut") return "left out"
  const read = readMarker(outcome.marker, receipt)
  if (read._tag === "Refused") return read.refusal.code
  if (read._tag === "Stale") return "stale"
  const { markerId, type, unitId, sessionId, timestamp, arguments: values, properties } = read.marker
  return {
    markerId,
    type,
    unitId,
    sessionId,
    timestamp: new Date(timestamp).toISOString(),
    arguments: { ...values },
    properties: { ...properties }
  }
}

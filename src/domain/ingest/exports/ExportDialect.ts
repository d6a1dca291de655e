import type { CsvForm } from "../CsvMapping.ts"
import type { ExportedEvent } from "./ExportedEvent.ts"
import type { ExportMapping } from "./ExportMapping.ts"
import type { SamePlayer } from "./PlayerIds.ts"

/** What is particular to the exports of one product. */
export interface ExportDialect {
  /** Whether a file of the export holds events, by its name; what else a product exports is passed over. */
  readonly hasEvents: (file: string) => boolean
  /** How its tables are written. */
  readonly csv: CsvForm
  /** The event with its fields where the mapping looks for them, whatever file it came in. */
  readonly normalized: (event: ExportedEvent) => ExportedEvent
  readonly mapping: ExportMapping
  /** The events in one line of the export: what it holds itself, unless it is a page of several. */
  readonly eventsIn: (content: unknown) => ReadonlyArray<unknown>
  /** The two ids that a normalized event says are one player. */
  readonly samePlayer: (event: ExportedEvent) => Omit<SamePlayer, "at"> | undefined
}

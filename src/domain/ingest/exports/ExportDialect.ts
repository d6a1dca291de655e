import type { ExportedEvent } from "./ExportedEvent.ts"
import type { ExportMapping } from "./ExportMapping.ts"

/** What is particular to the exports of one product. */
export interface ExportDialect {
  /** The event with its fields where the mapping looks for them, whatever file it came in. */
  readonly normalized: (event: ExportedEvent) => ExportedEvent
  readonly mapping: ExportMapping
}

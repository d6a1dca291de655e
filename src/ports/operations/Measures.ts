import { Context, type Effect } from "effect"
import type { IngestCounts } from "../../domain/ingest/IngestCounts.ts"
import type { Moment } from "../../domain/operations/Moment.ts"
import type { MetricFamily } from "../../domain/operations/telemetry/MetricFamily.ts"

/** What monitoring reads: a type of content and the text in it. */
export interface Exposition {
  readonly contentType: string
  readonly text: string
}

/** Counts what the server does, for monitoring. Nothing fails and nothing waits: it is called on the way of every request. */
export class Measures extends Context.Tag("ports/operations/Measures")<
  Measures,
  {
    /**
     * A request was answered. `operation` is its name in the API, `status` the answer's, or `aborted` where the caller left before it;
     * both are of few values. `seconds` is null where the time says nothing, as that of an open stream.
     */
    readonly answered: (operation: string, status: string, seconds: number | null) => void
    /** What became of the markers of one batch. */
    readonly markers: (counts: IngestCounts) => void
    /** A job has ended a round. `name` is of few values, `seconds` null where a round waits until there is something to do. */
    readonly ran: (name: string, seconds: number | null, isFailed: boolean) => void
    /** Everything counted since the start, with how things are at this moment. */
    readonly exposition: (moment: Moment) => Effect.Effect<Exposition>
    /** The same as values, for whoever else is told. */
    readonly families: (moment: Moment) => Effect.Effect<ReadonlyArray<MetricFamily>>
  }
>() {}

import type {
  LiveChange,
  LiveCohort,
  LiveExecution,
  LiveMarkers,
  LiveOpen,
  LiveRejected
} from "../../../schema/live/LiveEvents.ts"
import type { Wire } from "./Wire.ts"

/** What the stream of an environment tells, by the name of the event. */
export interface StreamEvents {
  /** The stream is there, maybe again; what it told before may be missing. */
  readonly open: Wire<LiveOpen>
  readonly markers: Wire<LiveMarkers>
  readonly rejected: Wire<LiveRejected>
  readonly configuration: Wire<LiveChange>
  readonly experiments: Wire<LiveChange>
  readonly cohort: Wire<LiveCohort>
  readonly execution: Wire<LiveExecution>
  /** Changes were missed: whatever rests on them is to be asked again. */
  readonly reset: Wire<LiveChange>
}

import type { Severity } from "./StoreProblem.ts"

/** A file of the server, or a part of it. */
export interface FileSize {
  readonly name: string
  readonly bytes: number
}

/** How the server is while monitoring looks at it. */
export interface Moment {
  readonly version: string
  /** Requests that are not answered, open streams included. */
  readonly requestsInFlight: number
  /** Requests that wait for their turn to begin. */
  readonly requestsWaiting: number
  /** Whether so many markers wait to be stored that further ones are refused. */
  readonly isIngestOverloaded: boolean
  /** Bytes of disk that are free; null where that is not known. */
  readonly freeBytes: number | null
  readonly files: ReadonlyArray<FileSize>
  /** The problems that `/ready` names, counted by severity. */
  readonly problems: Readonly<Record<Severity, number>>
}

export interface NeighbourStart {
  readonly url: string
  readonly key: string
  readonly cookie: string
  readonly applicationId: number
  readonly environmentId: number
}

export const kinds = ["ingest", "evaluate", "poll", "insight"] as const
export type Kind = (typeof kinds)[number]

/** Milliseconds: the longest wait for /health, and the mean of each kind of request. */
export interface NeighbourReport {
  readonly health: number
  readonly means: Readonly<Record<Kind, number>>
  readonly failures: number
}

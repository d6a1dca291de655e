export interface WriterOptions {
  /** A marker id is a duplicate when it was received on the current UTC day or within this many days before. */
  readonly dedupeDays: number
  /** Rows that a type needs at sealing to get a segment of its own; rarer types share one. */
  readonly ownSegmentRows: number
  /** Number of events in the tail at which it is sealed. */
  readonly sealAt: number
  /** Pages in the write-ahead log from which readers make room for emptying it; 64 MiB unless said. */
  readonly longLogFrames?: number
}

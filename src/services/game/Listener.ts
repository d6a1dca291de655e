/** A listening game. The listener itself disconnects a reader that falls too far behind. */
export interface Listener {
  readonly send: (bytes: Uint8Array) => void
  readonly close: () => void
}

/** One that has heard nothing yet. */
export interface NewListener extends Listener {
  /** Sends what was missed, however much that is. */
  readonly begin: (bytes: Uint8Array) => void
}

/** A listening game. The listener itself disconnects a reader that falls too far behind. */
export interface Listener {
  readonly send: (bytes: Uint8Array) => void
  readonly close: () => void
}

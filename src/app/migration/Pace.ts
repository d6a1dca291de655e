import type { Effect } from "effect"

/** Tells whoever waits how far a migration has come. */
export interface Pace {
  /** A part begins, in plain words. */
  readonly begins: (part: string) => Effect.Effect<void>
  /** So many of the part's rows or markers have been brought. */
  readonly reached: (done: number, total: number) => Effect.Effect<void>
}

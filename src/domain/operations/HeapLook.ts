/** How this process was since the look before. */
export interface HeapLook {
  /** The share of the time in which its thread worked, from 0 to 1. */
  readonly busy: number
  /** Bytes of the objects on its heap, with those that nobody needs any more. */
  readonly bytes: number
  /** Milliseconds since 1970. */
  readonly at: number
}

/** What was left when garbage was last collected on purpose; null before the first time. */
export type LastCollection = Pick<HeapLook, "bytes" | "at"> | null

/** A collection keeps the thread for some tens of milliseconds: nobody is to wait for that who does not find the process asleep. */
const quietShare = 0.02
const worthBytes = 16 * 1024 * 1024
const restMillis = 10 * 60_000

/**
 * Whether to collect garbage now. The engine does so by itself only when memory is asked for: a server to which nobody comes would keep what its start,
 * or its last busy hour, has left. True while next to nothing happens, ten minutes after the last time at the earliest, and only where there
 * may be 16 MiB to gain.
 */
export const isTimeToCollect = (look: HeapLook, last: LastCollection): boolean =>
  look.busy <= quietShare &&
  (last === null || (look.at - last.at >= restMillis && look.bytes - last.bytes >= worthBytes))

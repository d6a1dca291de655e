import type { Frame } from "./Scale.ts"
import { bucketX } from "./Scale.ts"

/** Something that is noted on the axis of time. */
export interface ChartNote {
  /** ISO text. */
  readonly at: string
  /** In one line, such as `Economy: Version 4`. */
  readonly text: string
  /** When, and who did it. */
  readonly detail: string
  /** The page of what it is about. */
  readonly address: string
}

/** Notes that are shown as one, because they happened together or too near to each other to be told apart. */
export interface NotePlace {
  readonly x: number
  readonly notes: ReadonlyArray<ChartNote>
}

/** Pixels that two places are apart at least, so that each can be hit. */
export const noteDistance = 24

/** The bucket that holds an instant: the last that begins before it; -1 before the first. */
const bucketOf = (beginnings: ReadonlyArray<number>, instant: number): number =>
  beginnings.findLastIndex((beginning) => beginning <= instant)

/**
 * Where notes stand above the buckets that they fall into, from left to right. Places nearer than `noteDistance` pixels fold into one,
 * which stands in the middle of them. Notes before the first bucket are left out.
 */
export const notePlaces = (
  frame: Frame,
  buckets: ReadonlyArray<string>,
  notes: ReadonlyArray<ChartNote>
): ReadonlyArray<NotePlace> => {
  const beginnings = buckets.map((bucket) => Date.parse(bucket))
  const inOrder = notes.toSorted((one, other) => Date.parse(one.at) - Date.parse(other.at))
  const folds: Array<{ first: number; last: number; notes: Array<ChartNote> }> = []
  for (const note of inOrder) {
    const bucket = bucketOf(beginnings, Date.parse(note.at))
    if (bucket < 0) continue
    const x = bucketX(frame, bucket, buckets.length)
    const fold = folds.at(-1)
    // Measured from the first, so that a long row of notes does not become a single one.
    if (fold !== undefined && x - fold.first < noteDistance) {
      fold.last = x
      fold.notes.push(note)
    } else folds.push({ first: x, last: x, notes: [note] })
  }
  return folds.map(({ first, last, notes: folded }) => ({ x: (first + last) / 2, notes: folded }))
}

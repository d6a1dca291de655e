import type { Control } from "../read/Control.ts"
import type { Selection } from "../read/Selection.ts"

/** The control is told after this many runs of rows. */
const steady = 1024

/** Instants and unit numbers of rows, ordered by time; rows of one instant in any order. Unit 0 is nobody. */
export interface StepRows {
  readonly times: Float64Array
  readonly units: Uint32Array
}

/** The selected rows of one block, read from front to back. */
interface Stream {
  readonly times: Float64Array
  readonly units: Uint32Array
  readonly rows: Uint32Array | null
  readonly to: number
  place: number
}

const headOf = ({ times, rows, place }: Stream): number => times[rows === null ? place : rows[place]!]!

/** Moves the stream at `heap[0]` down to where no stream below it begins earlier. */
const sink = (heap: Array<Stream>, heads: Float64Array, length: number): void => {
  const stream = heap[0]!
  const head = heads[0]!
  let at = 0
  for (let child = 1; child < length; child = 2 * at + 1) {
    if (child + 1 < length && heads[child + 1]! < heads[child]!) child++
    if (head <= heads[child]!) break
    heap[at] = heap[child]!
    heads[at] = heads[child]!
    at = child
  }
  heap[at] = stream
  heads[at] = head
}

/** Longer runs are copied as a whole. */
const shortRun = 16

/** Copies the rows in `[place, end)` of a stream that is a stretch of its block. */
const copyStretch = ({ times, units, place }: Stream, end: number, into: StepRows, count: number): void => {
  into.times.set(times.subarray(place, end), count)
  into.units.set(units.subarray(place, end), count)
}

/** The place after the row at the stream's place and all that follow it up to `bound`. */
const runEnd = ({ times, rows, place, to }: Stream, bound: number): number => {
  let end = place + 1
  if (rows === null) while (end < to && times[end]! <= bound) end++
  else while (end < to && times[rows[end]!]! <= bound) end++
  return end
}

/** Copies one run of the stream to place `count`; answers the place after it. */
const copyRun = (stream: Stream, bound: number, into: StepRows, count: number): number => {
  const { times, units, rows, place } = stream
  const end = bound === Infinity ? stream.to : runEnd(stream, bound)
  if (rows === null && end - place > shortRun) copyStretch(stream, end, into, count)
  else
    for (let at = place; at < end; at++) {
      const row = rows === null ? at : rows[at]!
      into.times[count + at - place] = times[row]!
      into.units[count + at - place] = units[row]!
    }
  stream.place = end
  return count + end - place
}

/** All rows of the selections as one list ordered by time: blocks overlap only where markers came late, so they are merged by runs. */
export const rowsByTime = (selections: ReadonlyArray<Selection>, control: Control): StepRows => {
  const total = selections.reduce((rows, { from, to }) => rows + to - from, 0)
  const into = { times: new Float64Array(total), units: new Uint32Array(total) }
  const heap = selections
    .map(({ block, rows, from, to }): Stream => ({ times: block.times(), units: block.units(), rows, to, place: from }))
    .sort((a, b) => headOf(a) - headOf(b))
  const heads = Float64Array.from(heap, headOf)
  let length = heap.length
  let count = 0
  let told = 0
  for (let runs = 1; length > 0; runs++) {
    const stream = heap[0]!
    const bound = Math.min(length > 1 ? heads[1]! : Infinity, length > 2 ? heads[2]! : Infinity)
    count = copyRun(stream, bound, into, count)
    if (stream.place < stream.to) heads[0] = headOf(stream)
    else {
      heap[0] = heap[--length]!
      heads[0] = heads[length]!
    }
    if (length > 0) sink(heap, heads, length)
    if (runs % steady !== 0) continue
    control.did(count - told)
    told = count
  }
  control.did(count - told)
  return into
}

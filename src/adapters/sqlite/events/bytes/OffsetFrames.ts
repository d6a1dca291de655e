import { bitsFor } from "./BitPacking.ts"

/** Rows that share a base. */
export const frameRows = 64
/** Bits that an exception is taken to cost when a width is chosen: its place, and its whole offset. */
const exceptionBits = 28
/** So many frames are looked at to choose the width. */
const sampledFrames = 32
/** A frame of which no more rows are too far past its least offset begins there. */
const fewExceptions = 4
const mostWidth = 20

/** Offsets as what they are past the base of their frame, in `width` bits; those that do not fit stand aside, and have 0 here. */
export interface OffsetFrames {
  readonly width: number
  readonly bases: Uint32Array
  readonly rest: Uint32Array
  /** The places of the exceptions: the first one, then how far each is past the one before. */
  readonly gaps: Uint32Array
  readonly exceptions: Uint32Array
}

const sortedFrame = (offsets: Uint32Array, frame: number): Uint32Array =>
  offsets.slice(frame * frameRows, (frame + 1) * frameRows).sort()

/** The place in a sorted frame from which most values lie within `2 ** width`, and how many these are. */
const widest = (sorted: Uint32Array, width: number): { readonly first: number; readonly count: number } => {
  const range = 2 ** width
  let [first, count] = [0, 0]
  for (let low = 0, end = 0; low < sorted.length && end < sorted.length; low++) {
    while (end < sorted.length && sorted[end]! - sorted[low]! < range) end++
    if (end - low > count) [first, count] = [low, end - low]
  }
  return { first, count }
}

/** The width that takes the fewest bits, judged by some of the frames. */
const widthOf = (offsets: Uint32Array): number => {
  const frames = Math.ceil(offsets.length / frameRows)
  const costs = new Float64Array(mostWidth + 1)
  const step = Math.max(1, Math.floor(frames / sampledFrames))
  for (let frame = 0; frame < frames; frame += step) {
    const sorted = sortedFrame(offsets, frame)
    for (let width = 0; width <= mostWidth; width++)
      costs[width]! += sorted.length * width + (sorted.length - widest(sorted, width).count) * exceptionBits
  }
  return costs.indexOf(Math.min(...costs))
}

/** The base at which most rows of a frame fit, or nearly so: sorting them takes longer than all the rest. */
const baseOf = (offsets: Uint32Array, frame: number, width: number): number => {
  const [start, end] = [frame * frameRows, Math.min(offsets.length, (frame + 1) * frameRows)]
  let least = offsets[start]!
  for (let row = start; row < end; row++) if (offsets[row]! < least) least = offsets[row]!
  const limit = least + 2 ** width
  let past = 0
  for (let row = start; row < end; row++) if (offsets[row]! >= limit) past++
  if (past <= fewExceptions) return least
  const sorted = sortedFrame(offsets, frame)
  return sorted[widest(sorted, width).first]!
}

/** Patched frames of reference (Zukowski, Heman, Nes, Boncz 2006), with the base at which most rows of a frame need no patch. */
export const framesOf = (offsets: Uint32Array): OffsetFrames => {
  const width = widthOf(offsets)
  const range = 2 ** width
  const bases = new Uint32Array(Math.ceil(offsets.length / frameRows))
  const rest = new Uint32Array(offsets.length)
  const [gaps, exceptions]: [Array<number>, Array<number>] = [[], []]
  let last = 0
  for (let frame = 0; frame < bases.length; frame++) {
    const base = baseOf(offsets, frame, width)
    bases[frame] = base
    for (let row = frame * frameRows; row < Math.min(offsets.length, (frame + 1) * frameRows); row++) {
      const past = offsets[row]! - base
      if (past >= 0 && past < range) rest[row] = past
      else {
        gaps.push(row - last)
        exceptions.push(offsets[row]!)
        last = row
      }
    }
  }
  return { width, bases, rest, gaps: Uint32Array.from(gaps), exceptions: Uint32Array.from(exceptions) }
}

/** The most bits that one of the numbers has. */
export const widthOfAll = (numbers: Uint32Array): number => {
  let most = 0
  for (let at = 0; at < numbers.length; at++) if (numbers[at]! > most) most = numbers[at]!
  return bitsFor(most)
}

/** Turns what `framesOf` left of the offsets, in `rest`, into the offsets. False if an exception lies past their end. */
export const joinFrames = (
  rest: Uint32Array,
  { bases, gaps, exceptions }: Omit<OffsetFrames, "width" | "rest">
): boolean => {
  for (let frame = 0, row = 0; frame < bases.length; frame++) {
    const base = bases[frame]!
    const end = Math.min(rest.length, row + frameRows)
    for (; row < end; row++) rest[row]! += base
  }
  let place = 0
  for (let at = 0; at < gaps.length; at++) {
    place += gaps[at]!
    if (place >= rest.length) return false
    rest[place] = exceptions[at]!
  }
  return true
}

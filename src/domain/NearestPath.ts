import { editDistance } from "./NearestName.ts"

/** A path of the contract. Segments that begin with a colon stand for any. */
export interface KnownPath {
  readonly method: string
  readonly path: string
}

/** Segments of a path, and characters of each, of which anybody looks for a neighbour. */
const mostSegments = 12
const longestSegment = 40

/** What paths may differ by, in all. */
const farthest = 1

/** What a segment too many or too few costs, and one that only says a version. */
const gap = 0.6
const versionGap = 0.3

/** What it costs that a path takes other methods. */
const otherMethod = 0.45

/** What it costs that a segment stands for any: next to nothing for an id, more for a word. */
const anyId = 0.01
const anyWord = 0.45

const isVersion = (segment: string): boolean => /^v\d{1,3}$/i.test(segment)
const isParameter = (segment: string): boolean => segment.startsWith(":")

const gapOf = (segment: string): number => (isVersion(segment) ? versionGap : gap)

const segmentsOf = (path: string): ReadonlyArray<string> => path.split("/").filter((segment) => segment !== "")

/** How far a segment lies from one of a known path: 0 for the same, infinitely far where more than a third of the letters differ. */
const between = (segment: string, known: string): number => {
  if (isParameter(known)) return /\d/.test(segment) ? anyId : anyWord
  if (segment === known) return 0
  if (isVersion(segment) && isVersion(known)) return versionGap
  const most = Math.floor(known.length / 3)
  if (Math.abs(segment.length - known.length) > most) return Infinity
  const distance = editDistance(segment.toLowerCase(), known.toLowerCase())
  return distance > most ? Infinity : distance / (known.length + 1)
}

/** A segment of known paths, which many of them share. */
interface Segment {
  readonly text: string
  readonly gap: number
}

/** A segment that was asked for. How far it lies from each of the known ones is found once. */
class Asked {
  readonly gap: number
  private readonly text: string
  private readonly distances = new Map<Segment, number>()

  constructor(text: string) {
    this.text = text
    this.gap = gapOf(text)
  }

  far(known: Segment): number {
    const found = this.distances.get(known)
    if (found !== undefined) return found
    const distance = between(this.text, known.text)
    this.distances.set(known, distance)
    return distance
  }
}

/** What it costs to make one list of segments of the other; every segment may be exchanged, left out or put in. */
const costOf = (given: ReadonlyArray<Asked>, known: ReadonlyArray<Segment>): number => {
  let last = [0]
  for (const { gap: own } of known) last.push((last.at(-1) ?? 0) + own)
  for (const segment of given) {
    const next = [(last[0] ?? 0) + segment.gap]
    for (let at = 0; at < known.length; at++) {
      const wanted = known[at]
      if (wanted === undefined) break
      const exchanged = (last[at] ?? 0) + segment.far(wanted)
      const leftOut = (last[at + 1] ?? 0) + segment.gap
      next.push(Math.min(exchanged, leftOut, (next[at] ?? 0) + wanted.gap))
    }
    last = next
  }
  return last[known.length] ?? Infinity
}

/** Finds the path that was meant. */
export class NearestPaths<Known extends KnownPath> {
  private readonly all: ReadonlyArray<{ readonly known: Known; readonly segments: ReadonlyArray<Segment> }>

  constructor(all: ReadonlyArray<Known>) {
    const shared = new Map<string, Segment>()
    const segmentOf = (written: string): Segment => {
      const text = isParameter(written) ? ":" : written
      const segment = shared.get(text) ?? { text, gap: gapOf(text) }
      shared.set(text, segment)
      return segment
    }
    this.all = all.map((known) => ({ known, segments: segmentsOf(known.path).map(segmentOf) }))
  }

  /**
   * The known path that somebody most likely meant by one that is unknown, the same method first; undefined where none is near. The work is
   * bounded: each pair of segments is compared once, and long paths are not looked at.
   */
  find(method: string, path: string): Known | undefined {
    const written = segmentsOf(path.slice(0, mostSegments * (longestSegment + 1) + 1))
    if (written.length === 0 || written.length > mostSegments) return undefined
    if (written.some((segment) => segment.length > longestSegment)) return undefined
    const given = written.map((segment) => new Asked(segment))
    let nearest: Known | undefined
    let least = farthest
    for (const { known, segments } of this.all) {
      const apart = Math.abs(segments.length - given.length)
      const aside = known.method === method ? 0 : otherMethod
      if (aside + apart * versionGap >= least) continue
      const total = costOf(given, segments) + aside
      if (total >= least) continue
      least = total
      nearest = known
    }
    return nearest
  }
}

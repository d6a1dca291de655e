import { FunnelTally } from "./FunnelTally.ts"
import type { Mark } from "./UnitRows.ts"

const largestState = 2 ** 24

interface Stream {
  readonly step: number
  readonly times: Float64Array
  readonly units: Uint32Array
  readonly rows: Uint32Array | null
  readonly to: number
  place: number
  /** Time of the row at `place`. */
  head: number
}

/**
 * Ordered funnels whose markers each match one step: all markers in order of time, those of an instant in order of steps, with the
 * attempts of every unit in typed arrays. Attempt k of a unit is its latest start of which the first k steps are matched.
 */
export class FunnelMerge {
  private readonly steps: number
  private readonly window: number
  /** Times of the path of attempt k at k(k - 1)/2, the first of which is its start; then of the best attempt. */
  private readonly paths: Float64Array
  private readonly best: Uint8Array
  private readonly width: number

  constructor(steps: number, window: number, units: number) {
    this.steps = steps
    this.window = window
    this.width = (steps * (steps + 1)) / 2 + steps
    this.paths = new Float64Array(this.width * units).fill(-Infinity)
    this.best = new Uint8Array(units)
  }

  /** Whether the attempts of so many units and steps fit in memory. */
  static fits(steps: number, units: number): boolean {
    return ((steps * (steps + 1)) / 2 + steps) * units <= largestState
  }

  /** `bits` of a mark is that of its one step. */
  run(marks: ReadonlyArray<Mark>): FunnelTally {
    const waiting = marks
      .map(({ selection: { block, rows, from, to }, bits }): Stream => {
        const times = block.times()
        const head = times[rows === null ? from : rows[from]!]!
        return { step: 31 - Math.clz32(bits), times, units: block.units(), rows, to, place: from, head }
      })
      .sort((a, b) => b.head - a.head)
    const active: Array<Stream> = []
    while (active.length > 0 || waiting.length > 0) this.next(active, waiting)
    return this.tally()
  }

  /** Advances the earliest stream up to the head of the second. */
  private next(active: Array<Stream>, waiting: Array<Stream>): void {
    let first = 0
    let least = Infinity
    let second = Infinity
    for (let at = 0; at < active.length; at++) {
      const { head, step } = active[at]!
      if (head < least || (head === least && step < active[first]!.step)) {
        second = least
        least = head
        first = at
      } else if (head < second) second = head
    }
    const pending = waiting.length === 0 ? Infinity : waiting[waiting.length - 1]!.head
    if (pending <= least) {
      active.push(waiting.pop()!)
      return
    }
    this.advance(active[first]!, second < pending ? second : pending)
    if (active[first]!.place < active[first]!.to) return
    active[first] = active[active.length - 1]!
    active.pop()
  }

  /** Takes one marker of the stream, and those after it before the bound. */
  private advance(stream: Stream, bound: number): void {
    const { step, times, units, rows, to } = stream
    let { place, head } = stream
    do {
      const unit = units[rows === null ? place : rows[place]!]!
      if (unit !== 0) this.match(unit, step, head)
      if (++place < to) head = times[rows === null ? place : rows[place]!]!
    } while (place < to && head < bound)
    stream.place = place
    stream.head = head
  }

  private match(unit: number, step: number, time: number): void {
    const { paths, best } = this
    if (best[unit] === this.steps) return
    const base = unit * this.width
    const from = base + (step * (step - 1)) / 2
    const into = base + ((step + 1) * step) / 2
    const start = step === 0 ? time : paths[from]!
    if (time - start > this.window || paths[into] === start) return
    for (let at = 0; at < step; at++) paths[into + at] = paths[from + at]!
    paths[into + step] = time
    if (step + 1 <= best[unit]!) return
    best[unit] = step + 1
    const kept = base + (this.steps * (this.steps + 1)) / 2
    for (let at = 0; at <= step; at++) paths[kept + at] = paths[into + at]!
  }

  private tally(): FunnelTally {
    const tally = new FunnelTally(this.steps)
    for (let unit = 1; unit < this.best.length; unit++) {
      const kept = unit * this.width + (this.steps * (this.steps + 1)) / 2
      for (let step = 0; step < this.best[unit]!; step++)
        tally.addStep(step, step === 0 ? null : this.paths[kept + step]! - this.paths[kept + step - 1]!)
    }
    return tally
  }
}

import { FunnelTally } from "./FunnelTally.ts"
import type { Control } from "../read/Control.ts"
import type { Mark } from "./UnitRows.ts"

/** Most numbers that `FunnelMerge` keeps for all units together; 128 MB as doubles. */
const maxStateNumbers = 2 ** 24

/** Turns after which the control is told. */
const steady = 1024

/** The rows of one step in one block, read from front to back. */
interface Stream {
  readonly step: number
  readonly times: Float64Array
  readonly units: Uint32Array
  readonly rows: Uint32Array | null
  readonly to: number
  place: number
  /** Timestamp of the row at `place`. */
  head: number
}

/**
 * Answers ordered funnels in which each marker matches exactly one step. Merges all rows by time (rows of one instant
 * by step) and keeps each unit's attempts in typed arrays. Attempt k of a unit is its latest start from which the first
 * k steps have been matched.
 */
export class FunnelMerge {
  private readonly steps: number
  private readonly window: number
  /**
   * For each unit: the timestamps of attempt k from place k(k - 1)/2 on, the first being its start; after them those of
   * the best attempt.
   */
  private readonly paths: Float64Array
  private readonly best: Uint8Array
  private readonly width: number
  /** Rows gone through that the control has not been told of. */
  private gone = 0

  constructor(steps: number, window: number, units: number) {
    this.steps = steps
    this.window = window
    this.width = (steps * (steps + 1)) / 2 + steps
    this.paths = new Float64Array(this.width * units).fill(-Infinity)
    this.best = new Uint8Array(units)
  }

  /** Whether the attempts of this many units and steps fit in memory. */
  static fits(steps: number, units: number): boolean {
    return ((steps * (steps + 1)) / 2 + steps) * units <= maxStateNumbers
  }

  /** Each mark must carry the bit of one step. */
  run(marks: ReadonlyArray<Mark>, control: Control): FunnelTally {
    control.follow(marks.reduce((rows, { selection }) => rows + selection.to - selection.from, 0))
    const waiting = marks
      .map(({ selection: { block, rows, from, to }, bits }): Stream => {
        const times = block.times()
        const head = times[rows === null ? from : rows[from]!]!
        return { step: 31 - Math.clz32(bits), times, units: block.units(), rows, to, place: from, head }
      })
      .sort((a, b) => b.head - a.head)
    const active: Array<Stream> = []
    let steps = 0
    while (active.length > 0 || waiting.length > 0) {
      this.next(active, waiting)
      if (++steps % steady !== 0) continue
      control.did(this.gone)
      this.gone = 0
    }
    return this.tally()
  }

  /** Finds the stream whose head is earliest, and advances it up to the head of the second earliest. */
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

  /** Takes one row of the stream, and all that follow it before `bound`. */
  private advance(stream: Stream, bound: number): void {
    const { step, times, units, rows, to } = stream
    let { place, head } = stream
    do {
      const unit = units[rows === null ? place : rows[place]!]!
      if (unit !== 0) this.match(unit, step, head)
      if (++place < to) head = times[rows === null ? place : rows[place]!]!
    } while (place < to && head < bound)
    this.gone += place - stream.place
    stream.place = place
    stream.head = head
  }

  /** Matches a unit's row at `step`: extends the attempt that has all steps before it, if the window allows. */
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

import type { Control } from "../../read/Control.ts"
import { rowsByTime, type StepRows } from "../StepRows.ts"
import type { Selection } from "../../read/Selection.ts"

/**
 * The rows that matched one step, ordered by time. Level 0 is every row of the first step; in the others, rows of one
 * unit belong to different attempts.
 */
interface Level {
  readonly times: Float64Array
  readonly units: Uint32Array
  /** The place in the level before of the row that each row extends. */
  readonly extended: Uint32Array
  readonly length: number
}

/** A level, and when the attempt of each of its rows began: only the next level needs to know that. */
interface Attempts {
  readonly level: Level
  readonly starts: Float64Array
}

/** By unit number, what is known while the rows of a step are matched. */
class Units {
  /** Steps that the unit has reached. */
  readonly reached: Uint8Array
  /** The place of the first row by which it has reached the last of them. */
  readonly first: Uint32Array
  /** The start of its latest attempt that the step can extend, NaN for none, and the place of that in the level before. */
  readonly latest: Float64Array

  constructor(units: number) {
    this.reached = new Uint8Array(units)
    this.first = new Uint32Array(units)
    this.latest = new Float64Array(2 * units)
  }
}

const firstLevel = ({ times, units }: StepRows, { reached, first }: Units): Attempts => {
  for (let at = units.length - 1; at >= 0; at--) {
    reached[units[at]!] = 1
    first[units[at]!] = at
  }
  reached[0] = 0
  return { level: { times, units, extended: new Uint32Array(0), length: times.length }, starts: times }
}

/**
 * The rows that match step `step`: an attempt that begins at `start` is extended up to `start + window`. Of two attempts
 * the later one is extended, each once. Overwrites `rows`, of which the level is made.
 */
const nextLevel = (before: Attempts, rows: StepRows, window: number, step: number, all: Units): Attempts => {
  const { times, units } = rows
  const { reached, first, latest } = all
  const { times: earlier, units: own, length: known } = before.level
  const ownStarts = new Float64Array(times.length)
  const extended = new Uint32Array(times.length)
  latest.fill(NaN)
  let length = 0
  for (let at = 0, last = 0; at < times.length; at++) {
    const time = times[at]!
    for (; last < known && earlier[last]! <= time; last++) {
      const unit = own[last]!
      const start = before.starts[last]!
      // Of two rows of the first step at one instant only the first begins an attempt. Unit 0 stands for no unit.
      if (latest[2 * unit] === start || unit === 0) continue
      latest[2 * unit] = start
      latest[2 * unit + 1] = last
    }
    const unit = units[at]!
    const start = latest[2 * unit]!
    if (!(time - start <= window)) continue
    times[length] = time
    units[length] = unit
    ownStarts[length] = start
    extended[length] = latest[2 * unit + 1]!
    latest[2 * unit] = NaN
    if (reached[unit]! <= step) {
      reached[unit] = step + 1
      first[unit] = length
    }
    length++
  }
  return { level: { times, units, extended, length }, starts: ownStarts }
}

/**
 * Answers ordered funnels in which each marker matches exactly one step, step by step: the rows of a step, and those
 * that have matched the steps before it, are merged by time, with the latest attempt of each unit in typed arrays. Rows
 * of one instant count by step.
 */
export class FunnelLevels {
  private readonly levels: Array<Level> = []
  private readonly units: Units

  /** `steps` holds the rows of each step. */
  constructor(steps: ReadonlyArray<ReadonlyArray<Selection>>, window: number, units: number, control: Control) {
    this.units = new Units(units)
    const total = steps.flat().reduce((rows, { from, to }) => rows + to - from, 0)
    control.follow(2 * total)
    let attempts: Attempts | null = null
    for (const [step, selections] of steps.entries()) {
      const rows = rowsByTime(selections, control)
      attempts = attempts === null ? firstLevel(rows, this.units) : nextLevel(attempts, rows, window, step, this.units)
      this.levels.push(attempts.level)
      control.did(rows.times.length)
    }
  }

  get steps(): number {
    return this.levels.length
  }

  /** By unit number, how many steps it has reached. */
  get reached(): Uint8Array {
    return this.units.reached
  }

  /** Writes the time of each step that the unit has reached. */
  timesOf(unit: number, times: Float64Array): void {
    const { reached, first } = this.units
    for (let level = reached[unit]! - 1, at = first[unit]!; level >= 0; level--) {
      const { times: instants, extended } = this.levels[level]!
      times[level] = instants[at]!
      at = extended[at]!
    }
  }

  /**
   * Calls `take` once for each unit that has reached a step, in ascending order of number, with the number of steps and the time of each; the
   * array is reused for the next unit.
   */
  each(take: (unit: number, reached: number, times: Float64Array) => void): void {
    const { reached } = this.units
    const times = new Float64Array(this.levels.length)
    for (let unit = 1; unit < reached.length; unit++) {
      if (reached[unit] === 0) continue
      this.timesOf(unit, times)
      take(unit, reached[unit]!, times)
    }
  }
}

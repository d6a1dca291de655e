import { exactSumOf, rounding } from "../read/ExactSums.ts"

/** Of how many values of a unit the two running sums are guaranteed not to round. */
const mostValues = 4096
/** Every value is less than this many steps. */
const largestSteps = 2 ** 40
/** What is left of a value of at least this many steps is coarse enough for many of them to be summed without rounding. */
const leastSteps = 2 ** 11
/** Between them neither the values nor the step is near where doubles lose precision. */
const [smallestMaximum, largestMaximum] = [2 ** -900, 2 ** 900]

/**
 * A power of two by which values whose sizes are at most `maximum` are split into a whole number of such steps and the rest, so that
 * `mostValues` of the numbers of steps, and as many of the rests, are summed without rounding. Null where the values are too large or small.
 */
export const stepFor = (maximum: number): number | null => {
  if (maximum === 0) return 1
  if (!(maximum > smallestMaximum && maximum < largestMaximum)) return null
  return 2 ** (Math.floor(Math.log2(maximum)) + 2) / largestSteps
}

/** In how many groups a unit may be before those of its other markers are found too slowly. */
const mostGroups = 16

const firstSlots = 1024
const [countPlace, stepsPlace, restPlace, placesOfSlot] = [0, 1, 2, 3]

/**
 * The sum of the values of each unit in each group, without rounding, for the mean of the units' means. Most units have one or two values a day,
 * for which to put a unit's values beside each other and to sum them by partial sums takes several times as long. `isExact` tells whether
 * the sums still are what they should be: otherwise whoever asks has to take that way.
 */
export class UnitSums {
  isExact = true
  private readonly step: number
  private readonly stepsPer: number
  private readonly least: number
  /** By unit number, its newest slot; 0 for none. A slot is a unit in a group. */
  private readonly newest: Uint32Array
  private slots = 1
  /** By slot: its unit, its group, and the slot of the unit before it. */
  private units = new Uint32Array(firstSlots)
  private groups = new Uint32Array(firstSlots)
  private earlier = new Uint32Array(firstSlots)
  /** By slot: the count of values, the sum of their steps and that of the rests. */
  private sums = new Float64Array(firstSlots * placesOfSlot)

  constructor(units: number, step: number) {
    this.newest = new Uint32Array(units)
    this.step = step
    this.stepsPer = 1 / step
    this.least = step * leastSteps
  }

  get bytes(): number {
    return this.newest.byteLength + 3 * this.units.byteLength + this.sums.byteLength
  }

  add(unit: number, group: number, value: number): void {
    const steps = value * this.stepsPer + rounding - rounding
    const rest = value - steps * this.step
    if (rest !== 0 && value < this.least && -value < this.least) this.isExact = false
    this.addTo(this.slotOf(unit, group), 1, steps, rest)
  }

  /** Adds what other sums of the same step are of. */
  addAll({ slots, units, groups, sums }: UnitSums): void {
    for (let slot = 1, from = placesOfSlot; slot < slots; slot++, from += placesOfSlot) {
      const own = this.slotOf(units[slot]!, groups[slot]!)
      this.addTo(own, sums[from + countPlace]!, sums[from + stepsPlace]!, sums[from + restPlace]!)
    }
  }

  /** By group, the mean of the means of its units; NaN where it has none. */
  averages(groupCount: number): Float64Array {
    const { slots, groups } = this
    const starts = new Uint32Array(groupCount + 1)
    for (let slot = 1; slot < slots; slot++) starts[groups[slot]! + 1]!++
    for (let group = 1; group <= groupCount; group++) starts[group]! += starts[group - 1]!
    const means = this.meansFrom(starts.slice())
    return Float64Array.from({ length: groupCount }, (_, group) => {
      const own = means.subarray(starts[group], starts[group + 1])
      return exactSumOf(own) / own.length
    })
  }

  clear(): void {
    const { newest, units, slots } = this
    for (let slot = 1; slot < slots; slot++) newest[units[slot]!] = 0
    this.sums.fill(0, 0, slots * placesOfSlot)
    this.slots = 1
  }

  /** The means of units by group, those of each from its place in `next` on. */
  private meansFrom(next: Uint32Array): Float64Array {
    const { slots, groups, sums, step } = this
    const means = new Float64Array(slots - 1)
    for (let slot = 1, at = placesOfSlot; slot < slots; slot++, at += placesOfSlot)
      means[next[groups[slot]!]!++] = (sums[at + stepsPlace]! * step + sums[at + restPlace]!) / sums[at + countPlace]!
    return means
  }

  private addTo(slot: number, count: number, steps: number, rest: number): void {
    const { sums } = this
    const at = slot * placesOfSlot
    const total = sums[at + countPlace]! + count
    if (total > mostValues) this.isExact = false
    sums[at + countPlace] = total
    sums[at + stepsPlace]! += steps
    sums[at + restPlace]! += rest
  }

  private slotOf(unit: number, group: number): number {
    const { groups, earlier } = this
    let slot = this.newest[unit]!
    for (let looked = 0; slot !== 0; slot = earlier[slot]!, looked++) {
      if (groups[slot] === group) return slot
      if (looked < mostGroups) continue
      this.isExact = false
      return slot
    }
    return this.newSlot(unit, group)
  }

  private newSlot(unit: number, group: number): number {
    const slot = this.slots++
    if (slot === this.units.length) this.grow()
    this.units[slot] = unit
    this.groups[slot] = group
    this.earlier[slot] = this.newest[unit]!
    this.newest[unit] = slot
    return slot
  }

  private grow(): void {
    const room = this.units.length * 2
    const grown = (numbers: Uint32Array) => {
      const larger = new Uint32Array(room)
      larger.set(numbers)
      return larger
    }
    ;[this.units, this.groups, this.earlier] = [grown(this.units), grown(this.groups), grown(this.earlier)]
    const sums = new Float64Array(room * placesOfSlot)
    sums.set(this.sums)
    this.sums = sums
  }
}

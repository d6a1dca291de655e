import { exactSum } from "../../analytics/insight/Sum.ts"

/** Sums of units by interval of a length in ms, of which the largest is the total of a unit. */
export class IntervalTotals {
  private readonly length: number
  private readonly values = new Map<number, Map<number, Array<number>>>()

  constructor(length: number) {
    this.length = length
  }

  /** Adds a value at so many ms after the beginning of the unit's time. */
  add(unit: number, after: number, value: number): void {
    const interval = Math.floor(after / this.length)
    let own = this.values.get(unit)
    if (own === undefined) this.values.set(unit, (own = new Map()))
    const known = own.get(interval)
    if (known === undefined) own.set(interval, [value])
    else known.push(value)
  }

  /** 0 for a unit without values. */
  total(unit: number): number {
    const sums = Array.from(this.values.get(unit)?.values() ?? [], exactSum)
    return sums.length === 0 ? 0 : Math.max(...sums)
  }
}

import { pageOfIds, type UnitPaging } from "../../../../domain/analytics/question/UnitList.ts"
import type { Environment } from "./Snapshot.ts"

/** By unit number, how many rows count and when the last of them was. */
export class UnitTally {
  readonly counts: Float64Array
  /** Epoch ms. */
  readonly last: Float64Array
  private readonly environment: Environment

  constructor(environment: Environment) {
    this.environment = environment
    this.counts = new Float64Array(environment.units)
    this.last = new Float64Array(environment.units).fill(-Infinity)
  }

  /** Counts a row; unit 0 is nobody. */
  add(unit: number, time: number): void {
    if (unit === 0) return
    this.counts[unit]!++
    if (time > this.last[unit]!) this.last[unit] = time
  }

  /** The counted units of a page by name, with their numbers, and how many there are in all. */
  page(paging: UnitPaging): { readonly total: number; readonly units: ReadonlyArray<readonly [string, number]> } {
    const numbers = new Map<string, number>()
    for (let unit = 1; unit < this.counts.length; unit++)
      if (this.counts[unit]! > 0) numbers.set(this.environment.unitName(unit) ?? "", unit)
    const units = pageOfIds([...numbers.keys()], paging).map((name) => [name, numbers.get(name)!] as const)
    return { total: numbers.size, units }
  }
}

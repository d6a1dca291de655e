import type { UnitPaging } from "../../../../domain/analytics/question/UnitList.ts"
import type { NamedUnit } from "../file/UnitOrder.ts"
import type { Environment } from "./Snapshot.ts"
import { pageOfUnitNumbers } from "./UnitPage.ts"

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

  /** The counted units of a page, and how many there are in all. */
  page(paging: UnitPaging): { readonly total: number; readonly units: ReadonlyArray<NamedUnit> } {
    let total = 0
    for (let unit = 1; unit < this.counts.length; unit++) total += Number(this.counts[unit]! > 0)
    return { total, units: pageOfUnitNumbers(this.counts, total, paging, this.environment) }
  }
}

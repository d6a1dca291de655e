import { firstPlace } from "../../../../domain/FirstPlace.ts"
import { playerOrder, sortKeys } from "../../../../domain/analytics/players/PlayerOrder.ts"
import type { PlayerPlace, PlayersPlan } from "../../../../domain/analytics/players/PlayersPlan.ts"
import type { Snapshot } from "../read/Snapshot.ts"
import type { UnitTotals } from "./UnitTotals.ts"

/** Units between two looks at whether the question was cancelled. */
const unitsAtOnce = 65_536

/** A unit's place in an order; its name is looked up only where the numbers leave it open. */
class UnitPlace implements PlayerPlace {
  readonly unit: number
  private readonly totals: UnitTotals
  private readonly nameOf: (unit: number) => string
  private name: string | null = null

  constructor(unit: number, totals: UnitTotals, nameOf: (unit: number) => string) {
    this.unit = unit
    this.totals = totals
    this.nameOf = nameOf
  }

  get unitId(): string {
    return (this.name ??= this.nameOf(this.unit))
  }

  get firstSeenAt(): number {
    return this.totals.first[this.unit]!
  }

  get lastSeenAt(): number {
    return this.totals.last[this.unit]!
  }

  get markerCount(): number {
    return this.totals.counts[this.unit]!
  }
}

type Compare = (a: PlayerPlace, b: PlayerPlace) => number

const placeIn = (best: ReadonlyArray<PlayerPlace>, place: PlayerPlace, compare: Compare): number =>
  firstPlace(best.length, (at) => compare(best[at]!, place) >= 0)

/** The first places after the plan's, by numbers: only those are kept that are among the first so far. */
const byNumbers = (plan: PlayersPlan, totals: UnitTotals, flags: Uint8Array, most: number, snapshot: Snapshot) => {
  const { environment, control } = snapshot
  const { after, direction, sort } = plan
  const nameOf = (unit: number) => environment.unitName(unit) ?? ""
  const compare = playerOrder(plan)
  const [key = "lastSeenAt"] = sortKeys[sort]
  const values = { firstSeenAt: totals.first, lastSeenAt: totals.last, markerCount: totals.counts }[key]
  const isAscending = direction === "ascending"
  const best: Array<UnitPlace> = []
  for (let unit = 1; unit < flags.length; unit++) {
    if (unit % unitsAtOnce === 0) control.did(0)
    if (flags[unit] === 0) continue
    const worst = best.length === most ? best[most - 1]! : undefined
    if (worst !== undefined && (isAscending ? values[unit]! > worst[key] : values[unit]! < worst[key])) continue
    if (after !== null && (isAscending ? values[unit]! < after[key] : values[unit]! > after[key])) continue
    const place = new UnitPlace(unit, totals, nameOf)
    if (after !== null && compare(place, after) <= 0) continue
    if (worst !== undefined && compare(place, worst) >= 0) continue
    best.splice(placeIn(best, place, compare), 0, place)
    if (best.length > most) best.pop()
  }
  return best
}

/** The first places after the plan's, by ids: the dictionary is read in their order, as far as the page needs. */
const byIds = (plan: PlayersPlan, totals: UnitTotals, flags: Uint8Array, most: number, snapshot: Snapshot) => {
  const { environment, control } = snapshot
  const { prefix, direction } = plan
  const found: Array<UnitPlace> = []
  let looked = 0
  for (const { unit, name } of environment.unitsInOrder({ prefix, direction, after: plan.after?.unitId ?? null })) {
    if (++looked % unitsAtOnce === 0) control.did(0)
    if (flags[unit] === 1) found.push(new UnitPlace(unit, totals, () => name))
    if (found.length === most) break
  }
  return found
}

/** At most `most` flagged units after the plan's place, in its order. */
export const pageOf = (plan: PlayersPlan, totals: UnitTotals, flags: Uint8Array, most: number, snapshot: Snapshot) =>
  (plan.sort === "unitId" ? byIds : byNumbers)(plan, totals, flags, most, snapshot)

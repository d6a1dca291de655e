import type { Range } from "../../../domain/analytics/Buckets.ts"
import type { UnitGroups } from "../../../domain/analytics/Breakdown.ts"
import type { Filter, MembershipCondition } from "../../../domain/analytics/Filter.ts"
import type { Selector } from "../../../domain/analytics/Selector.ts"
import type { Activity } from "./Activity.ts"
import type { Control } from "./Control.ts"
import { select, type Selection, Wanted } from "./Selection.ts"
import type { Slab } from "./Slab.ts"
import type { Names } from "./StoredSegments.ts"

/** All markers of one environment at one moment, as slabs, and the names behind their numbers. */
export interface Environment {
  readonly slabs: ReadonlyArray<Slab>
  /** The two kinds of them. */
  readonly sealed: ReadonlyArray<Slab>
  readonly tail: ReadonlyArray<Slab>
  /** One more than the highest number of a unit, and of a session. */
  readonly units: number
  readonly sessions: number
  readonly highestSequence: number
  /** Null when sealed markers are left out. */
  activity(): Activity | null
  unitId(name: string): number | undefined
  unitName(id: number): string | null
  names(sequences: ReadonlyArray<number>): Names
}

/** What the scans of one question share. */
export class Snapshot {
  readonly environment: Environment
  readonly control: Control
  private readonly members = new Map<string, Uint8Array>()

  constructor(environment: Environment, control: Control) {
    this.environment = environment
    this.control = control
  }

  /** The matching rows of every slab, by slab. */
  selectAll(types: ReadonlyArray<string> | null, filters: ReadonlyArray<Filter>, range: Range): Array<Selection> {
    const wanted = new Wanted(types, filters)
    const found: Array<Selection> = []
    for (const slab of this.environment.slabs) {
      const selection = select(slab, wanted, range, this.membership)
      if (selection === null) continue
      this.control.advance(slab.rows)
      found.push(selection)
    }
    return found
  }

  selectBy(selector: Selector, filter: Filter, range: Range): Array<Selection> {
    return this.selectAll(selector.types, [filter, selector.filter], range)
  }

  /** The value of each unit's group, by number. */
  groupsOf<Value>({ groups, otherwise }: UnitGroups, codeOf: (value: UnitGroups["otherwise"]) => Value): Array<Value> {
    const codes = Array.from({ length: this.environment.units }, () => codeOf(otherwise))
    for (const [name, value] of groups) {
      const id = this.environment.unitId(name)
      if (id !== undefined) codes[id] = codeOf(value)
    }
    return codes
  }

  readonly membership = ({ members }: MembershipCondition): Uint8Array => {
    const known = this.members.get(members.key)
    if (known !== undefined) return known
    const flags = new Uint8Array(this.environment.units)
    for (const name of members.units) {
      const id = this.environment.unitId(name)
      if (id !== undefined) flags[id] = 1
    }
    this.members.set(members.key, flags)
    return flags
  }
}

import type { Range } from "../../../../domain/analytics/time/Buckets.ts"
import type { Dimension, UnitGroups } from "../../../../domain/analytics/filter/Breakdown.ts"
import type { Scalar } from "../../../../domain/analytics/markers/Event.ts"
import type {
  CohortReference,
  ExperimentReference,
  Filter,
  UnitSet
} from "../../../../domain/analytics/filter/Filter.ts"
import { exposureType } from "../../../../domain/analytics/filter/Memberships.ts"
import type { Selector } from "../../../../domain/analytics/filter/Selector.ts"
import type { Activity } from "../file/Activity.ts"
import type { Membership } from "./Condition.ts"
import type { Control } from "./Control.ts"
import { scanExposures } from "./ExposureScan.ts"
import { select, type Selection, Wanted } from "./Selection.ts"
import type { RowBlock } from "../file/RowBlock.ts"
import type { Names } from "../file/StoredSegments.ts"

/** All markers of one environment at one moment, as blocks, and the names behind their numbers. */
export interface Environment {
  readonly blocks: ReadonlyArray<RowBlock>
  /** The two kinds of them. */
  readonly sealed: ReadonlyArray<RowBlock>
  readonly tail: ReadonlyArray<RowBlock>
  /** One more than the highest number of a unit, and of a session. */
  readonly units: number
  readonly sessions: number
  readonly highestSequence: number
  /** Null when sealed markers are left out. */
  activity(): Activity | null
  unitId(name: string): number | undefined
  unitName(id: number): string | null
  names(sequences: ReadonlyArray<number>): Names
  /** Units from this number on are not in the dictionary yet. */
  readonly firstUnstored: number
  /** The number here of a unit of the dictionary, 0 for one without markers that came to it later. */
  numberOf(stored: number): number
  /** The revision of the members of a cohort, 0 for none. */
  revisionOf(cohortId: number): number
  /** A flag for each unit that is a member now. */
  cohort(id: number): Uint8Array
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

  /** The matching rows of every block, by block. */
  selectAll(types: ReadonlyArray<string> | null, filters: ReadonlyArray<Filter>, range: Range): Array<Selection> {
    const wanted = new Wanted(types, filters, this.environment.revisionOf)
    const found: Array<Selection> = []
    for (const block of this.environment.blocks) {
      const selection = select(block, wanted, range, this.membership)
      if (selection === null) continue
      this.control.advance(block.rows)
      found.push(selection)
    }
    return found
  }

  selectBy(selector: Selector, filter: Filter, range: Range): Array<Selection> {
    return this.selectAll(selector.types, [filter, selector.filter], range)
  }

  /** The group of each unit, by number, of a dimension that is not the markers' own; null of one that is. */
  unitCodes<Value>(dimension: Dimension, codeOf: (value: Scalar | null) => Value): ReadonlyArray<Value> | null {
    if ("groups" in dimension) return this.codesOf(dimension.groups, codeOf)
    if (dimension.source === "cohort") {
      const members = this.environment.cohort(dimension.cohortId)
      return Array.from(members, (flag) => codeOf(flag === 1 ? "in" : "not in"))
    }
    if (dimension.source !== "experiment") return null
    return Array.from(this.exposures(dimension.experimentId), (group) => codeOf(Number.isNaN(group) ? null : group))
  }

  /** The dimension with the groups of its units by name, for the pure functions. */
  named(dimension: Dimension): Dimension {
    if ("groups" in dimension || dimension.source === "argument" || dimension.source === "property") return dimension
    const { source, name } = dimension
    const values = this.unitCodes(dimension, (value) => value) ?? []
    const otherwise = source === "cohort" ? "not in" : null
    const groups = new Map<string, Scalar>()
    for (const [unit, value] of values.entries()) {
      const unitId = value === null || value === otherwise ? null : this.environment.unitName(unit)
      if (unitId !== null && value !== null) groups.set(unitId, value)
    }
    return { source, name, groups: { key: name, groups, otherwise } }
  }

  readonly membership: Membership = (condition) => {
    if ("members" in condition) return this.flagsOf(condition.members)
    const key = JSON.stringify({ ...condition, isIn: true })
    const known = this.members.get(key)
    if (known !== undefined) return known
    const flags = condition.source === "cohort" ? this.ofCohorts(condition) : this.ofExperiment(condition)
    this.members.set(key, flags)
    return flags
  }

  private ofCohorts({ cohortIds }: CohortReference): Uint8Array {
    const flags = new Uint8Array(this.environment.units)
    for (const id of cohortIds) {
      const own = this.environment.cohort(id)
      for (let unit = 0; unit < flags.length; unit++) flags[unit]! |= own[unit]!
    }
    return flags
  }

  private ofExperiment({ experimentId, groupIds }: ExperimentReference): Uint8Array {
    const wanted = new Set<number>(groupIds)
    return Uint8Array.from(this.exposures(experimentId), (group) =>
      !Number.isNaN(group) && (wanted.size === 0 || wanted.has(group)) ? 1 : 0
    )
  }

  private exposures(experimentId: number): Float64Array {
    const found = this.selectAll([exposureType], [], { from: -Infinity, to: Infinity })
    return scanExposures(found, experimentId, this.environment.units)
  }

  private codesOf<Value>({ groups, otherwise }: UnitGroups, codeOf: (value: Scalar | null) => Value): Array<Value> {
    const codes = Array.from({ length: this.environment.units }, () => codeOf(otherwise))
    for (const [name, value] of groups) {
      const id = this.environment.unitId(name)
      if (id !== undefined) codes[id] = codeOf(value)
    }
    return codes
  }

  private flagsOf(members: UnitSet): Uint8Array {
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

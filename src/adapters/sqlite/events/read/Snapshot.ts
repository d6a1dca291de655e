import type { TimeSpan } from "../../../../domain/analytics/time/Buckets.ts"
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
import type { WorkingMemory } from "../file/ColumnCache.ts"
import type { Membership } from "./Condition.ts"
import type { Control } from "./Control.ts"
import { scanExposures } from "./ExposureScan.ts"
import { select, type Selection, Wanted } from "./Selection.ts"
import type { RowBlock } from "../file/RowBlock.ts"
import type { NamedUnit, UnitOrder } from "../file/UnitOrder.ts"
import type { Names } from "../file/StoredSegments.ts"

/** All markers of one environment at one moment, as blocks of rows, and the names behind their numbers. */
export interface Environment {
  readonly blocks: ReadonlyArray<RowBlock>
  /** The blocks of segments. */
  readonly sealed: ReadonlyArray<RowBlock>
  /** The blocks of the tail. */
  readonly tail: ReadonlyArray<RowBlock>
  /** One more than the highest unit number (session number), so arrays by number have this length. */
  readonly units: number
  readonly sessions: number
  readonly highestSequence: number
  /** Null when damaged segments are left out, because activity still counts the units in them. */
  activity(): Activity | null
  unitId(name: string): number | undefined
  unitName(id: number): string | null
  /** The numbers of the units whose id begins with the prefix. */
  unitsStarting(prefix: string): ReadonlyArray<number>
  /** Units in the order of their ids; a reader may stop early. */
  unitsInOrder(order: UnitOrder): Iterable<NamedUnit>
  names(sequences: ReadonlyArray<number>): Names
  /** Unit numbers from this one on belong to the tail: they are not in the dictionary yet. */
  readonly firstUnstored: number
  /** This environment's number for a unit of the dictionary; 0 if the dictionary gained it after the snapshot. */
  numberOf(stored: number): number
  /** Changes whenever the members of the cohort change; 0 when it has none. */
  revisionOf(cohortId: number): number
  /** By unit number, 1 for each current member. */
  cohort(id: number): Uint8Array
}

/** One environment together with what the scans of one question share: progress and resolved memberships. */
export class Snapshot {
  readonly environment: Environment
  readonly control: Control
  readonly memory: WorkingMemory
  private readonly members = new Map<string, Uint8Array>()

  constructor(environment: Environment, control: Control, memory: WorkingMemory) {
    this.environment = environment
    this.control = control
    this.memory = memory
  }

  /** The rows of each block that match types, filters and range. Counts the blocks' rows as scanned. */
  selectAll(types: ReadonlyArray<string> | null, filters: ReadonlyArray<Filter>, range: TimeSpan): Array<Selection> {
    return this.selected(new Wanted(types, filters, this.environment.revisionOf), range)
  }

  private selected(wanted: Wanted, range: TimeSpan): Array<Selection> {
    const found: Array<Selection> = []
    for (const block of this.environment.blocks) {
      const selection = select(block, wanted, range, this.membership)
      if (selection === null) this.control.did(block.rows)
      else {
        this.control.advance(block.rows)
        found.push(selection)
      }
    }
    return found
  }

  selectBy(selector: Selector, filter: Filter, range: TimeSpan): Array<Selection> {
    return this.selectAll(selector.types, [filter, selector.filter], range)
  }

  /** The rows that match filter and range and tell what players did. */
  selectDone(filter: Filter, range: TimeSpan): Array<Selection> {
    return this.selected(new Wanted(null, [filter], this.environment.revisionOf, "done"), range)
  }

  /** Of the rows of `selectBy`, those that have a position. */
  selectPlaced(selector: Selector, filter: Filter, range: TimeSpan): Array<Selection> {
    return this.selected(
      new Wanted(selector.types, [filter, selector.filter], this.environment.revisionOf, "placed"),
      range
    )
  }

  /**
   * By unit number, the code of the unit's group in a cohort or experiment dimension; null for a dimension of marker
   * values.
   */
  unitCodes<Value>(dimension: Dimension, codeOf: (value: Scalar | null) => Value): ReadonlyArray<Value> | null {
    if ("groups" in dimension) return this.codesOf(dimension.groups, codeOf)
    if (dimension.source === "cohort") {
      const members = this.environment.cohort(dimension.cohortId)
      return Array.from(members, (flag) => codeOf(flag === 1 ? "in" : "not in"))
    }
    if (dimension.source !== "experiment") return null
    return Array.from(this.exposures(dimension.experimentId), (group) => codeOf(Number.isNaN(group) ? null : group))
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

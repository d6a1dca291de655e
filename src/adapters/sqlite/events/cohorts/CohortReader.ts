import type { CohortPlan } from "../../../../domain/cohorts/CohortPlan.ts"
import { type CohortQuestion, type MemberChange, packNames, unpackNames } from "./CohortQuestion.ts"
import { scanCohort } from "./CohortScan.ts"
import type { Snapshot } from "../read/Snapshot.ts"
import type { StoredMembers } from "../file/StoredMembers.ts"
import type { StoredNames } from "../file/StoredNames.ts"

type Change = Pick<MemberChange, "memberCount" | "entered" | "names" | "nameCount" | "left">

/** Answers questions about the cohorts of one environment, from one snapshot. */
export class CohortReader {
  private readonly environmentId: number
  private readonly snapshot: Snapshot
  private readonly members: StoredMembers
  private readonly names: StoredNames

  constructor(environmentId: number, snapshot: Snapshot, members: StoredMembers, names: StoredNames) {
    this.environmentId = environmentId
    this.snapshot = snapshot
    this.members = members
    this.names = names
  }

  answer({ kind, plan }: CohortQuestion): unknown {
    const { environmentId, members } = this
    switch (kind) {
      case "cohortChange":
        return this.change(plan.cohortId, plan.wanted, plan.now)
      case "cohortUnits":
        return this.found(plan.plan, plan.limit)
      case "cohortMembers":
        return members.page(environmentId, plan.cohortId, plan)
      case "cohortCount":
        return members.count(environmentId, plan.cohortId, plan.at)
      case "cohortStays":
        return plan.unitIds.map((id) => members.stayOf(environmentId, plan.cohortId, this.stored(id), plan.at))
      case "cohortsOfUnit":
        return members.cohortsOf(environmentId, this.stored(plan.unitId))
    }
  }

  private stored(unitId: string): number | undefined {
    return this.names.idOfUnit(this.environmentId, unitId)
  }

  private found(plan: CohortPlan, limit: number) {
    const found: Array<string> = []
    for (const [unit, flag] of scanCohort(plan, this.snapshot).entries())
      if (flag === 1) found.push(this.snapshot.environment.unitName(unit) ?? "")
    return { count: found.length, sample: found.sort().slice(0, limit) }
  }

  private change(cohortId: number, wanted: CohortPlan | Uint8Array, now: number): MemberChange {
    const { revision, at, units } = this.members.current(this.environmentId, cohortId)
    const change = wanted instanceof Uint8Array ? this.toNames(wanted, units) : this.toPlan(wanted, units)
    return { cohortId, revision, at: Math.max(now, at + 1), ...change }
  }

  private toPlan(plan: CohortPlan, units: Uint32Array): Change {
    const { environment } = this.snapshot
    const flags = scanCohort(plan, this.snapshot)
    const memberCount = flags.reduce((sum, flag) => sum + flag, 0)
    const left = units.filter((unit) => {
      const number = environment.numberOf(unit)
      const stays = flags[number] === 1
      flags[number] = 0
      return !stays
    })
    const entered: Array<number> = []
    const names: Array<string> = []
    for (let unit = 1; unit < flags.length; unit++) {
      if (flags[unit] === 0) continue
      if (unit < environment.firstUnstored) entered.push(unit)
      else names.push(environment.unitName(unit) ?? "")
    }
    return {
      memberCount,
      entered: Uint32Array.from(entered),
      names: packNames(names),
      nameCount: names.length,
      left
    }
  }

  private toNames(packed: Uint8Array, units: Uint32Array): Change {
    const wanted = new Set(unpackNames(packed))
    const known = new Set(units)
    const kept = new Set<number>()
    const entered: Array<number> = []
    const names: Array<string> = []
    for (const name of wanted) {
      const unit = this.stored(name)
      if (unit === undefined) names.push(name)
      else if (known.has(unit)) kept.add(unit)
      else entered.push(unit)
    }
    return {
      memberCount: wanted.size,
      entered: Uint32Array.from(entered).sort(),
      names: packNames(names),
      nameCount: names.length,
      left: units.filter((unit) => !kept.has(unit))
    }
  }
}

import { firstPlace } from "../../../../domain/FirstPlace.ts"
import type { Member, MembersPage, Stay } from "../../../../ports/cohorts/CohortMembers.ts"
import type { CohortId } from "../../../../domain/Ids.ts"
import type { Db } from "./Db.ts"
import { readName } from "../bytes/MarkerId.ts"

/** The members of a cohort in its latest generation; units by dictionary number, ascending. */
export interface CurrentMembers {
  readonly revision: number
  readonly at: number
  readonly units: Uint32Array
}

interface CohortState {
  readonly revision: number
  readonly at: number
  readonly member_count: number
}

const none: CurrentMembers = { revision: 0, at: -Infinity, units: new Uint32Array(0) }

const cachedCohorts = 64

/** The `from` clause that selects the stays covering an instant: begun at or before it, and not over. */
const membersAt = `from cohort_member
  where environment_id = ? and cohort_id = ? and entered_at <= ? and (left_at is null or left_at > ?)`

/** The table of stays, found by their unit. Without the name of the index SQLite goes through all stays of the environment. */
export const membersByUnit = "cohort_member indexed by cohort_member_by_unit"

/** The index of the first member whose id comes after `unitId`. */
const placeAfter = (members: ReadonlyArray<Member>, unitId: string): number =>
  firstPlace(members.length, (at) => members[at]!.unitId > unitId)

/** Reads which units belong to which cohort. */
export class StoredMembers {
  private readonly state
  private readonly units
  private readonly counts
  private readonly named
  private readonly stay
  private readonly ofOne
  private readonly cached = new Map<string, CurrentMembers>()
  private listed: { readonly key: string; readonly members: ReadonlyArray<Member> } = { key: "", members: [] }

  constructor(db: Db) {
    this.state = db.prepare<[number, number], CohortState>(
      "select revision, at, member_count from cohort where environment_id = ? and cohort_id = ?"
    )
    this.units = db.prepare<[number, number, number, number], number>(`select unit ${membersAt} order by unit`).pluck()
    this.counts = db.prepare<[number, number, number, number], number>(`select count(*) ${membersAt}`).pluck()
    this.named = db.prepare<[number, number, number, number], { name: string | Uint8Array; entered_at: number }>(
      `select (select name from unit where unit.environment_id = cohort_member.environment_id
                 and unit.id = cohort_member.unit) as name, entered_at ${membersAt}`
    )
    this.stay = db.prepare<[number, number, number, number], { entered_at: number; left_at: number | null }>(
      `select entered_at, left_at from cohort_member
       where environment_id = ? and cohort_id = ? and unit = ? and entered_at <= ? order by entered_at desc limit 1`
    )
    this.ofOne = db.prepare<[number, number], { cohort_id: CohortId; entered_at: number }>(
      `select cohort_id, entered_at from ${membersByUnit} join cohort using (environment_id, cohort_id)
       where environment_id = ? and unit = ? and entered_at <= at and (left_at is null or left_at > at)
       order by cohort_id`
    )
  }

  current(environmentId: number, cohortId: number): CurrentMembers {
    const state = this.state.get(environmentId, cohortId)
    if (state === undefined) return none
    const key = `${environmentId} ${cohortId}`
    const known = this.cached.get(key)
    if (known?.revision === state.revision) return known
    const { revision, at } = state
    const units = Uint32Array.from(this.units.all(environmentId, cohortId, at, at))
    this.cached.delete(key)
    if (this.cached.size >= cachedCohorts)
      for (const oldest of [...this.cached.keys()].slice(0, 1)) this.cached.delete(oldest)
    const current: CurrentMembers = { revision, at, units }
    this.cached.set(key, current)
    return current
  }

  page(environmentId: number, cohortId: number, { at, after, limit }: MembersPage): ReadonlyArray<Member> {
    const state = this.state.get(environmentId, cohortId)
    if (state === undefined) return []
    const instant = Math.min(at ?? Infinity, state.at)
    const key = `${environmentId} ${cohortId} ${state.revision} ${instant}`
    if (this.listed.key !== key) {
      const members = this.named
        .all(environmentId, cohortId, instant, instant)
        .map(({ name, entered_at: enteredAt }) => ({ unitId: readName(name), enteredAt }))
        .sort((a, b) => (a.unitId < b.unitId ? -1 : 1))
      this.listed = { key, members }
    }
    const { members } = this.listed
    const first = after === null ? 0 : placeAfter(members, after)
    return members.slice(first, first + limit)
  }

  count(environmentId: number, cohortId: number, at: number | null): number {
    const state = this.state.get(environmentId, cohortId)
    if (state === undefined) return 0
    if (at === null || at >= state.at) return state.member_count
    return this.counts.get(environmentId, cohortId, at, at) ?? 0
  }

  /** `unit` is a dictionary number, undefined for a unit that was never seen. */
  stayOf(environmentId: number, cohortId: number, unit: number | undefined, at: number | null): Stay {
    const state = this.state.get(environmentId, cohortId)
    const instant = Math.min(at ?? Infinity, state?.at ?? -Infinity)
    const found = unit === undefined ? undefined : this.stay.get(environmentId, cohortId, unit, instant)
    if (found === undefined) return { isMember: false, enteredAt: null, leftAt: null }
    const { entered_at: enteredAt, left_at: leftAt } = found
    const hasLeft = leftAt !== null && leftAt <= instant
    return { isMember: !hasLeft, enteredAt, leftAt: hasLeft ? leftAt : null }
  }

  /** The cohorts that a unit belongs to now, by id, and when it entered them (epoch ms). */
  cohortsOf(environmentId: number, unit: number | undefined) {
    const found = unit === undefined ? [] : this.ofOne.all(environmentId, unit)
    return found.map(({ cohort_id: cohortId, entered_at: enteredAt }) => ({ cohortId, enteredAt }))
  }
}

import { type MemberChange, unpackNames } from "../cohorts/CohortQuestion.ts"
import type { Dictionary } from "../file/Dictionary.ts"
import { membersByUnit } from "../file/StoredMembers.ts"
import type { Db } from "../file/Db.ts"

/** Milliseconds that one transaction may write for. */
const sliceMillis = 2

interface StoredCohort {
  readonly revision: number
  readonly at: number
  readonly member_count: number
}

/**
 * Replaces a cohort's members. Rows of the new generation are written in small transactions and do not count yet; a
 * last transaction makes them all count.
 */
export class MemberWriter {
  private readonly db: Db
  private readonly units: Dictionary
  private readonly find
  private readonly put
  private readonly enter
  private readonly leave
  private readonly removeCohort
  private readonly stage
  private readonly unstage
  private readonly isStaged

  constructor(db: Db, units: Dictionary) {
    this.db = db
    this.units = units
    this.find = db.prepare<[number, number], StoredCohort>(
      "select revision, at, member_count from cohort where environment_id = ? and cohort_id = ?"
    )
    this.put = db.prepare<[number, number, number, number]>(
      "insert or replace into cohort (environment_id, cohort_id, at, member_count) values (?, ?, ?, ?)"
    )
    this.enter = db.prepare<[number, number, number, number]>(
      "insert into cohort_member (environment_id, cohort_id, unit, entered_at) values (?, ?, ?, ?)"
    )
    this.leave = db.prepare<[number, number, number, number]>(
      `update cohort_member set left_at = ?
       where environment_id = ? and cohort_id = ? and unit = ? and left_at is null`
    )
    this.removeCohort = db.prepare<[number, number]>("delete from cohort where environment_id = ? and cohort_id = ?")
    this.stage = db.prepare<[number, number]>("insert into cohort_staging (environment_id, cohort_id) values (?, ?)")
    this.unstage = db.prepare<[number, number]>("delete from cohort_staging where environment_id = ? and cohort_id = ?")
    this.isStaged = db.prepare<[number, number], { found: number }>(
      "select 1 as found from cohort_staging where environment_id = ? and cohort_id = ?"
    )
  }

  /**
   * Replaces members by `change`. Answers false, and changes nothing, when they are no longer those that the change was
   * computed from.
   */
  *swap(environmentId: number, change: MemberChange): Generator<void, boolean> {
    const { cohortId, at, entered, left } = change
    yield* this.unwind(environmentId, cohortId)
    if ((this.find.get(environmentId, cohortId)?.revision ?? 0) !== change.revision) return false
    this.stage.run(environmentId, cohortId)
    const enter = (unit: number) => this.enter.run(environmentId, cohortId, unit, at)
    yield* this.sliced(entered.length, (index) => enter(entered[index]!))
    const names = change.nameCount === 0 ? [] : unpackNames(change.names)
    yield* this.sliced(names.length, (index) => enter(this.units.idOf(environmentId, names[index]!)))
    yield* this.sliced(left.length, (index) => this.leave.run(at, environmentId, cohortId, left[index]!))
    this.db.transaction(() => {
      this.put.run(environmentId, cohortId, at, change.memberCount)
      this.unstage.run(environmentId, cohortId)
    })()
    return true
  }

  /** Removes a cohort, its members and their history. */
  *remove(environmentId: number, cohortId: number): Generator<void, void> {
    this.db.transaction(() => {
      this.removeCohort.run(environmentId, cohortId)
      this.unstage.run(environmentId, cohortId)
      this.stage.run(environmentId, cohortId)
    })()
    yield* this.unwind(environmentId, cohortId)
  }

  /** Removes every stay of a unit from every cohort. */
  erase(environmentId: number, unit: number): void {
    const cohorts = this.db
      .prepare<[number, number], StoredCohort & { cohort_id: number }>(
        `select cohort.cohort_id, revision, at, member_count from ${membersByUnit} join cohort using (environment_id, cohort_id)
         where environment_id = ? and unit = ? and entered_at <= at and (left_at is null or left_at > at)`
      )
      .all(environmentId, unit)
    this.db.transaction(() => {
      for (const { cohort_id: id, at, member_count: count } of cohorts) this.put.run(environmentId, id, at, count - 1)
      this.db
        .prepare<[number, number]>(`delete from ${membersByUnit} where environment_id = ? and unit = ?`)
        .run(environmentId, unit)
    })()
  }

  /** Undoes the rows that a swap had written before the process ended or the disk was full. */
  private *unwind(environmentId: number, cohortId: number): Generator<void, void> {
    if (this.isStaged.get(environmentId, cohortId) === undefined) return
    const at = this.find.get(environmentId, cohortId)?.at ?? -Infinity
    const rows = this.db
      .prepare<[number, number, number, number], { unit: number; entered_at: number }>(
        `select unit, entered_at from cohort_member
         where environment_id = ? and cohort_id = ? and (entered_at > ? or left_at > ?)`
      )
      .all(environmentId, cohortId, at, at)
    const drop = this.db.prepare<[number, number, number, number]>(
      "delete from cohort_member where environment_id = ? and cohort_id = ? and unit = ? and entered_at = ?"
    )
    const stay = this.db.prepare<[number, number, number, number]>(
      `update cohort_member set left_at = null
       where environment_id = ? and cohort_id = ? and unit = ? and entered_at = ?`
    )
    yield* this.sliced(rows.length, (index) => {
      const { unit, entered_at: enteredAt } = rows[index]!
      ;(enteredAt > at ? drop : stay).run(environmentId, cohortId, unit, enteredAt)
    })
    this.unstage.run(environmentId, cohortId)
  }

  private *sliced(count: number, write: (index: number) => void): Generator<void, void> {
    const writeSome = this.db.transaction((from: number) => {
      const until = performance.now() + sliceMillis
      let next = from
      do write(next++)
      while (next < count && performance.now() < until)
      this.units.save()
      return next
    })
    for (let at = 0; at < count;) {
      let isCommitted = false
      try {
        at = writeSome(at)
        isCommitted = true
      } finally {
        this.units.settle(isCommitted)
      }
      yield
    }
  }
}

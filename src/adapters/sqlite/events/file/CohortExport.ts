import { readName } from "../bytes/MarkerId.ts"
import type { Db } from "./Db.ts"

/** A cohort with the instant (epoch ms) of its latest complete generation. */
export interface StoredCohort {
  readonly cohortId: number
  readonly at: number
}

/** That a unit entered or left a cohort at an instant (epoch ms). */
export interface CohortMove {
  readonly unit: string
  readonly at: number
  readonly entered: boolean
}

interface StayRow {
  readonly name: string | Uint8Array
  readonly entered: number
  readonly left: number | null
}

/** The cohorts of an environment that have members or had some. */
export const storedCohorts = (db: Db, environmentId: number): ReadonlyArray<StoredCohort> =>
  db
    .prepare<[number], StoredCohort>(
      "select cohort_id as cohortId, at from cohort where environment_id = ? order by cohort_id"
    )
    .all(environmentId)

/** Who entered and left the cohort up to its latest complete generation. */
export function* cohortMoves(
  db: Db,
  environmentId: number,
  { cohortId, at }: StoredCohort
): Generator<CohortMove, void, undefined> {
  const stays = db.prepare<[number, number, number], StayRow>(
    `select unit.name as name, entered_at as entered, left_at as "left" from cohort_member
     join unit on unit.environment_id = cohort_member.environment_id and unit.id = cohort_member.unit
     where cohort_member.environment_id = ? and cohort_id = ? and entered_at <= ?
     order by cohort_member.unit, entered_at`
  )
  for (const { name, entered, left } of stays.iterate(environmentId, cohortId, at)) {
    const unit = readName(name)
    yield { unit, at: entered, entered: true }
    if (left !== null && left <= at) yield { unit, at: left, entered: false }
  }
}

import type { Db } from "../events/file/Db.ts"

interface CohortRow {
  readonly environment_id: number
  readonly cohort_id: number
  readonly recorded: number
  readonly found: number
}

const members = `select cohort.environment_id, cohort.cohort_id, member_count as recorded, (
    select count(*) from cohort_member m
    where m.environment_id = cohort.environment_id and m.cohort_id = cohort.cohort_id and m.entered_at <= cohort.at
      and (m.left_at is null or m.left_at > cohort.at)) as found
  from cohort order by 1, 2`

/**
 * Counts the members of every cohort again, and removes those of a cohort whose own row is gone: it is computed anew. Answers what was lost.
 */
export const recountMembers = (db: Db): ReadonlyArray<string> => {
  const left = db
    .prepare<[], { environment_id: number; cohort_id: number }>(
      `select distinct environment_id, cohort_id from cohort_member
       where (environment_id, cohort_id) not in (select environment_id, cohort_id from cohort) order by 1, 2`
    )
    .all()
  const changed = db
    .prepare<[], CohortRow>(members)
    .all()
    .filter(({ recorded, found }) => recorded !== found)
  const remove = db.prepare<[number, number]>("delete from cohort_member where environment_id = ? and cohort_id = ?")
  const recount = db.prepare<[number, number, number]>(
    "update cohort set member_count = ? where environment_id = ? and cohort_id = ?"
  )
  db.transaction(() => {
    for (const { environment_id: environmentId, cohort_id: id } of left) remove.run(environmentId, id)
    for (const { environment_id: environmentId, cohort_id: id, found } of changed) recount.run(found, environmentId, id)
  })()
  const again = "it is computed again, or its list of units has to be sent again"
  return [
    ...left.map(
      ({ environment_id: environmentId, cohort_id: id }) =>
        `Cohort ${id} of environment ${environmentId} has lost its members: ${again}`
    ),
    ...changed.map(
      ({ environment_id: environmentId, cohort_id: id, recorded, found }) =>
        `Cohort ${id} of environment ${environmentId} has ${found} of ${recorded} members left: ${again}`
    )
  ]
}

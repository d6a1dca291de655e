import type { Cohort, NewCohort } from "../../../src/domain/cohorts/Cohort.ts"
import type { ApplicationId, EnvironmentId } from "../../../src/domain/Ids.ts"
import { CohortId, UserId } from "../../../src/domain/Ids.ts"
import { at } from "../analytics/SavedQueries.ts"

let count = 0

/** A cohort that has never been computed and is due. */
export const newCohort = (
  applicationId: ApplicationId,
  environmentId: EnvironmentId,
  fields: Partial<NewCohort> = {}
): NewCohort => ({
  applicationId,
  environmentId,
  name: `Cohort ${++count}`,
  description: null,
  kind: "dynamic",
  definition: "{}",
  markers: ["Level"],
  cohortIds: [],
  revision: 1,
  status: "computing",
  memberCount: 0,
  computedAt: null,
  error: null,
  dueAt: at(0),
  startedAt: null,
  restsUntil: null,
  failures: 0,
  highestSequence: 0,
  createdBy: null,
  createdAt: at(0),
  updatedAt: at(0),
  ...fields
})

/** A cohort with every field set. */
export const fullCohort = (applicationId: ApplicationId, environmentId: EnvironmentId): NewCohort =>
  newCohort(applicationId, environmentId, {
    name: "Zoë 'O\"Neil' \n%_ 東京 🎮 e\u0301",
    description: "text",
    markers: ["Level", "a 'b'"],
    cohortIds: [CohortId.make(7)],
    revision: 3,
    status: "failed",
    memberCount: 12,
    computedAt: at(1),
    error: "too slow",
    dueAt: at(2),
    startedAt: at(3),
    restsUntil: at(4),
    failures: 4,
    highestSequence: 9_007_199_254_740_991,
    createdBy: { id: UserId.make("00000000-0000-4000-8000-000000000001"), email: "ada@studio.test" },
    createdAt: at(4),
    updatedAt: at(5)
  })

export const run = (seconds: number, memberCount: number) => ({ at: at(seconds), memberCount, entered: 2, left: 1 })

export const idOf = ({ id }: Cohort) => id

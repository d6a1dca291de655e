import { Failure } from "../Failure.ts"

export class CohortNotFound extends Failure<CohortNotFound>()(
  "COHORT_NOT_FOUND",
  404,
  "No cohort of the environment has the id."
) {}
export class CohortNameTaken extends Failure<CohortNameTaken>()(
  "COHORT_NAME_TAKEN",
  409,
  "Another cohort of the environment has the name."
) {}
export class CohortLimitReached extends Failure<CohortLimitReached>()(
  "COHORT_LIMIT_REACHED",
  409,
  "The environment has as many cohorts as it may have, or their definitions are as long together as they may be."
) {}
export class CohortChanged extends Failure<CohortChanged>()(
  "COHORT_CHANGED",
  409,
  "Somebody has changed the cohort since the state on which the request is based."
) {}
export class CohortInUse extends Failure<CohortInUse>()(
  "COHORT_IN_USE",
  409,
  "Something refers to the cohort, so it cannot be deleted."
) {}
export class CohortCycle extends Failure<CohortCycle>()(
  "COHORT_CYCLE",
  422,
  "The definition would make the cohort refer to itself, directly or through others."
) {}

import { Failure } from "../Failure.ts"

export class CohortNotFound extends Failure<CohortNotFound>()("COHORT_NOT_FOUND", 404) {}
export class CohortNameTaken extends Failure<CohortNameTaken>()("COHORT_NAME_TAKEN", 409) {}
export class CohortInUse extends Failure<CohortInUse>()("COHORT_IN_USE", 409) {}
export class CohortCycle extends Failure<CohortCycle>()("COHORT_CYCLE", 422) {}

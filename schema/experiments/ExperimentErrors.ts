import { Failure } from "../Failure.ts"

export class ExperimentNotFound extends Failure<ExperimentNotFound>()("EXPERIMENT_NOT_FOUND", 404) {}
export class AssignmentNotFound extends Failure<AssignmentNotFound>()("ASSIGNMENT_NOT_FOUND", 404) {}
export class MetricNotFound extends Failure<MetricNotFound>()("METRIC_NOT_FOUND", 404) {}
export class ExperimentEnded extends Failure<ExperimentEnded>()("EXPERIMENT_ENDED", 409) {}
export class RolloutConflict extends Failure<RolloutConflict>()("ROLLOUT_CONFLICT", 409) {}
export class UnitExcluded extends Failure<UnitExcluded>()("UNIT_EXCLUDED", 409) {}
export class ExperimentInvalid extends Failure<ExperimentInvalid>()("EXPERIMENT_INVALID", 422) {}

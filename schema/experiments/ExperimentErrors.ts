import { Failure } from "../Failure.ts"

export class ExperimentNotFound extends Failure<ExperimentNotFound>()(
  "EXPERIMENT_NOT_FOUND",
  404,
  "No experiment of the environment has the id."
) {}
export class AssignmentNotFound extends Failure<AssignmentNotFound>()(
  "ASSIGNMENT_NOT_FOUND",
  404,
  "The unit has no assignment in the experiment."
) {}
export class MetricNotFound extends Failure<MetricNotFound>()(
  "METRIC_NOT_FOUND",
  404,
  "The experiment has no metric of that id."
) {}
export class ExperimentEnded extends Failure<ExperimentEnded>()(
  "EXPERIMENT_ENDED",
  409,
  "The experiment has ended, so it cannot change."
) {}
export class ExperimentChanged extends Failure<ExperimentChanged>()(
  "EXPERIMENT_CHANGED",
  409,
  "Somebody has changed the experiment since the state on which the request is based."
) {}
export class ExperimentLimitReached extends Failure<ExperimentLimitReached>()(
  "EXPERIMENT_LIMIT_REACHED",
  409,
  "The environment has as many experiments, or drafts of them, as it may have, or these are as large together as they may be; or the experiment has changed as often as it may."
) {}
export class ExperimentIsDraft extends Failure<ExperimentIsDraft>()(
  "EXPERIMENT_IS_DRAFT",
  409,
  "The experiment is a draft: it has to be started before it has any of this."
) {}
export class ExperimentStarted extends Failure<ExperimentStarted>()(
  "EXPERIMENT_STARTED",
  409,
  "The experiment has been started or planned to start, so it is no draft any more."
) {}
export class RolloutConflict extends Failure<RolloutConflict>()(
  "ROLLOUT_CONFLICT",
  409,
  "The experiment's state does not allow the change of its rollout."
) {}
export class UnitExcluded extends Failure<UnitExcluded>()(
  "UNIT_EXCLUDED",
  409,
  "Another experiment or the holdout keeps the unit out."
) {}
export class ExperimentInvalid extends Failure<ExperimentInvalid>()(
  "EXPERIMENT_INVALID",
  422,
  "The experiment's groups, metrics, targeting or times contradict each other or the base configuration."
) {}

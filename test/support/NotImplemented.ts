/** Endpoints that are declared and not built yet. This list only shrinks. */
export const notImplemented: ReadonlyArray<string> = [
  "assignments.import",
  "assignments.list",
  "assignments.members",
  "assignments.reactivate",
  "assignments.set",
  "assignments.unenroll",
  "experiments.assignmentCounts",
  "experiments.catalog",
  "experiments.changeRollout",
  "experiments.contextProperties",
  "experiments.create",
  "experiments.get",
  "experiments.groupCounts",
  "experiments.list",
  "experiments.retryCohort",
  "experiments.rollout",
  "experiments.terminate",
  "experiments.update",
  "sdkExperiments.active",
  "sdkExperiments.assign"
]

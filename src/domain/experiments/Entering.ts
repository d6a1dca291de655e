import type { ExperimentGroupId } from "../Ids.ts"
import type { Running, Wanted } from "./Admission.ts"
import type { UnitType } from "./Experiment.ts"
import type { StoredAssignment } from "./StoredAssignment.ts"
import { at } from "./StoredExperiment.ts"

/** Whether the experiment is active at `now` (epoch ms): time may have ended it since it was read. */
export const isActiveAt = ({ experiment }: Pick<Running, "experiment">, now: number): boolean =>
  at(experiment, now).progress.status === "active"

/** The assignment of a unit that enters a group at `now` (epoch ms), and that is exposed as it enters, or not. */
export const entering = (
  unitType: UnitType,
  { running: { experiment }, unit: { distinctId } }: Pick<Wanted, "running" | "unit">,
  groupId: ExperimentGroupId,
  now: number,
  exposes: boolean
): StoredAssignment => ({
  experimentId: experiment.id,
  unitType,
  distinctId,
  automaticGroupId: groupId,
  overrideGroupId: null,
  status: "active",
  source: experiment.assignmentMode,
  version: 1,
  assignedAt: now,
  firstExposedAt: exposes ? now : null
})

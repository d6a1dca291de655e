import type { DateTime } from "effect"
import type { Scalar } from "../analytics/markers/Event.ts"
import type { Changeset } from "../configuration/Changeset.ts"
import type { ApplicationId, ConfigurationId, EnvironmentId, ExperimentGroupId, ExperimentId, UserId } from "../Ids.ts"
import type { Seed } from "./Bucketing.ts"
import type { Subject } from "./Decision.ts"
import type { AssignmentMode, Progress, UnitType } from "./Experiment.ts"
import { hasEnded } from "./Experiment.ts"
import type { LayerShare } from "./Layer.ts"
import type { PathLock } from "./PathLock.ts"
import { touchedPaths } from "./PathLock.ts"
import type { LifecycleEvent, Settled } from "./Settlement.ts"
import { settle } from "./Settlement.ts"
import type { Targeting, TargetingCondition } from "./Targeting.ts"

/** The part of a group that never changes; its weight, and whether it is dropped, are in the progress, at the same ordinal. */
export interface StoredGroup {
  readonly id: ExperimentGroupId
  readonly name: string
  readonly label: string | null
  readonly isControl: boolean
  readonly changeset: Changeset
}

/** A condition with its value as it was written: a list, one scalar, or (null) none. */
export interface WrittenCondition extends TargetingCondition {
  readonly value: Scalar | ReadonlyArray<Scalar> | null
}

export interface WrittenTargeting extends Targeting {
  readonly conditions: ReadonlyArray<WrittenCondition>
}

/** An experiment as it is kept. What time alone has done since the last write is not in `progress` yet: settle it before use. */
export interface StoredExperiment extends Seed {
  readonly id: ExperimentId
  readonly applicationId: ApplicationId
  readonly environmentId: EnvironmentId
  /** Counts the writes, from 1. */
  readonly revision: number
  readonly name: string
  readonly description: string | null
  readonly hypothesis: string | null
  readonly unitType: UnitType
  readonly assignmentMode: AssignmentMode
  readonly baseConfigurationId: ConfigurationId
  /** In order of their ordinal, which is their index. Ids are unique over all experiments. */
  readonly groups: ReadonlyArray<StoredGroup>
  readonly targeting: WrittenTargeting
  readonly autoAssignment: boolean
  readonly permanentEnrollment: boolean
  /** Running experiments of one layer share it: no unit is in two of them. */
  readonly exclusionLayer: string | null
  /** 0..100. */
  readonly holdoutPercent: number
  /** Goals and guardrails, as JSON of the wire. */
  readonly metrics: string
  readonly progress: Progress
  /** What has happened, in order, each once. */
  readonly events: ReadonlyArray<LifecycleEvent>
  readonly createdBy: { readonly id: UserId; readonly email: string } | null
  readonly createdAt: DateTime.Utc
  readonly updatedAt: DateTime.Utc
}

export const isOpen = ({ progress }: StoredExperiment): boolean => !hasEnded(progress.status)

const happened = (experiment: StoredExperiment, { progress, events }: Settled): StoredExperiment => ({
  ...experiment,
  progress,
  events: [...experiment.events, ...events]
})

/** With what a command or time has done to it; the very same experiment when that is nothing. */
export const advance = (experiment: StoredExperiment, settled: Settled): StoredExperiment =>
  settled.progress === experiment.progress ? experiment : happened(experiment, settled)

/** The experiment as it is at an instant (epoch milliseconds); the very same when time has changed nothing. */
export const at = (experiment: StoredExperiment, now: number): StoredExperiment =>
  advance(experiment, settle(experiment.progress, now))

/** What deciding about a unit needs, of an experiment that is settled; its part of its layer depends on what else runs there. */
export const subjectOf = ({ progress, ...experiment }: StoredExperiment, share: LayerShare | null): Subject => ({
  seed: experiment.seed,
  hashVersion: experiment.hashVersion,
  status: progress.status,
  assignmentMode: experiment.assignmentMode,
  autoAssignment: experiment.autoAssignment,
  permanentEnrollment: experiment.permanentEnrollment,
  exclusionLayer: share,
  holdoutPercent: experiment.holdoutPercent,
  percent: progress.rollout.percent,
  targeting: experiment.targeting,
  groups: progress.groups
})

/** What the experiment holds of its base until its end. */
export const lockOf = ({ id, baseConfigurationId, groups, progress }: StoredExperiment): PathLock => ({
  experimentId: id,
  configurationId: baseConfigurationId,
  paths: touchedPaths(groups.map(({ changeset }) => changeset)),
  startsAt: progress.startsAt,
  endsAt: progress.endsAt
})

import type { DateTime } from "effect"
import type { Scalar } from "../analytics/markers/Event.ts"
import type { Changeset } from "../configuration/Changeset.ts"
import type { ApplicationId, ConfigurationId, EnvironmentId, ExperimentGroupId, ExperimentId, UserId } from "../Ids.ts"
import type { Seed } from "./Bucketing.ts"
import type { Subject } from "./Decision.ts"
import type { AssignmentMode, ExperimentProgress, UnitType } from "./Experiment.ts"
import { hasEnded } from "./Experiment.ts"
import type { LayerShare } from "./Layer.ts"
import type { PathLock } from "./PathLock.ts"
import { touchedPaths } from "./PathLock.ts"
import type { LifecycleEvent, Settled } from "./Settlement.ts"
import { settle } from "./Settlement.ts"
import type { Targeting, TargetingCondition } from "./Targeting.ts"

/**
 * The part of a group that never changes. Its weight, and whether it is dropped, are in the progress under the same
 * ordinal.
 */
export interface StoredGroup {
  readonly id: ExperimentGroupId
  readonly name: string
  readonly label: string | null
  readonly isControl: boolean
  readonly changeset: Changeset
}

/** A condition with its value as it was sent: a list, one scalar, or null for none. */
export interface WrittenCondition extends TargetingCondition {
  readonly value: Scalar | ReadonlyArray<Scalar> | null
}

export interface WrittenTargeting extends Targeting {
  readonly conditions: ReadonlyArray<WrittenCondition>
}

/**
 * An experiment as stored. `progress` does not include what time has changed since the last write: call `at` before
 * use.
 */
export interface StoredExperiment extends Seed {
  readonly id: ExperimentId
  readonly applicationId: ApplicationId
  readonly environmentId: EnvironmentId
  /** Increases with each write, from 1. */
  readonly revision: number
  readonly name: string
  readonly description: string | null
  readonly hypothesis: string | null
  readonly unitType: UnitType
  readonly assignmentMode: AssignmentMode
  readonly baseConfigurationId: ConfigurationId
  /** By ordinal, which is the index. Ids are unique across all experiments. */
  readonly groups: ReadonlyArray<StoredGroup>
  readonly targeting: WrittenTargeting
  readonly autoAssignment: boolean
  readonly permanentEnrollment: boolean
  /** Running experiments of one layer share it: no unit is in two of them. */
  readonly exclusionLayer: string | null
  /** 0..100. */
  readonly holdoutPercent: number
  /** Goals and guardrails as JSON, in the form of the API. */
  readonly metrics: string
  readonly progress: ExperimentProgress
  /** By ordinal, how many assignments the groups had when weights last changed: turns count from there. Empty where they never did. */
  readonly assignedBefore: ReadonlyArray<number>
  /** Everything that has happened, in order. */
  readonly events: ReadonlyArray<LifecycleEvent>
  readonly createdBy: { readonly id: UserId; readonly email: string } | null
  readonly createdAt: DateTime.Utc
  readonly updatedAt: DateTime.Utc
}

const unchanged: Changeset = { operations: [] }

/** The groups with what their members get: those of a dropped group get the base. */
export const givenGroups = ({ groups, progress }: StoredExperiment): ReadonlyArray<StoredGroup> =>
  groups.map((group, ordinal) =>
    progress.groups[ordinal]?.isDropped === true ? { ...group, changeset: unchanged } : group
  )

/** Whether the experiment has not ended. */
export const isOpen = ({ progress }: StoredExperiment): boolean => !hasEnded(progress.status)

const happened = (experiment: StoredExperiment, { progress, events }: Settled): StoredExperiment => ({
  ...experiment,
  progress,
  events: [...experiment.events, ...events]
})

/** The experiment after a command or the passing of time. Returns the same object if nothing changed. */
export const advance = (experiment: StoredExperiment, settled: Settled): StoredExperiment =>
  settled.progress === experiment.progress ? experiment : happened(experiment, settled)

/** The experiment as of `now` (epoch ms). Returns the same object if time has changed nothing. */
export const at = (experiment: StoredExperiment, now: number): StoredExperiment =>
  advance(experiment, settle(experiment.progress, now))

/** Those that have not ended as of `now` (epoch ms), as they are then. */
export const openAt = (experiments: ReadonlyArray<StoredExperiment>, now: number): ReadonlyArray<StoredExperiment> =>
  experiments.map((each) => at(each, now)).filter(isOpen)

/**
 * The part of a settled experiment that decisions need. Its `share` of its layer depends on the other running
 * experiments.
 */
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

/** The paths of the base configuration that the experiment locks until its end. */
export const lockOf = ({ id, baseConfigurationId, groups, progress }: StoredExperiment): PathLock => ({
  experimentId: id,
  configurationId: baseConfigurationId,
  paths: touchedPaths(groups.map(({ changeset }) => changeset)),
  startsAt: progress.startsAt,
  endsAt: progress.endsAt
})

import type { CohortId, ExperimentGroupId } from "../Ids.ts"
import type { Assignment } from "./Assignment.ts"
import type { Seed } from "./Bucketing.ts"
import * as Bucketing from "./Bucketing.ts"
import type { Context } from "./Context.ts"
import type { AssignmentMode, ExperimentStatus, AssignableGroup } from "./Experiment.ts"
import { hasEnded } from "./Experiment.ts"
import type { LayerShare } from "./Layer.ts"
import type { Targeting } from "./Targeting.ts"
import { admits, matches } from "./Targeting.ts"

/** An experiment as it is at the instant of a decision, reduced to what the decision needs. */
export interface Subject extends Seed {
  readonly status: ExperimentStatus
  readonly assignmentMode: AssignmentMode
  readonly autoAssignment: boolean
  /** False: an assigned unit gets the base configuration while it does not match the targeting. */
  readonly permanentEnrollment: boolean
  readonly exclusionLayer: LayerShare | null
  /** The percentage of units held out of the experiment, 0..100; which units is decided for its layer, or all experiments without one. */
  readonly holdoutPercent: number
  /** The percentage of units enrolled, 0..100. */
  readonly percent: number
  readonly targeting: Targeting
  readonly groups: ReadonlyArray<AssignableGroup>
}

export interface Unit {
  readonly distinctId: string
  readonly context: Context
  readonly cohorts: ReadonlySet<CohortId>
  /** Whether the unit is a new user of this experiment; null where that was not asked, or could not be read. */
  readonly isNew: boolean | null
  readonly assignment: Assignment | null
}

export type Exclusion = "holdout" | "layer"

export type Reason =
  | Exclusion
  | "ended"
  | "notStarted"
  | "unenrolled"
  | "targeting"
  | "paused"
  | "manualOnly"
  | "notEnrolled"
  | "noOpenGroup"

/**
 * `none`: the base configuration, with the reason. `member`: an existing assignment applies; members of a dropped group
 * get the base too. `enrol`: assign this group and store it. `enrolNext`: assign the group whose turn it is, in a
 * transaction.
 */
export type Decision =
  | { readonly type: "none"; readonly reason: Reason }
  | {
      readonly type: "member"
      readonly groupId: ExperimentGroupId
      readonly isManual: boolean
      readonly getsChangeset: boolean
    }
  | { readonly type: "enrol"; readonly groupId: ExperimentGroupId }
  | { readonly type: "enrolNext" }

const none = (reason: Reason): Decision => ({ type: "none", reason })

const member = ({ groups }: Subject, groupId: ExperimentGroupId, isManual: boolean): Decision => ({
  type: "member",
  groupId,
  isManual,
  getsChangeset: groups.some(({ id, isDropped }) => id === groupId && !isDropped)
})

/** Whether an experiment, of this layer or of none, holds the unit out. Who that is does not depend on whether it has begun. */
export const holdsOut = (layer: string | null, holdoutPercent: number, distinctId: string): boolean =>
  Bucketing.isHeldOut(layer ?? "", distinctId, holdoutPercent)

/** What excludes a unit regardless of targeting: the layer's holdout, or a slot that belongs to another experiment. */
export const exclusion = ({ exclusionLayer, holdoutPercent }: Subject, distinctId: string): Exclusion | null => {
  if (holdsOut(exclusionLayer?.layer ?? null, holdoutPercent, distinctId)) return "holdout"
  if (exclusionLayer === null) return null
  const slot = Bucketing.layerSlot(exclusionLayer.layer, distinctId)
  return Bucketing.choose(slot, [exclusionLayer.slots]) < 0 ? "layer" : null
}

/** What a newcomer that is neither excluded nor kept out by the targeting gets of the percent and the weights. */
export const enrol = (subject: Subject, distinctId: string): Decision => {
  if (!Bucketing.isEnrolled(subject, distinctId, subject.percent)) return none("notEnrolled")
  const weights = subject.groups.map(({ weight }) => weight)
  if (weights.every((weight) => weight <= 0)) return none("noOpenGroup")
  if (subject.assignmentMode === "roundRobin") return { type: "enrolNext" }
  const index = Bucketing.arm(subject, distinctId, weights)
  return index === null ? none("noOpenGroup") : { type: "enrol", groupId: subject.groups[index]!.id }
}

const newcomer = (subject: Subject, { distinctId, context, cohorts, isNew }: Unit): Decision => {
  if (subject.status === "paused") return none("paused")
  if (!subject.autoAssignment) return none("manualOnly")
  const excluded = exclusion(subject, distinctId)
  if (excluded !== null) return none(excluded)
  return admits(subject.targeting, context, cohorts, isNew) ? enrol(subject, distinctId) : none("targeting")
}

/**
 * Which group of an experiment a unit is in. Checked in this order: ended, assigned by hand, unenrolled, already
 * assigned, holdout, layer slot, targeting, enrolment, arm. While paused, or without automatic assignment, no new unit
 * enters.
 */
export const decide = (subject: Subject, unit: Unit): Decision => {
  if (hasEnded(subject.status)) return none("ended")
  if (subject.status === "scheduled") return none("notStarted")
  const { assignment } = unit
  if (assignment === null) return newcomer(subject, unit)
  if (assignment.overrideGroupId !== null) return member(subject, assignment.overrideGroupId, true)
  if (assignment.status === "unenrolled") return none("unenrolled")
  if (assignment.automaticGroupId === null) return newcomer(subject, unit)
  const holds = subject.permanentEnrollment || matches(subject.targeting, unit.context, unit.cohorts, unit.isNew)
  return holds ? member(subject, assignment.automaticGroupId, false) : none("targeting")
}

import type { CohortId, ExperimentGroupId, ExperimentId } from "../Ids.ts"
import type { Context } from "./Context.ts"
import { decide, type Decision, type Exclusion, holdsOut, type Subject } from "./Decision.ts"
import { groupIn, type StoredAssignment } from "./StoredAssignment.ts"
import type { StoredExperiment } from "./StoredExperiment.ts"
import { isNewUser } from "./UnitSight.ts"

/** An experiment that has begun and not ended, reduced to what decisions need. */
export interface Running {
  readonly experiment: StoredExperiment
  readonly subject: Subject
}

export interface EnrollingUnit {
  readonly distinctId: string
  readonly context: Context
}

/** What is known about a unit: its assignments by experiment, and its cohorts. */
export interface KnownUnit extends EnrollingUnit {
  readonly held: ReadonlyMap<ExperimentId, StoredAssignment>
  readonly cohorts: ReadonlySet<CohortId>
  /** When the server first saw the unit, in epoch milliseconds; null where nobody knows now, and then the unit is not new. */
  readonly firstSeenAt: number | null
}

/** An experiment that applies to a unit, or did until the unit was unenrolled. */
export interface Enrolled {
  readonly running: Running
  readonly assignment: StoredAssignment
  readonly groupId: ExperimentGroupId
  /** Whether the unit gets the changes of its group. */
  readonly getsChangeset: boolean
  /** Whether the unit has just entered, so that an exposure that the assignment tells of is the first. */
  readonly isFresh: boolean
}

/** Whether the unit is in its group now. One that was unenrolled is not, unless somebody has put it into a group since. */
export const isActive = ({ assignment }: Enrolled): boolean =>
  assignment.overrideGroupId !== null || assignment.status === "active"

/** Whether the unit has not been exposed in its group before. */
export const isFirstExposure = ({ assignment, isFresh }: Enrolled): boolean =>
  isFresh || assignment.firstExposedAt === null

/** An experiment that the unit enters as soon as the assignment is stored. */
export interface Wanted {
  readonly running: Running
  readonly unit: EnrollingUnit
  readonly decision: Extract<Decision, { readonly type: "enrol" | "enrolNext" }>
}

/** A stored assignment as an experiment that applies; none for an assignment without a group. */
export const enrolled = (
  running: Running,
  assignment: StoredAssignment,
  getsChangeset: boolean,
  isFresh = false
): ReadonlyArray<Enrolled> => {
  const groupId = groupIn(assignment)
  return groupId === null ? [] : [{ running, assignment, groupId, getsChangeset, isFresh }]
}

/** An experiment that holds its units apart from those of others of its layer, from before it begins until it ends. */
export type Layered = Pick<StoredExperiment, "id" | "exclusionLayer">

/** Those of exclusion layers, of experiments that have not ended. */
export const layeredOf = (open: ReadonlyArray<Layered>): ReadonlyArray<Layered> =>
  open.flatMap(({ id, exclusionLayer }) => (exclusionLayer === null ? [] : [{ id, exclusionLayer }]))

type HeldByUnit = ReadonlyMap<ExperimentId, StoredAssignment>

/**
 * The layers in which the unit is already in another experiment. It may be in one that has yet to begin, where a person has put it: it would
 * be in two at once as soon as that begins.
 */
export const takenLayers = (layered: ReadonlyArray<Layered>, held: HeldByUnit): ReadonlySet<string> =>
  new Set(
    layered.flatMap(({ id, exclusionLayer }) =>
      exclusionLayer !== null && held.get(id)?.status === "active" ? [exclusionLayer] : []
    )
  )

/** Whether the unit is in another experiment of this one's layer. */
export const isElsewhere = (own: Layered, layered: ReadonlyArray<Layered>, held: HeldByUnit): boolean =>
  own.exclusionLayer !== null &&
  layered.some(
    ({ id, exclusionLayer }) =>
      id !== own.id && exclusionLayer === own.exclusionLayer && held.get(id)?.status === "active"
  )

/**
 * What keeps a unit out of an experiment into which somebody puts it. One that is in it already stays, and one that was taken out of it is not
 * held out, since that is decided as a unit enters.
 */
export const exclusionByHand = (
  own: Layered & Pick<StoredExperiment, "holdoutPercent">,
  layered: ReadonlyArray<Layered>,
  held: HeldByUnit,
  distinctId: string
): Exclusion | null => {
  const before = held.get(own.id)
  if (before?.status === "active") return null
  if (isElsewhere(own, layered, held)) return "layer"
  return before === undefined && holdsOut(own.exclusionLayer, own.holdoutPercent, distinctId) ? "holdout" : null
}

const holding = (running: Running, assignment: StoredAssignment, decision: Decision): ReadonlyArray<Enrolled> => {
  if (decision.type === "member") return enrolled(running, assignment, decision.getsChangeset)
  return decision.type === "none" && decision.reason === "unenrolled" ? enrolled(running, assignment, false) : []
}

const isNewOf = ({ experiment }: Running, { firstSeenAt }: KnownUnit, now: number): boolean | null =>
  firstSeenAt === null ? null : isNewUser(firstSeenAt, experiment.progress.startsAt, now)

/**
 * Which of the experiments asked about apply to a unit, and which it enters. `layered` lists every experiment of a layer that has not ended.
 */
export const admit = (
  layered: ReadonlyArray<Layered>,
  asked: ReadonlyArray<Running>,
  unit: KnownUnit,
  now: number
): { readonly enrolled: ReadonlyArray<Enrolled>; readonly wanted: ReadonlyArray<Wanted> } => {
  const { distinctId, context, cohorts } = unit
  const taken = takenLayers(layered, unit.held)
  const found: Array<Enrolled> = []
  const wanted: Array<Wanted> = []
  for (const running of asked) {
    const { id, exclusionLayer } = running.experiment
    const assignment = unit.held.get(id) ?? null
    if (assignment === null && exclusionLayer !== null && taken.has(exclusionLayer)) continue
    const isNew = isNewOf(running, unit, now)
    const decision = decide(running.subject, { distinctId, context, cohorts, assignment, isNew })
    if (assignment !== null) found.push(...holding(running, assignment, decision))
    if (decision.type === "enrol" || decision.type === "enrolNext") wanted.push({ running, unit, decision })
  }
  return { enrolled: found, wanted }
}

import { Clock, Effect } from "effect"
import type { Changeset } from "../../domain/configuration/Changeset.ts"
import type { AssignmentSource } from "../../domain/experiments/Assignment.ts"
import { type Enrolled, type EnrollingUnit, isActive, isFirstExposure } from "../../domain/experiments/Admission.ts"
import type { Context } from "../../domain/experiments/Context.ts"
import type { UnitType } from "../../domain/experiments/Experiment.ts"
import type { ConfigurationId, EnvironmentId, ExperimentGroupId, ExperimentId } from "../../domain/Ids.ts"
import { ContextProperties } from "./ContextProperties.ts"
import { Enrolment, type EnrolmentAnswer, type EnrolmentQuestion } from "./Enrolment.ts"
import { Exposures, type FirstExposure } from "./Exposures.ts"

/** A player or a game server that asks for a configuration. */
export interface AskingUnit {
  readonly type: UnitType
  readonly distinctId: string
  readonly context: Context
}

/** An active assignment of a unit to a group of a running experiment. */
export interface UnitAssignment {
  readonly experimentId: ExperimentId
  readonly unitType: UnitType
  readonly groupId: ExperimentGroupId
  readonly groupName: string
  readonly assignmentVersion: number
  readonly source: AssignmentSource
  /** Empty where the group was dropped: its members get the base. */
  readonly changeset: Changeset
  /** True when this request is the one that records the unit's first exposure. */
  readonly exposureProxyRecorded: boolean
  /** Whether that exposure is on disk with the assignment, so that the next answer says no more of it. */
  readonly isExposureStored: boolean
}

const nothing: Changeset = { operations: [] }

const all = (assignments: ReadonlyArray<UnitAssignment>) => assignments

const says = (context: Context): boolean => Object.keys(context).length > 0

const assignmentOf = (enrolled: Enrolled): UnitAssignment => {
  const { running, assignment, groupId, getsChangeset } = enrolled
  const group = running.experiment.groups.find(({ id }) => id === groupId)
  return {
    experimentId: running.experiment.id,
    unitType: assignment.unitType,
    groupId,
    groupName: group?.name ?? "",
    assignmentVersion: assignment.version,
    source: assignment.source,
    changeset: getsChangeset ? (group?.changeset ?? nothing) : nothing,
    exposureProxyRecorded: isFirstExposure(enrolled),
    isExposureStored: assignment.firstExposedAt !== null
  }
}

/** A unit that asks for a configuration. */
export interface AskedConfiguration {
  readonly environmentId: EnvironmentId
  readonly configurationId: ConfigurationId
  readonly unit: AskingUnit
}

interface AskedTogether extends AskedConfiguration {
  /** Called once all first exposures of the question, of which some were yet to be stored, are stored. */
  readonly onExposed: () => void
}

const questionOf = (
  { environmentId, configurationId, unit }: AskedConfiguration,
  exposes: boolean
): EnrolmentQuestion => ({
  place: { environmentId, unitType: unit.type },
  units: [unit],
  isAsked: ({ experiment }) => experiment.baseConfigurationId === configurationId,
  exposes
})

const activeOf = (answer: EnrolmentAnswer | undefined, { distinctId }: AskingUnit): ReadonlyArray<Enrolled> =>
  (answer?.get(distinctId) ?? []).filter(isActive)

/** Which of these are first exposures; `onStored` is called once those that were not stored with their assignments are. */
const exposuresOf = (all: ReadonlyArray<Enrolled>, now: number, onStored: () => void): Array<FirstExposure> => {
  const first: Array<FirstExposure> = []
  let waiting = 0
  const stored = () => {
    if (--waiting === 0) onStored()
  }
  for (const enrolled of all) {
    if (!isActive(enrolled) || !isFirstExposure(enrolled)) continue
    const { environmentId } = enrolled.running.experiment
    const { experimentId, unitType, distinctId, firstExposedAt } = enrolled.assignment
    const at = firstExposedAt ?? now
    const exposure = { environmentId, experimentId, unitType, distinctId, groupId: enrolled.groupId, at }
    if (firstExposedAt === null) waiting++
    first.push(firstExposedAt === null ? { exposure, isNoted: false, onStored: stored } : { exposure, isNoted: true })
  }
  return first
}

/** Finds the groups of units, assigns them where they may be enrolled, and records that they were exposed. */
export class Evaluation extends Effect.Service<Evaluation>()("services/game/Evaluation", {
  effect: Effect.gen(function* () {
    const enrolment = yield* Enrolment
    const exposures = yield* Exposures
    const properties = yield* ContextProperties

    /** Notes what a game says of a unit. */
    const noteContext = (environmentId: EnvironmentId, context: Context) =>
      says(context) ? properties.saw(environmentId, context) : Effect.void

    /** The same of many units. */
    const noteContexts = Effect.fnUntraced(function* (environmentId: EnvironmentId, contexts: ReadonlyArray<Context>) {
      for (const context of contexts) if (says(context)) yield* properties.saw(environmentId, context)
    })

    /** Records which of these are first exposures. */
    const expose = Effect.fnUntraced(function* (all: ReadonlyArray<Enrolled>) {
      const first = exposuresOf(all, yield* Clock.currentTimeMillis, () => undefined)
      if (first.length > 0) yield* exposures.record(first)
    })

    /**
     * Evaluates the experiments that run now on the configuration for units of this type. The unit is exposed only to those of them
     * that the caller reports to it.
     */
    const assignmentsFor = Effect.fnUntraced(function* (
      environmentId: EnvironmentId,
      configurationId: ConfigurationId,
      unit: AskingUnit,
      told: (assignments: ReadonlyArray<UnitAssignment>) => ReadonlyArray<UnitAssignment> = all
    ) {
      yield* noteContext(environmentId, unit.context)
      const answers = yield* enrolment.of(questionOf({ environmentId, configurationId, unit }, told === all))
      const active = activeOf(answers, unit)
      const assignments = told(active.map(assignmentOf))
      const ids = new Set(assignments.map(({ experimentId }) => experimentId))
      yield* expose(active.filter(({ assignment }) => ids.has(assignment.experimentId)))
      return assignments
    })

    /** The same for many questions together: the assignments of each, in their order, with all exposures. */
    const assignmentsForAll = Effect.fnUntraced(function* (questions: ReadonlyArray<AskedTogether>) {
      for (const { environmentId, unit } of questions)
        if (says(unit.context)) yield* properties.saw(environmentId, unit.context)
      const answers = yield* enrolment.ofAll(questions.map((each) => questionOf(each, true)))
      const now = yield* Clock.currentTimeMillis
      const active = questions.map(({ unit }, at) => activeOf(answers[at], unit))
      const first = questions.flatMap(({ onExposed }, at) => exposuresOf(active[at] ?? [], now, onExposed))
      if (first.length > 0) yield* exposures.record(first)
      return active.map((own) => own.map(assignmentOf))
    })

    /** The assignments of each unit to all running experiments for its type, by distinct id; unenrolled ones are included. */
    const assignmentsOfUnits = Effect.fnUntraced(function* (
      environmentId: EnvironmentId,
      unitType: UnitType,
      units: ReadonlyArray<EnrollingUnit>
    ) {
      yield* noteContexts(
        environmentId,
        units.map(({ context }) => context)
      )
      const place = { environmentId, unitType }
      const answers = yield* enrolment.of({ place, units, isAsked: () => true, exposes: true })
      yield* expose([...answers.values()].flat())
      return answers
    })

    return { assignmentsFor, assignmentsForAll, assignmentsOfUnits, noteContext, noteContexts } as const
  })
}) {}

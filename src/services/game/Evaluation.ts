import { Clock, Effect } from "effect"
import type { Changeset } from "../../domain/configuration/Changeset.ts"
import type { AssignmentSource } from "../../domain/experiments/Assignment.ts"
import { type Enrolled, type EnrollingUnit, isActive, isFirstExposure } from "../../domain/experiments/Admission.ts"
import type { Context } from "../../domain/experiments/Context.ts"
import type { UnitType } from "../../domain/experiments/Experiment.ts"
import type { ConfigurationId, EnvironmentId, ExperimentGroupId, ExperimentId } from "../../domain/Ids.ts"
import { ContextProperties } from "./ContextProperties.ts"
import { Enrolment } from "./Enrolment.ts"
import { Exposures } from "./Exposures.ts"

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
    exposureProxyRecorded: isFirstExposure(enrolled)
  }
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

    const expose = Effect.fnUntraced(function* (environmentId: EnvironmentId, all: Iterable<Enrolled>) {
      const at = yield* Clock.currentTimeMillis
      const first = [...all].filter((each) => isActive(each) && isFirstExposure(each))
      if (first.length === 0) return
      yield* exposures.record(
        first.map(({ assignment: { experimentId, unitType, distinctId, firstExposedAt }, groupId }) => ({
          ...{ environmentId, experimentId, unitType, distinctId, groupId, at: firstExposedAt ?? at }
        }))
      )
    })

    /**
     * Evaluates the experiments that run now on the configuration for units of this type. The unit is exposed only to those of them
     * that the caller reports to it.
     */
    const assignmentsFor = Effect.fnUntraced(function* (
      environmentId: EnvironmentId,
      configurationId: ConfigurationId,
      { type, distinctId, context }: AskingUnit,
      told: (assignments: ReadonlyArray<UnitAssignment>) => ReadonlyArray<UnitAssignment> = all
    ) {
      yield* noteContext(environmentId, context)
      const answers = yield* enrolment.of(
        { environmentId, unitType: type },
        [{ distinctId, context }],
        ({ experiment }) => experiment.baseConfigurationId === configurationId,
        told === all
      )
      const active = (answers.get(distinctId) ?? []).filter(isActive)
      const assignments = told(active.map(assignmentOf))
      const ids = new Set(assignments.map(({ experimentId }) => experimentId))
      yield* expose(
        environmentId,
        active.filter(({ assignment }) => ids.has(assignment.experimentId))
      )
      return assignments
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
      const answers = yield* enrolment.of({ environmentId, unitType }, units, () => true, true)
      yield* expose(environmentId, [...answers.values()].flat())
      return answers
    })

    return { assignmentsFor, assignmentsOfUnits, noteContext, noteContexts } as const
  })
}) {}

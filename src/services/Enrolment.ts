import { Clock, Effect, Option } from "effect"
import { decide, type Decision } from "../domain/experiments/Decision.ts"
import type { Context } from "../domain/experiments/Context.ts"
import type { UnitType } from "../domain/experiments/Experiment.ts"
import { next } from "../domain/experiments/RoundRobin.ts"
import { at } from "../domain/experiments/StoredExperiment.ts"
import { groupIn, type StoredAssignment } from "../domain/experiments/StoredAssignment.ts"
import type { CohortId, EnvironmentId, ExperimentGroupId, ExperimentId } from "../domain/Ids.ts"
import { AssignmentRepo } from "../ports/AssignmentRepo.ts"
import { CohortMembers } from "../ports/CohortMembers.ts"
import { ExperimentRepo } from "../ports/ExperimentRepo.ts"
import { Transaction } from "../ports/Transaction.ts"
import { type Running, RunningExperiments } from "./RunningExperiments.ts"

export interface EnrollingUnit {
  readonly distinctId: string
  readonly context: Context
}

/** An experiment that holds for a unit, or did until the unit was taken out. */
export interface Enrolled {
  readonly running: Running
  readonly assignment: StoredAssignment
  readonly groupId: ExperimentGroupId
  /** Whether the unit gets what its group changes. */
  readonly getsChangeset: boolean
}

type Memberships = ReadonlyMap<string, ReadonlySet<CohortId>>

interface Place {
  readonly environmentId: EnvironmentId
  readonly unitType: UnitType
}

const nowhere: ReadonlySet<CohortId> = new Set()

const needsCohorts = ({ experiment }: Running): boolean => experiment.targeting.cohortIds.length > 0

/** Layers that an assignment in another running experiment takes for the unit. */
const takenLayers = (
  all: ReadonlyArray<Running>,
  own: ReadonlyMap<ExperimentId, StoredAssignment>
): ReadonlyMap<string, ExperimentId> => {
  const taken = new Map<string, ExperimentId>()
  for (const { experiment } of all)
    if (experiment.exclusionLayer !== null && own.get(experiment.id)?.status === "active")
      taken.set(experiment.exclusionLayer, experiment.id)
  return taken
}

/** Decides which groups units are in, and keeps what was decided. Asks for no permission: its callers do. */
export class Enrolment extends Effect.Service<Enrolment>()("services/Enrolment", {
  effect: Effect.gen(function* () {
    const assignments = yield* AssignmentRepo
    const experiments = yield* ExperimentRepo
    const members = yield* CohortMembers
    const runningExperiments = yield* RunningExperiments
    const transaction = yield* Transaction

    /** Where members cannot be told now, nobody counts as one: units are enrolled when they come back. */
    const membershipsOf = Effect.fnUntraced(function* (
      environmentId: EnvironmentId,
      asked: ReadonlyArray<Running>,
      distinctIds: ReadonlyArray<string>
    ) {
      const cohortIds = new Set(asked.flatMap(({ experiment }) => experiment.targeting.cohortIds))
      const found = new Map<string, Set<CohortId>>(distinctIds.map((id) => [id, new Set()]))
      for (const cohortId of cohortIds) {
        const stays = yield* members
          .membership(environmentId, cohortId, distinctIds, null)
          .pipe(Effect.catchAll((reason) => Effect.as(Effect.logWarning("Members are not known now", reason), [])))
        for (const [index, { isMember }] of stays.entries())
          if (isMember) found.get(distinctIds[index] ?? "")?.add(cohortId)
      }
      return found satisfies Memberships
    })

    const fresh = (
      { unitType }: Place,
      { experiment }: Running,
      { distinctId }: EnrollingUnit,
      groupId: ExperimentGroupId,
      now: number
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
      firstExposedAt: null
    })

    interface Wanted {
      readonly running: Running
      readonly unit: EnrollingUnit
      readonly decision: Extract<Decision, { readonly type: "enrol" | "enrolNext" }>
    }

    /** The group whose turn it is for each of these, as if they came one after the other. */
    const turns = Effect.fnUntraced(function* ({ experiment, subject }: Running, count: number) {
      const totals = yield* assignments.totals(experiment.id)
      const tallies = subject.groups.map(({ id, weight }) => ({
        id,
        weight,
        assigned: totals.filter(({ groupId }) => groupId === id).reduce((sum, total) => sum + total.count, 0)
      }))
      return Array.from({ length: count }, () => {
        const chosen = next(tallies)
        const tally = chosen === null ? undefined : tallies[chosen]
        if (tally !== undefined) tally.assigned++
        return tally?.id ?? null
      })
    })

    const stillRuns = Effect.fnUntraced(function* ({ experiment }: Running, now: number) {
      const found = yield* experiments.find(experiment.environmentId, experiment.id)
      return Option.isSome(found) && at(found.value, now).progress.status === "active"
    })

    /** In one transaction, so that nobody is enrolled in what has ended, and turns are taken one by one. */
    const keep = Effect.fnUntraced(function* (place: Place, wanted: ReadonlyArray<Wanted>) {
      const now = yield* Clock.currentTimeMillis
      const enrolled: Array<StoredAssignment> = []
      for (const running of new Set(wanted.map((each) => each.running))) {
        if (!(yield* stillRuns(running, now))) continue
        const own = wanted.filter((each) => each.running === running)
        const waiting = own.filter(({ decision }) => decision.type === "enrolNext")
        const given = waiting.length === 0 ? [] : yield* turns(running, waiting.length)
        for (const { unit, decision } of own) {
          const groupId = decision.type === "enrol" ? decision.groupId : given.shift()
          if (groupId !== null && groupId !== undefined) enrolled.push(fresh(place, running, unit, groupId, now))
        }
      }
      return enrolled.length === 0 ? [] : yield* assignments.enrol(place.environmentId, enrolled)
    })

    /** The experiments that hold for each unit, by ascending id; units are enrolled where they may be. Unenrolled ones come without a changeset. */
    const of = Effect.fnUntraced(function* (
      place: Place,
      units: ReadonlyArray<EnrollingUnit>,
      isAsked: (running: Running) => boolean
    ) {
      const all = (yield* runningExperiments.of(place.environmentId)).filter(
        ({ experiment }) => experiment.unitType === place.unitType
      )
      const asked = all.filter(isAsked)
      const answers = new Map<string, Array<Enrolled>>(units.map(({ distinctId }) => [distinctId, []]))
      if (asked.length === 0) return answers
      const distinctIds = [...answers.keys()]
      const kept = yield* assignments.ofUnits(place.environmentId, place.unitType, distinctIds)
      const own = new Map(distinctIds.map((id) => [id, new Map<ExperimentId, StoredAssignment>()]))
      for (const each of kept) own.get(each.distinctId)?.set(each.experimentId, each)
      const targeted = asked.filter(needsCohorts)
      const memberships =
        targeted.length === 0
          ? new Map<string, Set<CohortId>>()
          : yield* membershipsOf(place.environmentId, targeted, distinctIds)
      const wanted: Array<Wanted> = []
      const answer = (running: Running, assignment: StoredAssignment, getsChangeset: boolean) => {
        const groupId = groupIn(assignment)
        if (groupId !== null) answers.get(assignment.distinctId)?.push({ running, assignment, groupId, getsChangeset })
      }
      for (const unit of units) {
        const held = own.get(unit.distinctId) ?? new Map<ExperimentId, StoredAssignment>()
        const taken = takenLayers(all, held)
        for (const running of asked) {
          const { experiment, subject } = running
          const assignment = held.get(experiment.id) ?? null
          const layer = experiment.exclusionLayer
          if (assignment === null && layer !== null && taken.has(layer)) continue
          const cohorts = memberships.get(unit.distinctId) ?? nowhere
          const decision = decide(subject, { ...unit, cohorts, assignment })
          if (decision.type === "member" && assignment !== null) answer(running, assignment, decision.getsChangeset)
          else if (decision.type === "enrol" || decision.type === "enrolNext") wanted.push({ running, unit, decision })
          else if (decision.type === "none" && decision.reason === "unenrolled" && assignment !== null)
            answer(running, assignment, false)
        }
      }
      if (wanted.length === 0) return answers
      const byId = new Map(asked.map((running) => [running.experiment.id, running]))
      for (const assignment of yield* transaction.run(keep(place, wanted))) {
        const running = byId.get(assignment.experimentId)
        if (running !== undefined) answer(running, assignment, assignment.status === "active")
      }
      for (const list of answers.values()) list.sort((a, b) => a.running.experiment.id - b.running.experiment.id)
      return answers
    })

    return { of } as const
  })
}) {}

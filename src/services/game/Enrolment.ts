import { Array, Clock, Effect, Option } from "effect"
import { groupBy } from "../../domain/analytics/filter/Grouping.ts"
import {
  admit,
  type Enrolled,
  enrolled,
  type EnrollingUnit,
  type Running,
  type Wanted
} from "../../domain/experiments/Admission.ts"
import type { UnitType } from "../../domain/experiments/Experiment.ts"
import { next } from "../../domain/experiments/RoundRobin.ts"
import { at } from "../../domain/experiments/StoredExperiment.ts"
import type { StoredAssignment } from "../../domain/experiments/StoredAssignment.ts"
import type { CohortId, EnvironmentId, ExperimentGroupId, ExperimentId } from "../../domain/Ids.ts"
import { AssignmentRepo } from "../../ports/experiments/AssignmentRepo.ts"
import { CohortMembers } from "../../ports/cohorts/CohortMembers.ts"
import { ExperimentRepo } from "../../ports/experiments/ExperimentRepo.ts"
import { Transaction } from "../../ports/operations/Transaction.ts"
import { RunningExperiments } from "../experiments/RunningExperiments.ts"
import { makeGroups } from "../Groups.ts"
import { orWithoutSpace } from "../WithoutSpace.ts"
import { UnitSights } from "./UnitSights.ts"
import { Versions } from "./Versions.ts"

type Memberships = ReadonlyMap<string, ReadonlySet<CohortId>>

interface Place {
  readonly environmentId: EnvironmentId
  readonly unitType: UnitType
}

/** Assignments to be stored for the units of one request, decided on the experiments `all`. */
interface Request {
  readonly place: Place
  readonly all: ReadonlyArray<Running>
  readonly wanted: ReadonlyArray<Wanted>
}

/** Assignments that one transaction stores, unless a single request wants more. */
const rowsAtOnce = 1000

/** Each unit takes one turn of an experiment, also where two of its requests came at once. */
const onceEach = (wanted: ReadonlyArray<Wanted>): ReadonlyArray<Wanted> => [
  ...new Map(wanted.map((each) => [`${each.running.experiment.id} ${each.unit.distinctId}`, each])).values()
]

const nowhere: ReadonlySet<CohortId> = new Set()

const isForNewUsers = ({ experiment }: Running): boolean => experiment.targeting.newUsersOnly

const needsCohorts = ({ experiment }: Running): boolean => experiment.targeting.cohortIds.length > 0

/** Decides which groups units are in, and stores the decisions. Its callers check permissions. */
export class Enrolment extends Effect.Service<Enrolment>()("services/game/Enrolment", {
  scoped: Effect.gen(function* () {
    const assignments = yield* AssignmentRepo
    const experiments = yield* ExperimentRepo
    const members = yield* CohortMembers
    const runningExperiments = yield* RunningExperiments
    const sights = yield* UnitSights
    const transaction = yield* Transaction
    const versions = yield* Versions

    /** If the cohort store is overloaded, treats the units as non-members; they will be enrolled at their next request. */
    const membershipsOf = Effect.fnUntraced(function* (
      environmentId: EnvironmentId,
      asked: ReadonlyArray<Running>,
      distinctIds: ReadonlyArray<string>
    ) {
      if (asked.length === 0) return new Map<string, Set<CohortId>>() satisfies Memberships
      const cohortIds = new Set(asked.flatMap(({ experiment }) => experiment.targeting.cohortIds))
      const found = new Map<string, Set<CohortId>>(distinctIds.map((id) => [id, new Set()]))
      for (const cohortId of cohortIds) {
        const stays = yield* members
          .membership(environmentId, cohortId, distinctIds, null)
          .pipe(
            Effect.catchAll((reason) =>
              Effect.as(Effect.logWarning("The members of a cohort could not be read", reason), [])
            )
          )
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

    /** The group whose turn it is for each of these, as if they came one after the other. */
    const turns = Effect.fnUntraced(function* ({ experiment, subject }: Running, count: number) {
      const totals = yield* assignments.totals(experiment.id)
      const tallies = subject.groups.map(({ id, weight }) => ({
        id,
        weight,
        assigned: totals.filter(({ groupId }) => groupId === id).reduce((sum, total) => sum + total.count, 0)
      }))
      return Array.makeBy(count, () => {
        const chosen = next(tallies)
        const tally = chosen === null ? undefined : tallies[chosen]
        if (tally !== undefined) tally.assigned++
        return tally?.id ?? null
      })
    })

    /** Reads the experiment again only where somebody has written it since it was read. */
    const stillRuns = Effect.fnUntraced(function* (
      { experiment }: Running,
      revisions: ReadonlyMap<ExperimentId, number>,
      now: number
    ) {
      const known = revisions.get(experiment.id) === experiment.revision
      const found = known ? Option.some(experiment) : yield* experiments.find(experiment.environmentId, experiment.id)
      return Option.isSome(found) && at(found.value, now).progress.status === "active"
    })

    /** Stores new assignments. Runs in a transaction, so that nobody joins an experiment that has just ended and round-robin turns stay in order. */
    const keep = Effect.fnUntraced(function* (place: Place, wanted: ReadonlyArray<Wanted>) {
      const now = yield* Clock.currentTimeMillis
      const taken = Array.empty<StoredAssignment>()
      const revisions = yield* experiments.revisions(place.environmentId)
      for (const running of new Set(wanted.map((each) => each.running))) {
        if (!(yield* stillRuns(running, revisions, now))) continue
        const own = wanted.filter((each) => each.running === running)
        const waiting = own.filter(({ decision }) => decision.type === "enrolNext")
        const given = waiting.length === 0 ? [] : yield* turns(running, waiting.length)
        for (const { unit, decision } of own) {
          const groupId = decision.type === "enrol" ? decision.groupId : given.shift()
          if (groupId !== null && groupId !== undefined) taken.push(fresh(place, running, unit, groupId, now))
        }
      }
      return taken.length === 0 ? [] : yield* assignments.enrol(place.environmentId, taken)
    })

    const heldBy = Effect.fnUntraced(function* (
      { environmentId, unitType }: Place,
      distinctIds: ReadonlyArray<string>
    ) {
      const held = new Map(distinctIds.map((id) => [id, new Map<ExperimentId, StoredAssignment>()]))
      for (const each of yield* assignments.ofUnits(environmentId, unitType, distinctIds))
        held.get(each.distinctId)?.set(each.experimentId, each)
      return held
    })

    /** Stores what requests want, those that rest on the same experiments together, and answers the assignments of each. */
    const keepAll = Effect.fnUntraced(function* (requests: ReadonlyArray<Request>) {
      const kept = new Map<Request, ReadonlyArray<StoredAssignment>>()
      for (const alike of groupBy(requests, ({ all }) => all).values())
        for (const group of Object.values(Array.groupBy(alike, ({ place }) => place.unitType))) {
          const wanted = onceEach(group.flatMap((request) => request.wanted))
          const byUnit = groupBy(yield* keep(group[0].place, wanted), ({ distinctId }) => distinctId)
          for (const request of group)
            kept.set(
              request,
              [...new Set(request.wanted.map(({ unit }) => unit.distinctId))].flatMap((id) => byUnit.get(id) ?? [])
            )
        }
      return requests.map((request) => kept.get(request) ?? [])
    })

    const requestKept = yield* makeGroups({
      most: rowsAtOnce,
      sizeOf: ({ wanted }: Request) => wanted.length,
      handle: (requests) =>
        orWithoutSpace<ReadonlyArray<ReadonlyArray<StoredAssignment> | null>, never, never>(
          transaction.run(keepAll(requests)),
          requests.map(() => null)
        )
    })

    /**
     * On a full disk nobody new is enrolled: who asks is answered without, and enrolled at a later request. The version advances, so
     * that no answer without is kept.
     */
    const enrol = Effect.fnUntraced(function* (request: Request) {
      const { place, wanted } = request
      if (wanted.length === 0) return []
      const byId = new Map(wanted.map(({ running }) => [running.experiment.id, running]))
      const kept = yield* requestKept(request)
      if (kept === null) {
        versions.assignments(place.environmentId).advance()
        return []
      }
      return kept.flatMap((assignment) => {
        const running = byId.get(assignment.experimentId)
        return running === undefined ? [] : enrolled(running, assignment, assignment.status === "active")
      })
    })

    /** The assignments of each unit by ascending id of the experiment, after enrolling it where it may be. Unenrolled ones have no changeset. */
    const of = Effect.fnUntraced(function* (
      place: Place,
      units: ReadonlyArray<EnrollingUnit>,
      isAsked: (running: Running) => boolean
    ) {
      const ofEveryType = yield* runningExperiments.of(place.environmentId)
      const all = ofEveryType.filter(({ experiment }) => experiment.unitType === place.unitType)
      const asked = all.filter(isAsked)
      const answers = new Map<string, Enrolled[]>(units.map(({ distinctId }) => [distinctId, []]))
      if (asked.length === 0) {
        yield* sights.saw(place, [...answers.keys()])
        return answers
      }
      const held = yield* heldBy(place, [...answers.keys()])
      const memberships = yield* membershipsOf(place.environmentId, asked.filter(needsCohorts), [...answers.keys()])
      const firstSeen = asked.some(isForNewUsers)
        ? yield* sights.firstSeen(place, [...answers.keys()])
        : yield* Effect.as(sights.saw(place, [...answers.keys()]), new Map<string, number>())
      const now = yield* Clock.currentTimeMillis
      const admitted = [...new Map(units.map((unit) => [unit.distinctId, unit])).values()].map((unit) =>
        admit(
          all,
          asked,
          {
            ...unit,
            held: held.get(unit.distinctId) ?? new Map(),
            cohorts: memberships.get(unit.distinctId) ?? nowhere,
            firstSeenAt: firstSeen.get(unit.distinctId) ?? null
          },
          now
        )
      )
      const fresh = yield* enrol({
        place,
        all: ofEveryType,
        wanted: admitted.flatMap(({ wanted }) => wanted)
      })
      for (const each of [...admitted.flatMap((unit) => unit.enrolled), ...fresh])
        answers.get(each.assignment.distinctId)?.push(each)
      if (fresh.length > 0)
        for (const own of answers.values()) own.sort((a, b) => a.running.experiment.id - b.running.experiment.id)
      return answers
    })

    return { of } as const
  })
}) {}

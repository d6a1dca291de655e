import { Array, Clock, Effect } from "effect"
import {
  admit,
  type Enrolled,
  enrolled,
  type EnrollingUnit,
  type Running,
  type Wanted
} from "../../domain/experiments/Admission.ts"
import { asksForMore, asksForSights } from "../../domain/experiments/Targeting.ts"
import type { StoredAssignment } from "../../domain/experiments/StoredAssignment.ts"
import type { CohortId, EnvironmentId, ExperimentId } from "../../domain/Ids.ts"
import { AssignmentRepo } from "../../ports/experiments/AssignmentRepo.ts"
import { CohortMembers } from "../../ports/cohorts/CohortMembers.ts"
import { RunningExperiments, type RunningNow } from "../experiments/RunningExperiments.ts"
import type { EnrolmentPlace, EnrolmentRequest } from "./EnrolmentRequest.ts"
import { type Kept, makeEnrolmentWrites } from "./EnrolmentWrites.ts"
import { makeGroups } from "../Groups.ts"
import { UnitSights } from "./UnitSights.ts"
import { Versions } from "./Versions.ts"

type Memberships = ReadonlyMap<string, ReadonlySet<CohortId>>

const nowhere: ReadonlySet<CohortId> = new Set()

/** Units of one place, and which of the experiments that run there are asked about for them. */
export interface EnrolmentQuestion {
  readonly place: EnrolmentPlace
  readonly units: ReadonlyArray<EnrollingUnit>
  readonly isAsked: (running: Running) => boolean
  /** Whether the units are exposed to all that they enter. */
  readonly exposes: boolean
}

interface HeldQuestion {
  readonly place: EnrolmentPlace
  readonly distinctIds: ReadonlyArray<string>
}

/** Units, each of them among `distinctIds`, for which the experiments `asked` are asked about. */
interface Question extends HeldQuestion {
  readonly units: ReadonlyArray<EnrollingUnit>
  readonly running: RunningNow
  readonly asked: ReadonlyArray<Running>
  readonly exposes: boolean
}

type Held = ReadonlyMap<string, ReadonlyMap<ExperimentId, StoredAssignment>>

const noneHeld: Held = new Map()

/** What is known of units. Where nobody asked for cohorts or first sights there are none. */
interface Known {
  readonly held: Held
  readonly cohorts?: Memberships
  readonly firstSeen?: ReadonlyMap<string, number> | undefined
}

/** What applies to the units of a question already, and what is to be stored for it. */
interface Admitted {
  readonly distinctIds: ReadonlyArray<string>
  readonly enrolled: ReadonlyArray<Enrolled>
  readonly request: EnrolmentRequest
}

/** For each unit its assignments by ascending id of the experiment. Unenrolled ones have no changeset. */
export type EnrolmentAnswer = ReadonlyMap<string, ReadonlyArray<Enrolled>>

const sizeOf = ({ distinctIds }: HeldQuestion): number => distinctIds.length

/** The most assignments that a question may read and store. */
const rowsOf = ({ distinctIds, asked }: Question): number => distinctIds.length * Math.max(1, asked.length)

const admitAll = (question: Question, { held, cohorts, firstSeen }: Known, now: number): Admitted => {
  const { place, units, distinctIds, running, asked, exposes } = question
  const admitted = [...new Map(units.map((unit) => [unit.distinctId, unit])).values()].map((unit) => {
    const { distinctId } = unit
    const known = {
      ...unit,
      held: held.get(distinctId) ?? new Map(),
      cohorts: cohorts?.get(distinctId) ?? nowhere,
      firstSeenAt: firstSeen?.get(distinctId) ?? null
    }
    return admit(running.layered, asked, known, now)
  })
  return {
    distinctIds,
    enrolled: admitted.flatMap((unit) => unit.enrolled),
    request: { place, all: running.running, wanted: admitted.flatMap(({ wanted }) => wanted), exposes }
  }
}

const answerOf = ({ distinctIds, enrolled }: Admitted, fresh: ReadonlyArray<Enrolled>): EnrolmentAnswer => {
  const answers = new Map<string, Enrolled[]>(distinctIds.map((id) => [id, []]))
  for (const all of [enrolled, fresh]) for (const each of all) answers.get(each.assignment.distinctId)?.push(each)
  if (fresh.length > 0)
    for (const own of answers.values()) own.sort((a, b) => a.running.experiment.id - b.running.experiment.id)
  return answers
}

/** The most units that one statement reads, unless a single request asks for more. */
const unitsAtOnce = 1000

/** The most assignments of requests that are answered together, unless a single one asks for more: they are read and stored in one turn of the event loop. */
export const assignmentsAtOnce = 2500

const placeOf = ({ place }: HeldQuestion): string => `${place.environmentId} ${place.unitType}`

const needsSights = ({ experiment }: Running): boolean => asksForSights(experiment.targeting)

const needsCohorts = ({ experiment }: Running): boolean => experiment.targeting.cohortIds.length > 0

/** Whether the assignments of the units are all that has to be read: no experiment needs cohorts or first sights. */
const isPlain = ({ asked }: Question): boolean => !asked.some(({ experiment }) => asksForMore(experiment.targeting))

const questionOf = ({ place, units, isAsked, exposes }: EnrolmentQuestion, running: RunningNow): Question => {
  const asked = running.running.filter((each) => each.experiment.unitType === place.unitType && isAsked(each))
  const distinctIds = [...new Set(units.map(({ distinctId }) => distinctId))]
  return { place, units, distinctIds, running, asked, exposes }
}

/** Decides which groups units are in, and stores the decisions. Its callers check permissions. */
export class Enrolment extends Effect.Service<Enrolment>()("services/game/Enrolment", {
  scoped: Effect.gen(function* () {
    const assignments = yield* AssignmentRepo
    const members = yield* CohortMembers
    const runningExperiments = yield* RunningExperiments
    const sights = yield* UnitSights
    const { store, storeAll } = yield* makeEnrolmentWrites
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
              Effect.as(Effect.logWarning(`The members of cohort ${cohortId} could not be read`, reason), [])
            )
          )
        for (const [index, { isMember }] of stays.entries())
          if (isMember) found.get(distinctIds[index] ?? "")?.add(cohortId)
      }
      return found satisfies Memberships
    })

    /** What units hold, for each question. */
    const heldTogether = Effect.fnUntraced(function* (questions: ReadonlyArray<HeldQuestion>) {
      const answers = new Map<HeldQuestion, Held>()
      for (const alike of Object.values(Array.groupBy(questions, placeOf))) {
        const { environmentId, unitType } = alike[0].place
        const distinctIds = [...new Set(alike.flatMap((question) => question.distinctIds))]
        const held = new Map(distinctIds.map((id) => [id, new Map<ExperimentId, StoredAssignment>()]))
        for (const each of yield* assignments.ofUnits(environmentId, unitType, distinctIds))
          held.get(each.distinctId)?.set(each.experimentId, each)
        for (const question of alike) answers.set(question, held)
      }
      return answers
    })

    /** Questions of the same moment are read with one statement: a statement costs more than the rows of a unit. */
    const heldBy = yield* makeGroups({
      most: unitsAtOnce,
      sizeOf,
      handle: (questions: ReadonlyArray<HeldQuestion>) =>
        Effect.map(heldTogether(questions), (held) => questions.map((each) => held.get(each) ?? noneHeld))
    })

    /**
     * What was stored, for its experiments. On a full disk nobody new is enrolled: such a unit is answered as one that is in no
     * experiment, and is enrolled at a later request. The version advances, so that no cache keeps that answer.
     */
    const entered = ({ environmentId }: EnrolmentPlace, wanted: ReadonlyArray<Wanted>, kept: Kept) => {
      if (kept === null) versions.assignments(environmentId).advance()
      const byId = new Map(wanted.map(({ running }) => [running.experiment.id, running]))
      return (kept ?? []).flatMap(({ assignment, isFresh }) => {
        const running = byId.get(assignment.experimentId)
        return running === undefined ? [] : enrolled(running, assignment, assignment.status === "active", isFresh)
      })
    }

    /** Enrols the units of plain questions with one read and one commit. */
    const enrolTogether = Effect.fnUntraced(function* (questions: ReadonlyArray<Question>) {
      yield* sights.saw(questions)
      const held = yield* heldTogether(questions.filter(({ asked }) => asked.length > 0))
      const now = yield* Clock.currentTimeMillis
      const admitted = questions.map((each) => admitAll(each, { held: held.get(each) ?? noneHeld }, now))
      const asking = admitted.filter(({ request }) => request.wanted.length > 0)
      const kept = asking.length === 0 ? [] : yield* storeAll(asking.map(({ request }) => request))
      const stored = new Map(asking.map((each, index) => [each, kept[index] ?? null]))
      return admitted.map((each) => {
        const own = stored.get(each)
        return answerOf(each, own === undefined ? [] : entered(each.request.place, each.request.wanted, own))
      })
    })

    const together = yield* makeGroups({ most: assignmentsAtOnce, sizeOf: rowsOf, handle: enrolTogether })

    /**
     * Enrols the units of a question for which cohorts or first sights have to be read, by itself, so that no other question waits for
     * that.
     */
    const enrolAlone = Effect.fnUntraced(function* (question: Question) {
      const { place, asked, distinctIds } = question
      const held = yield* heldBy.ask(question)
      const cohorts = yield* membershipsOf(place.environmentId, asked.filter(needsCohorts), distinctIds)
      const firstSeen = asked.some(needsSights)
        ? yield* sights.firstSeen(place, distinctIds)
        : yield* Effect.as(sights.saw([question]), undefined)
      const admitted = admitAll(question, { held, cohorts, firstSeen }, yield* Clock.currentTimeMillis)
      const { request } = admitted
      if (request.wanted.length === 0) return answerOf(admitted, [])
      return answerOf(admitted, entered(place, request.wanted, yield* store(request)))
    })

    /** The assignments of units, after enrolling them where they may be, together with those of others who ask at the same time. */
    const of = Effect.fnUntraced(function* (asked: EnrolmentQuestion) {
      const question = questionOf(asked, yield* runningExperiments.now(asked.place.environmentId))
      return yield* isPlain(question) ? together.ask(question) : enrolAlone(question)
    })

    /** The same for all of these together, in their order. Those that are not plain keep the others waiting. */
    const ofAll = Effect.fnUntraced(function* (asked: ReadonlyArray<EnrolmentQuestion>) {
      const running = new Map<EnvironmentId, RunningNow>()
      for (const { environmentId } of new Set(asked.map(({ place }) => place)))
        if (!running.has(environmentId)) running.set(environmentId, yield* runningExperiments.now(environmentId))
      const questions = asked.flatMap((each) => {
        const found = running.get(each.place.environmentId)
        return found === undefined ? [] : [questionOf(each, found)]
      })
      const plain = questions.filter(isPlain)
      const answers = new Map(Array.zip(plain, yield* enrolTogether(plain)))
      const found: Array<EnrolmentAnswer> = []
      for (const each of questions) found.push(answers.get(each) ?? (yield* enrolAlone(each)))
      return found
    })

    return { of, ofAll } as const
  })
}) {}

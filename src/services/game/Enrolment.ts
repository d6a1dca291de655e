import { Array, Clock, Effect } from "effect"
import { groupBy } from "../../domain/analytics/filter/Grouping.ts"
import { admit, type Enrolled, enrolled, type EnrollingUnit, type Running } from "../../domain/experiments/Admission.ts"
import type { StoredAssignment } from "../../domain/experiments/StoredAssignment.ts"
import type { CohortId, EnvironmentId, ExperimentId } from "../../domain/Ids.ts"
import { AssignmentRepo } from "../../ports/experiments/AssignmentRepo.ts"
import { CohortMembers } from "../../ports/cohorts/CohortMembers.ts"
import { RunningExperiments } from "../experiments/RunningExperiments.ts"
import { type EnrolmentPlace, type EnrolmentRequest, makeEnrolmentWrites } from "./EnrolmentWrites.ts"
import { makeGroups } from "../Groups.ts"
import { UnitSights } from "./UnitSights.ts"
import { Versions } from "./Versions.ts"

type Memberships = ReadonlyMap<string, ReadonlySet<CohortId>>

const nowhere: ReadonlySet<CohortId> = new Set()

interface HeldQuestion {
  readonly place: EnrolmentPlace
  readonly distinctIds: ReadonlyArray<string>
}

/** Units that one statement reads, unless a single request asks for more. */
const unitsAtOnce = 1000

const placeOf = ({ place }: HeldQuestion): string => `${place.environmentId} ${place.unitType}`

const isForNewUsers = ({ experiment }: Running): boolean => experiment.targeting.newUsersOnly

const needsCohorts = ({ experiment }: Running): boolean => experiment.targeting.cohortIds.length > 0

/** Decides which groups units are in, and stores the decisions. Its callers check permissions. */
export class Enrolment extends Effect.Service<Enrolment>()("services/game/Enrolment", {
  scoped: Effect.gen(function* () {
    const assignments = yield* AssignmentRepo
    const members = yield* CohortMembers
    const runningExperiments = yield* RunningExperiments
    const sights = yield* UnitSights
    const store = yield* makeEnrolmentWrites
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

    const heldTogether = Effect.fnUntraced(function* (questions: ReadonlyArray<HeldQuestion>) {
      const answers = new Map<HeldQuestion, ReadonlyMap<string, ReadonlyMap<ExperimentId, StoredAssignment>>>()
      for (const alike of Object.values(Array.groupBy(questions, placeOf))) {
        const { environmentId, unitType } = alike[0].place
        const distinctIds = [...new Set(alike.flatMap((question) => question.distinctIds))]
        const kept = groupBy(
          yield* assignments.ofUnits(environmentId, unitType, distinctIds),
          (each) => each.distinctId
        )
        const held = new Map(
          distinctIds.map((id) => [id, new Map(kept.get(id)?.map((each) => [each.experimentId, each]))])
        )
        for (const question of alike) answers.set(question, held)
      }
      return questions.map((question) => answers.get(question) ?? new Map())
    })

    /** What units hold. Requests that come at the same time are read with one statement: each costs more than the rows of a unit. */
    const heldBy = yield* makeGroups({
      most: unitsAtOnce,
      sizeOf: ({ distinctIds }: HeldQuestion) => distinctIds.length,
      handle: heldTogether
    })

    /**
     * On a full disk nobody new is enrolled: who asks is answered without, and enrolled at a later request. The version advances, so
     * that no answer without is kept.
     */
    const enrol = Effect.fnUntraced(function* (request: EnrolmentRequest) {
      const { place, wanted } = request
      if (wanted.length === 0) return []
      const byId = new Map(wanted.map(({ running }) => [running.experiment.id, running]))
      const kept = yield* store(request)
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
      place: EnrolmentPlace,
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
      const held = yield* heldBy({ place, distinctIds: [...answers.keys()] })
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

import { Array, Clock, Effect, Option } from "effect"
import { groupBy } from "../../domain/analytics/filter/Grouping.ts"
import { isElsewhere, type Running, type Wanted } from "../../domain/experiments/Admission.ts"
import { enrol } from "../../domain/experiments/Decision.ts"
import { entering, isActiveAt } from "../../domain/experiments/Entering.ts"
import { assignedTo, next } from "../../domain/experiments/RoundRobin.ts"
import type { StoredAssignment } from "../../domain/experiments/StoredAssignment.ts"
import { at, type StoredExperiment, subjectOf } from "../../domain/experiments/StoredExperiment.ts"
import type { Exposure } from "../../domain/experiments/Exposure.ts"
import type { EnvironmentId, ExperimentId } from "../../domain/Ids.ts"
import { AssignmentRepo } from "../../ports/experiments/AssignmentRepo.ts"
import { ExposureRepo } from "../../ports/experiments/ExposureRepo.ts"
import { ExperimentRepo } from "../../ports/experiments/ExperimentRepo.ts"
import { Transaction } from "../../ports/operations/Transaction.ts"
import { enrolmentLock } from "../experiments/EnrolmentLock.ts"
import { makeHeldByUnits } from "../experiments/HeldByUnits.ts"
import { makeGroups } from "../Groups.ts"
import type { EnrolmentRequest, KeptAssignment } from "./EnrolmentRequest.ts"
import { isKnown, makeKnownEnrolments } from "./KnownEnrolments.ts"
import { orWithoutSpace } from "../WithoutSpace.ts"

/** Null where the disk is full. */
export type Kept = ReadonlyArray<KeptAssignment> | null

/** Assignments that one transaction stores, unless a single request wants more. */
const rowsAtOnce = 1000

/** Each unit takes one turn of an experiment, also where two of its requests came at once. */
const onceEach = (wanted: ReadonlyArray<Wanted>): ReadonlyArray<Wanted> => [
  ...new Map(wanted.map((each) => [`${each.running.experiment.id} ${each.unit.distinctId}`, each])).values()
]

/** In one order for all processes, so that none holds what another waits for. */
const locksOf = (requests: ReadonlyArray<EnrolmentRequest>): ReadonlyArray<string> =>
  [...new Set(requests.map(({ place }) => place.environmentId))].toSorted((a, b) => a - b).map(enrolmentLock)

const exposureOf =
  (environmentId: EnvironmentId, at: number) =>
  ({ assignment: { experimentId, unitType, distinctId, automaticGroupId } }: KeptAssignment): ReadonlyArray<Exposure> =>
    automaticGroupId === null
      ? []
      : [{ environmentId, experimentId, unitType, distinctId, groupId: automaticGroupId, at }]

/** The same with the experiment as somebody has written it since: of what decides, percent and weights may be others. */
const asOf = ({ subject }: Running, experiment: StoredExperiment): Running => ({
  experiment,
  subject: subjectOf(experiment, subject.exclusionLayer)
})

/** Whom the experiment takes as it is now, where `wanted` was decided before. Its targeting never changes. */
const decidedOn = (running: Running, wanted: Wanted): ReadonlyArray<Wanted> => {
  if (running === wanted.running) return [wanted]
  const decision = enrol(running.subject, wanted.unit.distinctId)
  return decision.type === "enrol" || decision.type === "enrolNext" ? [{ ...wanted, running, decision }] : []
}

/**
 * Stores new assignments. `storeAll` stores those of several requests in one transaction, `store` those of a request with those of others that
 * come at the same time. Both answer the assignments of each request's units as they are stored.
 */
export const makeEnrolmentWrites = Effect.gen(function* () {
  const assignments = yield* AssignmentRepo
  const experiments = yield* ExperimentRepo
  const exposures = yield* ExposureRepo
  const transaction = yield* Transaction
  const keepKnown = yield* makeKnownEnrolments
  const heldByUnits = yield* makeHeldByUnits

  /** The group whose turn it is for each of these, as if they came one after the other. */
  const turns = Effect.fnUntraced(function* ({ experiment, subject }: Running, count: number) {
    const assigned = assignedTo(subject.groups, yield* assignments.totals(experiment.id))
    const tallies = subject.groups.map(({ id, weight }, ordinal) => ({
      id,
      weight,
      assigned: (assigned[ordinal] ?? 0) - (experiment.assignedBefore[ordinal] ?? 0)
    }))
    return Array.makeBy(count, () => {
      const chosen = next(tallies)
      const tally = chosen === null ? undefined : tallies[chosen]
      if (tally !== undefined) tally.assigned++
      return tally?.id ?? null
    })
  })

  /** The experiment as it is now, read again only where somebody has written it since it was read. */
  const present = Effect.fnUntraced(function* (
    running: Running,
    revisions: ReadonlyMap<ExperimentId, number>,
    now: number
  ) {
    const { id, environmentId, revision } = running.experiment
    if (revisions.get(id) === revision) return isActiveAt(running, now) ? running : null
    const found = yield* experiments.find(environmentId, id)
    return Option.isSome(found) && isActiveAt({ experiment: found.value }, now)
      ? asOf(running, at(found.value, now))
      : null
  })

  /** Those that are in no other experiment of the layer, into which somebody may have put them since they were decided upon. */
  const outsideLayers = Effect.fnUntraced(function* ({ place }: EnrolmentRequest, wanted: ReadonlyArray<Wanted>) {
    const inLayers = wanted.filter(({ running }) => running.experiment.exclusionLayer !== null)
    if (inLayers.length === 0) return wanted
    const distinctIds = inLayers.map(({ unit }) => unit.distinctId)
    const { held, layered } = yield* heldByUnits(place.environmentId, place.unitType, distinctIds)
    return wanted.filter(({ running, unit }) => {
      const own = held.get(unit.distinctId)
      return own === undefined || !isElsewhere(running.experiment, layered, own)
    })
  })

  /** Stores new assignments. Runs under the lock of the environment. */
  const keep = Effect.fnUntraced(function* (request: EnrolmentRequest, decided: ReadonlyArray<Wanted>) {
    const { environmentId } = request.place
    const wanted = yield* outsideLayers(request, decided)
    const now = yield* Clock.currentTimeMillis
    const taken = Array.empty<StoredAssignment>()
    const revisions = yield* experiments.revisions(environmentId)
    for (const read of new Set(wanted.map((each) => each.running))) {
      const running = yield* present(read, revisions, now)
      if (running === null) continue
      const own = wanted.flatMap((each) => (each.running === read ? decidedOn(running, each) : []))
      const waiting = own.filter(({ decision }) => decision.type === "enrolNext")
      const given = waiting.length === 0 ? [] : yield* turns(running, waiting.length)
      for (const each of own) {
        const groupId = each.decision.type === "enrol" ? each.decision.groupId : given.shift()
        if (groupId !== null && groupId !== undefined)
          taken.push(entering(request.place.unitType, each, groupId, now, request.exposes))
      }
    }
    if (taken.length === 0) return []
    const isNew = new Set(taken)
    const kept = (yield* assignments.enrol(environmentId, taken)).map((assignment) => ({
      assignment,
      isFresh: isNew.has(assignment)
    }))
    const exposed = request.exposes ? kept.filter(({ isFresh }) => isFresh) : []
    if (exposed.length > 0) yield* exposures.note(exposed.flatMap(exposureOf(environmentId, now)))
    return kept
  })

  /** Stores what requests want, those that rest on the same experiments together, and answers the assignments of each. */
  const keepAll = Effect.fnUntraced(function* (requests: ReadonlyArray<EnrolmentRequest>) {
    const kept = new Map<EnrolmentRequest, ReadonlyArray<KeptAssignment>>()
    for (const alike of groupBy(requests, ({ all }) => all).values())
      for (const group of Object.values(Array.groupBy(alike, ({ place, exposes }) => `${place.unitType} ${exposes}`))) {
        const wanted = onceEach(group.flatMap((request) => request.wanted))
        const byUnit = groupBy(yield* keep(group[0], wanted), ({ assignment }) => assignment.distinctId)
        for (const request of group)
          kept.set(
            request,
            [...new Set(request.wanted.map(({ unit }) => unit.distinctId))].flatMap((id) => byUnit.get(id) ?? [])
          )
      }
    return requests.map((request) => kept.get(request) ?? [])
  })

  /** In one commit where all groups are known, which is the rule. */
  const keepTogether = Effect.fnUntraced(function* (requests: ReadonlyArray<EnrolmentRequest>) {
    const known = requests.filter(isKnown)
    const kept = new Map(Array.zip(known, known.length === 0 ? [] : yield* keepKnown(known, locksOf(known))))
    const others = requests.filter((request) => (kept.get(request) ?? null) === null)
    const rest = others.length === 0 ? [] : yield* transaction.run(keepAll(others), locksOf(others))
    for (const [at, request] of others.entries()) kept.set(request, rest[at] ?? [])
    return requests.map((request) => kept.get(request) ?? [])
  })

  const storeAll = (requests: ReadonlyArray<EnrolmentRequest>) =>
    orWithoutSpace<ReadonlyArray<Kept>, never, never>(
      keepTogether(requests),
      requests.map(() => null)
    )

  const store = yield* makeGroups({
    most: rowsAtOnce,
    sizeOf: ({ wanted }: EnrolmentRequest) => wanted.length,
    handle: storeAll
  })

  return { store: store.ask, storeAll } as const
})

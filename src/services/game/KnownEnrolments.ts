import { Clock, Effect } from "effect"
import { groupBy } from "../../domain/analytics/filter/Grouping.ts"
import { entering, isActiveAt } from "../../domain/experiments/Entering.ts"
import type { StoredAssignment } from "../../domain/experiments/StoredAssignment.ts"
import type { EnvironmentId, ExperimentId } from "../../domain/Ids.ts"
import { type EnrolmentBatch, EnrolmentRepo } from "../../ports/experiments/EnrolmentRepo.ts"
import type { EnrolmentRequest, KeptAssignment } from "./EnrolmentRequest.ts"

/**
 * Whether every group is known before anything is read: no experiment of the request takes turns, and none has a layer, in which somebody may
 * have put a unit into another experiment since its assignments were read.
 */
export const isKnown = ({ wanted }: EnrolmentRequest): boolean =>
  wanted.every(({ running, decision }) => decision.type === "enrol" && running.experiment.exclusionLayer === null)

/** No experiment has this revision, so that a batch that names it is decided again. */
const noRevision = -1

/**
 * What these requests want in an environment. Each unit enters an experiment once, also where two of its requests came at once. Requests that
 * have read an experiment at two revisions are decided again together.
 */
const batchOf = (
  environmentId: EnvironmentId,
  requests: ReadonlyArray<EnrolmentRequest>,
  now: number
): EnrolmentBatch => {
  const revisions = new Map<ExperimentId, number>()
  const assignments: Array<StoredAssignment> = []
  const entered = new Map<ExperimentId, Set<string> | null>()
  for (const { place, wanted, exposes } of requests)
    for (const each of wanted) {
      const { running, unit, decision } = each
      const { id, revision } = running.experiment
      let units = entered.get(id)
      if (units === undefined) {
        units = isActiveAt(running, now) ? new Set() : null
        entered.set(id, units)
        revisions.set(id, revision)
      } else if (revisions.get(id) !== revision) revisions.set(id, noRevision)
      if (units === null || units.has(unit.distinctId) || decision.type !== "enrol") continue
      units.add(unit.distinctId)
      assignments.push(entering(place.unitType, each, decision.groupId, now, exposes))
    }
  return { environmentId, revisions, assignments }
}

const unitsOf = ({ wanted }: EnrolmentRequest): ReadonlySet<string> =>
  new Set(wanted.map(({ unit }) => unit.distinctId))

/**
 * Stores what requests want whose groups are all known, in one commit and one step of the store. Null for each that has to be decided
 * again, because somebody has written one of its experiments since it was read.
 */
export const makeKnownEnrolments = Effect.map(EnrolmentRepo, (enrolments) =>
  Effect.fnUntraced(function* (requests: ReadonlyArray<EnrolmentRequest>, locks: ReadonlyArray<string>) {
    const now = yield* Clock.currentTimeMillis
    const places = [...groupBy(requests, ({ place }) => place.environmentId)]
    const batches = places.map(([environmentId, own]) => batchOf(environmentId, own, now))
    const stored = yield* enrolments.enrolAll(batches, locks)
    const kept = new Map<EnrolmentRequest, ReadonlyArray<KeptAssignment>>()
    for (const [at, [, own]] of places.entries()) {
      const found = stored[at]
      if (found === undefined || found === null) continue
      const isNew = new Set(batches[at]?.assignments)
      const told = found.map((assignment) => ({ assignment, isFresh: isNew.has(assignment) }))
      const byUnit = groupBy(told, ({ assignment }) => assignment.distinctId)
      for (const request of own)
        kept.set(
          request,
          [...unitsOf(request)].flatMap((id) => byUnit.get(id) ?? [])
        )
    }
    return requests.map((request) => kept.get(request) ?? null)
  })
)

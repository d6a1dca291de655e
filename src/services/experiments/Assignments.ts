import { Clock, DateTime, Effect, Option } from "effect"
import type {
  AssignmentList,
  AssignmentRecord,
  AssignmentsQuery,
  SetAssignment
} from "../../../schema/experiments/AssignmentRecord.ts"
import { ReferenceInvalid } from "../../../schema/analytics/AnalyticsErrors.ts"
import { AssignmentNotFound, ExperimentEnded, UnitExcluded } from "../../../schema/experiments/ExperimentErrors.ts"
import type { Permission } from "../../domain/access/Permission.ts"
import { clearOverride, reactivate, setByHand, unenrol } from "../../domain/experiments/AssignmentChange.ts"
import type { AssignmentStatus } from "../../domain/experiments/Assignment.ts"
import { exclusionByHand } from "../../domain/experiments/Admission.ts"
import { exclusion } from "../../domain/experiments/Decision.ts"
import { groupIn, type StoredAssignment } from "../../domain/experiments/StoredAssignment.ts"
import { isOpen, type StoredExperiment } from "../../domain/experiments/StoredExperiment.ts"
import type { ExperimentGroupId, ExperimentId } from "../../domain/Ids.ts"
import { AssignmentRepo } from "../../ports/experiments/AssignmentRepo.ts"
import { Transaction } from "../../ports/operations/Transaction.ts"
import type { ApplicationWhere } from "../Where.ts"
import { enrolmentLock } from "./EnrolmentLock.ts"
import { excludedMessage } from "./ExcludedMessage.ts"
import { ExperimentWrite } from "./ExperimentWrite.ts"
import { makeHeldByUnits } from "./HeldByUnits.ts"
import { Policy } from "../access/Policy.ts"
import { Changes } from "../configuration/Changes.ts"
import { RunningExperiments } from "./RunningExperiments.ts"

const recordOf = (assignment: StoredAssignment, groupId: ExperimentGroupId): AssignmentRecord => ({
  distinctId: assignment.distinctId,
  unitType: assignment.unitType,
  groupId,
  automaticGroupId: assignment.automaticGroupId,
  overrideGroupId: assignment.overrideGroupId,
  status: assignment.status,
  source: assignment.source,
  assignmentVersion: assignment.version,
  assignedAt: DateTime.unsafeMake(assignment.assignedAt),
  firstExposedAt: assignment.firstExposedAt === null ? null : DateTime.unsafeMake(assignment.firstExposedAt)
})

const recordsOf = (assignment: StoredAssignment): ReadonlyArray<AssignmentRecord> => {
  const groupId = groupIn(assignment)
  return groupId === null ? [] : [recordOf(assignment, groupId)]
}

/** Which unit is in which group, and how a person changes that. */
export class Assignments extends Effect.Service<Assignments>()("services/experiments/Assignments", {
  effect: Effect.gen(function* () {
    const assignments = yield* AssignmentRepo
    const policy = yield* Policy
    const running = yield* RunningExperiments
    const transaction = yield* Transaction
    const changes = yield* Changes
    const writing = yield* ExperimentWrite
    const heldByUnits = yield* makeHeldByUnits

    const open = Effect.fnUntraced(function* (
      permission: Permission,
      { applicationId, environmentId }: ApplicationWhere,
      id: ExperimentId
    ) {
      const { environment } = yield* policy.environment(permission, applicationId, environmentId)
      return yield* writing.found(environment.id, id)
    })

    const page = Effect.fnUntraced(function* (
      { id }: StoredExperiment,
      { page, pageSize, search, source, groupId }: AssignmentsQuery,
      status: AssignmentStatus | null
    ) {
      const filter = { search: search ?? null, source: source ?? null, status, groupId: groupId ?? null }
      const { items, total } = yield* assignments.page(id, filter, (page - 1) * pageSize, pageSize)
      return { items: items.flatMap(recordsOf), page, pageSize, total } satisfies AssignmentList
    })

    /** All of them, unenrolled ones too. */
    const list = Effect.fnUntraced(function* (place: ApplicationWhere, id: ExperimentId, query: AssignmentsQuery) {
      return yield* page(yield* open("experiments:read", place, id), query, query.status ?? null)
    })

    /** Units that are enrolled, unless another status is asked for. */
    const members = Effect.fnUntraced(function* (place: ApplicationWhere, id: ExperimentId, query: AssignmentsQuery) {
      return yield* page(yield* open("experiments:read", place, id), query, query.status ?? "active")
    })

    const demandOpen = (experiment: StoredExperiment) =>
      isOpen(experiment)
        ? Effect.void
        : Effect.fail(new ExperimentEnded({ message: `Experiment ${experiment.id} has ended` }))

    const missing = ({ id }: StoredExperiment, distinctId: string) =>
      Effect.fail(new AssignmentNotFound({ message: `Experiment ${id} has no unit ${distinctId}` }))

    const kept = Effect.fnUntraced(function* (experiment: StoredExperiment, distinctId: string) {
      const found = yield* assignments.find(experiment.environmentId, experiment.id, distinctId)
      return Option.isSome(found) ? found.value : yield* missing(experiment, distinctId)
    })

    /**
     * What keeps a unit from entering the experiment: another one of the layer that it is in or that has its share, or the holdout. One that was
     * in the experiment keeps its share.
     */
    const demandEntry = Effect.fnUntraced(function* (experiment: StoredExperiment, distinctId: string) {
      const { id, environmentId, unitType } = experiment
      const { held, layered } = yield* heldByUnits(environmentId, unitType, [distinctId])
      const own = held.get(distinctId) ?? new Map<ExperimentId, StoredAssignment>()
      const excluded = exclusionByHand(experiment, layered, own, distinctId)
      if (excluded !== null)
        return yield* Effect.fail(new UnitExcluded({ message: excludedMessage(distinctId, excluded) }))
      if (own.has(id)) return
      const begun = (yield* running.of(environmentId)).find((each) => each.experiment.id === id)
      const share = begun === undefined ? null : exclusion(begun.subject, distinctId)
      if (share !== null) return yield* Effect.fail(new UnitExcluded({ message: excludedMessage(distinctId, share) }))
    })

    const put = Effect.fnUntraced(function* ({ environmentId }: StoredExperiment, changed: StoredAssignment) {
      yield* assignments.put(environmentId, [changed])
      return changed
    })

    /** In one transaction; then nothing is answered from before. */
    const told = <A, E, R>({ applicationId, environmentId }: ApplicationWhere, step: Effect.Effect<A, E, R>) =>
      Effect.flatMap(policy.environment("experiments:write", applicationId, environmentId), ({ environment }) =>
        transaction
          .run(Effect.tap(step, changes.assignmentsChanged(environment.id)), [enrolmentLock(environment.id)])
          .pipe(Effect.uninterruptible)
      )

    const cleared = Effect.fnUntraced(function* (experiment: StoredExperiment, distinctId: string, now: number) {
      const before = yield* kept(experiment, distinctId)
      const after = clearOverride(before, experiment.assignmentMode, now)
      const groupId = groupIn(before)
      if (groupId === null) return yield* missing(experiment, distinctId)
      if (after !== null) return recordOf(yield* put(experiment, after), groupIn(after) ?? groupId)
      yield* assignments.remove(experiment.environmentId, experiment.id, distinctId)
      return recordOf({ ...before, overrideGroupId: null, status: "unenrolled" }, groupId)
    })

    /** Puts a unit into a group by hand; without a group it goes back to the one it had by itself. */
    const set = Effect.fnUntraced(function* (
      place: ApplicationWhere,
      id: ExperimentId,
      { distinctId, groupId, ignoreExclusion }: SetAssignment
    ) {
      const step = Effect.gen(function* () {
        const experiment = yield* open("experiments:write", place, id)
        yield* demandOpen(experiment)
        const now = yield* Clock.currentTimeMillis
        if (groupId === null) return yield* cleared(experiment, distinctId, now)
        if (!experiment.groups.some((group) => group.id === groupId)) {
          return yield* Effect.fail(new ReferenceInvalid({ message: `Experiment ${id} has no group ${groupId}` }))
        }
        const before = Option.getOrNull(yield* assignments.find(experiment.environmentId, id, distinctId))
        if (!ignoreExclusion) yield* demandEntry(experiment, distinctId)
        const unit = { experimentId: id, unitType: experiment.unitType, distinctId }
        return recordOf(yield* put(experiment, setByHand(unit, before, groupId, now)), groupId)
      })
      return (yield* told(place, step)) satisfies AssignmentRecord
    })

    const changed = Effect.fnUntraced(function* <E>(
      place: ApplicationWhere,
      id: ExperimentId,
      distinctId: string,
      change: (before: StoredAssignment, now: number) => StoredAssignment,
      demand: (experiment: StoredExperiment) => Effect.Effect<void, E>
    ) {
      const step = Effect.gen(function* () {
        const experiment = yield* open("experiments:write", place, id)
        yield* demandOpen(experiment)
        const before = yield* kept(experiment, distinctId)
        yield* demand(experiment)
        const after = yield* put(experiment, change(before, yield* Clock.currentTimeMillis))
        const groupId = groupIn(after)
        return groupId === null ? yield* missing(experiment, distinctId) : recordOf(after, groupId)
      })
      return yield* told(place, step)
    })

    const takeOut = (place: ApplicationWhere, id: ExperimentId, distinctId: string) =>
      changed(place, id, distinctId, unenrol, () => Effect.void)

    const bringBack = (place: ApplicationWhere, id: ExperimentId, distinctId: string) =>
      changed(place, id, distinctId, reactivate, (experiment) => demandEntry(experiment, distinctId))

    return { list, members, set, takeOut, bringBack } as const
  })
}) {}

import { Clock, DateTime, Effect, Either, Schema } from "effect"
import type { AssignmentsImported } from "../../../schema/experiments/AssignmentRecord.ts"
import { ImportedAssignment } from "../../../schema/experiments/AssignmentRecord.ts"
import { checkOf, problemsOf } from "../../../schema/Checks.ts"
import { ValidationFailed } from "../../../schema/RequestErrors.ts"
import { ExperimentEnded } from "../../../schema/experiments/ExperimentErrors.ts"
import { setByHand } from "../../domain/experiments/AssignmentChange.ts"
import type { StoredAssignment } from "../../domain/experiments/StoredAssignment.ts"
import { isOpen, type StoredExperiment } from "../../domain/experiments/StoredExperiment.ts"
import type { ExperimentId } from "../../domain/Ids.ts"
import { AssignmentRepo } from "../../ports/experiments/AssignmentRepo.ts"
import { Transaction } from "../../ports/operations/Transaction.ts"
import type { ApplicationWhere } from "../Where.ts"
import { enrolmentLock } from "./EnrolmentLock.ts"
import { ExperimentWrite } from "./ExperimentWrite.ts"
import { Changes } from "../configuration/Changes.ts"
import { Policy } from "../access/Policy.ts"

/** Assignments of one request. */
const maxAssignments = 10_000

/** Units looked up at once. */
const chunk = 500

interface Rejected {
  readonly index: number
  readonly distinctId: string | null
  readonly code: string
  readonly reason: string
}

const decode = Schema.decodeUnknownEither(ImportedAssignment)
const check = checkOf(ImportedAssignment, { isStrict: true })

const distinctIdOf = (item: unknown): string | null =>
  typeof item === "object" && item !== null && "distinctId" in item && typeof item.distinctId === "string"
    ? item.distinctId.slice(0, 256)
    : null

/** Assignments by hand, many at a time: how the groups of an experiment elsewhere come in. */
export class AssignmentImports extends Effect.Service<AssignmentImports>()("services/experiments/AssignmentImports", {
  effect: Effect.gen(function* () {
    const assignments = yield* AssignmentRepo
    const policy = yield* Policy
    const transaction = yield* Transaction
    const changes = yield* Changes
    const writing = yield* ExperimentWrite

    const readItem = ({ id, groups }: StoredExperiment, item: unknown, index: number) => {
      const rejected = (code: string, reason: string): Rejected => ({
        index,
        distinctId: distinctIdOf(item),
        code,
        reason
      })
      const problem = problemsOf(check, item)
      const decoded = decode(item)
      if (problem !== undefined || Either.isLeft(decoded)) {
        return Either.left(rejected("VALIDATION_FAILED", problem ?? "expected an assignment"))
      }
      const { groupId } = decoded.right
      return groups.some((group) => group.id === groupId)
        ? Either.right(decoded.right)
        : Either.left(rejected("REFERENCE_INVALID", `Experiment ${id} has no group ${groupId}`))
    }

    const presentOf = Effect.fnUntraced(function* (
      { id, environmentId, unitType }: StoredExperiment,
      distinctIds: ReadonlyArray<string>
    ) {
      const present = new Map<string, StoredAssignment>()
      for (let start = 0; start < distinctIds.length; start += chunk) {
        const part = distinctIds.slice(start, start + chunk)
        for (const each of yield* assignments.ofUnits(environmentId, unitType, part))
          if (each.experimentId === id) present.set(each.distinctId, each)
      }
      return present
    })

    const write = Effect.fnUntraced(function* (experiment: StoredExperiment, items: ReadonlyArray<ImportedAssignment>) {
      const now = yield* Clock.currentTimeMillis
      const { id: experimentId, unitType, environmentId } = experiment
      const present = yield* presentOf(
        experiment,
        items.map(({ distinctId }) => distinctId)
      )
      for (const { distinctId, groupId, at } of items) {
        const instant = at === undefined ? now : DateTime.toEpochMillis(at)
        const before = present.get(distinctId) ?? null
        present.set(distinctId, setByHand({ experimentId, unitType, distinctId }, before, groupId, instant))
      }
      yield* assignments.put(environmentId, [...present.values()])
    })

    /** Reads them once the caller may write, then writes the good ones, all in one step, and says of each other why not. Of a unit that is there twice the last one holds. */
    const run = Effect.fnUntraced(function* <E, R>(
      { applicationId, environmentId }: ApplicationWhere,
      id: ExperimentId,
      reading: Effect.Effect<ReadonlyArray<unknown>, E, R>
    ) {
      const { environment } = yield* policy.environment("experiments:write", applicationId, environmentId)
      yield* writing.found(environment.id, id)
      const items = yield* reading
      const step = Effect.gen(function* () {
        const experiment = yield* writing.found(environment.id, id)
        if (!isOpen(experiment)) {
          return yield* Effect.fail(new ExperimentEnded({ message: `Experiment ${id} has ended` }))
        }
        if (items.length > maxAssignments) {
          return yield* Effect.fail(new ValidationFailed({ message: `expected at most ${maxAssignments} assignments` }))
        }
        const read = items.map((item, index) => readItem(experiment, item, index))
        const good = read.flatMap((each) => (Either.isRight(each) ? [each.right] : []))
        const rejected = read.flatMap((each) => (Either.isLeft(each) ? [each.left] : []))
        yield* write(experiment, good)
        return { importedCount: good.length, rejectedCount: rejected.length, rejected }
      })
      const imported = transaction
        .run(Effect.tap(step, changes.assignmentsChanged(environment.id)), [enrolmentLock(environment.id)])
        .pipe(Effect.uninterruptible)
      return (yield* imported) satisfies AssignmentsImported
    })

    return { run } as const
  })
}) {}

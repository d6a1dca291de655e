import { Array as Arr, Clock, DateTime, Effect, Either, Schema } from "effect"
import type { AssignmentsImported } from "../../../schema/experiments/AssignmentRecord.ts"
import { ImportedAssignment } from "../../../schema/experiments/AssignmentRecord.ts"
import { checkOf, problemsOf } from "../../../schema/Checks.ts"
import { ValidationFailed } from "../../../schema/RequestErrors.ts"
import { ExperimentEnded } from "../../../schema/experiments/ExperimentErrors.ts"
import { exclusionByHand } from "../../domain/experiments/Admission.ts"
import { setByHand } from "../../domain/experiments/AssignmentChange.ts"
import type { StoredAssignment } from "../../domain/experiments/StoredAssignment.ts"
import { textFlaw } from "../../domain/Characters.ts"
import { isOpen, type StoredExperiment } from "../../domain/experiments/StoredExperiment.ts"
import type { ExperimentId } from "../../domain/Ids.ts"
import { tolerance } from "../../domain/ingest/Marker.ts"
import { AssignmentRepo } from "../../ports/experiments/AssignmentRepo.ts"
import { nextTurn } from "../../ports/operations/NextTurn.ts"
import { Transaction } from "../../ports/operations/Transaction.ts"
import { eachInTurns } from "../InTurns.ts"
import type { ApplicationWhere } from "../Where.ts"
import { enrolmentLock } from "./EnrolmentLock.ts"
import { excludedMessage } from "./ExcludedMessage.ts"
import { ExperimentWrite } from "./ExperimentWrite.ts"
import { makeHeldByUnits } from "./HeldByUnits.ts"
import { Changes } from "../configuration/Changes.ts"
import { Policy } from "../access/Policy.ts"

/** Assignments of one request. */
const maxAssignments = 10_000

/** Items that are read, or written, in one turn of the event loop. */
const itemsPerTurn = 250

interface Rejected {
  readonly index: number
  readonly distinctId: string | null
  readonly code: string
  readonly reason: string
}

interface Good {
  readonly index: number
  readonly item: ImportedAssignment
}

type Read = Either.Either<Good, Rejected>

const decode = Schema.decodeUnknownEither(ImportedAssignment)
const check = checkOf(ImportedAssignment, { isStrict: true })

const distinctIdOf = (item: unknown): string | null =>
  typeof item === "object" && item !== null && "distinctId" in item && typeof item.distinctId === "string"
    ? item.distinctId.slice(0, 256)
    : null

const rejection = (item: unknown, index: number, code: string, reason: string): Rejected => ({
  index,
  distinctId: distinctIdOf(item),
  code,
  reason
})

/** Assignments by hand, many at a time: how the groups of an experiment elsewhere come in. */
export class AssignmentImports extends Effect.Service<AssignmentImports>()("services/experiments/AssignmentImports", {
  effect: Effect.gen(function* () {
    const assignments = yield* AssignmentRepo
    const policy = yield* Policy
    const transaction = yield* Transaction
    const changes = yield* Changes
    const writing = yield* ExperimentWrite
    const heldByUnits = yield* makeHeldByUnits

    const readItem = (item: unknown, index: number): Read => {
      const problem = problemsOf(check, item)
      const decoded = decode(item)
      if (problem !== undefined || Either.isLeft(decoded))
        return Either.left(rejection(item, index, "VALIDATION_FAILED", problem ?? "expected an assignment"))
      const flaw = textFlaw(decoded.right.distinctId)
      return flaw === undefined
        ? Either.right({ index, item: decoded.right })
        : Either.left(rejection(item, index, "VALIDATION_FAILED", `distinctId: expected ${flaw}`))
    }

    const demandGroup = ({ id, groups }: StoredExperiment, read: Read, item: unknown, index: number): Read =>
      Either.filterOrLeft(
        read,
        ({ item: { groupId } }) => groups.some((group) => group.id === groupId),
        ({ item: { groupId } }) =>
          rejection(item, index, "REFERENCE_INVALID", `Experiment ${id} has no group ${groupId}`)
      )

    /** Refuses an instant that is yet to come. As for markers, a clock that is some minutes ahead is forgiven. */
    const demandPast = (read: Read, item: unknown, index: number, now: number): Read =>
      Either.filterOrLeft(
        read,
        ({ item: { at } }) => at === undefined || DateTime.toEpochMillis(at) <= now + tolerance,
        () => rejection(item, index, "VALIDATION_FAILED", "at: expected an instant that is not in the future")
      )

    /**
     * Writes those that nothing keeps out and answers the others. Of a unit that comes twice, the second finds what the first has written. A share
     * of the layer that belongs to another experiment keeps nobody out: these units have been in this one elsewhere.
     */
    const writeSome = Effect.fnUntraced(function* (
      experiment: StoredExperiment,
      items: ReadonlyArray<Good>,
      now: number
    ) {
      const { id: experimentId, unitType, environmentId } = experiment
      const { held, layered } = yield* heldByUnits(
        environmentId,
        unitType,
        items.map(({ item }) => item.distinctId)
      )
      const rejected: Array<Rejected> = []
      const written = new Map<string, StoredAssignment>()
      for (const { index, item } of items) {
        const { distinctId, groupId, at } = item
        const before = written.get(distinctId) ?? held.get(distinctId)?.get(experimentId) ?? null
        const excluded = written.has(distinctId)
          ? null
          : exclusionByHand(experiment, layered, held.get(distinctId) ?? new Map(), distinctId)
        if (excluded !== null) {
          rejected.push(rejection(item, index, "UNIT_EXCLUDED", excludedMessage(distinctId, excluded)))
          continue
        }
        const instant = at === undefined ? now : DateTime.toEpochMillis(at)
        written.set(distinctId, setByHand({ experimentId, unitType, distinctId }, before, groupId, instant))
      }
      yield* assignments.put(environmentId, [...written.values()])
      return rejected
    })

    /** Some of them in each turn of the event loop, all of them in the caller's transaction. */
    const write = Effect.fnUntraced(function* (experiment: StoredExperiment, items: ReadonlyArray<Good>) {
      const now = yield* Clock.currentTimeMillis
      const rejected: Array<Rejected> = []
      for (const some of Arr.chunksOf(items, itemsPerTurn)) {
        yield* nextTurn
        rejected.push(...(yield* writeSome(experiment, some, now)))
      }
      return rejected
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
      const read = items.length > maxAssignments ? [] : yield* eachInTurns(items, itemsPerTurn, readItem)
      const step = Effect.gen(function* () {
        const experiment = yield* writing.found(environment.id, id)
        if (!isOpen(experiment)) {
          return yield* Effect.fail(new ExperimentEnded({ message: `Experiment ${id} has ended` }))
        }
        if (items.length > maxAssignments) {
          return yield* Effect.fail(new ValidationFailed({ message: `expected at most ${maxAssignments} assignments` }))
        }
        const now = yield* Clock.currentTimeMillis
        const known = yield* eachInTurns(read, itemsPerTurn, (each, at) =>
          demandGroup(experiment, demandPast(each, items[at], at, now), items[at], at)
        )
        const [bad, good] = Arr.separate(known)
        const excluded = yield* write(experiment, good)
        const rejected = [...bad, ...excluded].toSorted((one, other) => one.index - other.index)
        return { importedCount: items.length - rejected.length, rejectedCount: rejected.length, rejected }
      })
      const imported = transaction
        .run(Effect.tap(step, changes.assignmentsChanged(environment.id)), [enrolmentLock(environment.id)])
        .pipe(Effect.uninterruptible)
      return (yield* imported) satisfies AssignmentsImported
    })

    return { run } as const
  })
}) {}

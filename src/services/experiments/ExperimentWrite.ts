import { Clock, DateTime, Effect, Either, Option, Schema } from "effect"
import { ExperimentMetrics } from "../../../schema/experiments/ExperimentMetric.ts"
import {
  ExperimentEnded,
  ExperimentInvalid,
  ExperimentLimitReached,
  RolloutConflict
} from "../../../schema/experiments/ExperimentErrors.ts"
import type { LifecycleCommand, LifecycleRefusal } from "../../domain/experiments/Lifecycle.ts"
import { decide } from "../../domain/experiments/Lifecycle.ts"
import { mayBecome, mayBegin, mayBeKept, mayBeKeptAs, mayChange, mostOpen } from "../../domain/experiments/OpenRoom.ts"
import { assignedTo } from "../../domain/experiments/RoundRobin.ts"
import { dueAt } from "../../domain/experiments/Settlement.ts"
import { advance, at, type StoredExperiment } from "../../domain/experiments/StoredExperiment.ts"
import { areSame, weightsOf } from "../../domain/experiments/Weights.ts"
import type { EnvironmentId, ExperimentId } from "../../domain/Ids.ts"
import { timedEvents } from "../../domain/operations/webhooks/ExperimentEvents.ts"
import { AssignmentRepo } from "../../ports/experiments/AssignmentRepo.ts"
import { ExperimentDraftRepo } from "../../ports/experiments/ExperimentDraftRepo.ts"
import { ExperimentRepo } from "../../ports/experiments/ExperimentRepo.ts"
import { Transaction } from "../../ports/operations/Transaction.ts"
import { Turns } from "../../ports/operations/Turns.ts"
import { WebhookQueue } from "../operations/WebhookQueue.ts"
import { updateAfter } from "../BasedOn.ts"
import { Changes } from "../configuration/Changes.ts"
import { CheckedWrites } from "../configuration/CheckedWrites.ts"
import { enrolmentLock } from "./EnrolmentLock.ts"
import { isConflict, refusals } from "./ExperimentRequest.ts"
import { missingExperiment } from "./MissingExperiment.ts"

export const StoredMetrics = Schema.parseJson(ExperimentMetrics)

const lookAgainMillis = 1000

const full = Effect.fail(
  new ExperimentLimitReached({
    message: `An environment has at most ${mostOpen.count} experiments that have not ended, with 16 MiB together: end one first`
  })
)

const keepsMost = Effect.fail(
  new ExperimentLimitReached({
    message:
      "An environment has at most 10,000 experiments, with 64 MiB together, those that have ended included: use another environment"
  })
)

const changedMost = Effect.fail(
  new ExperimentLimitReached({
    message:
      "The rollout and the weights of an experiment change at most 1,000 times, and its rollout has at most 1,000 steps: pause it or end it, and begin another one"
  })
)

const refuse = (refusal: LifecycleRefusal) => {
  const message = refusals[refusal]
  if (refusal === "Ended") return Effect.fail(new ExperimentEnded({ message }))
  return isConflict(refusal)
    ? Effect.fail(new RolloutConflict({ message }))
    : Effect.fail(new ExperimentInvalid({ message }))
}

/** The one way to write an experiment. Asks for no permission: its callers do. */
export class ExperimentWrite extends Effect.Service<ExperimentWrite>()("services/experiments/ExperimentWrite", {
  effect: Effect.gen(function* () {
    const assignments = yield* AssignmentRepo
    const changes = yield* Changes
    const drafts = yield* ExperimentDraftRepo
    const experiments = yield* ExperimentRepo
    const writes = yield* CheckedWrites
    const transaction = yield* Transaction
    const turns = yield* Turns
    const queue = yield* WebhookQueue

    /** The experiment as it is at this moment: starts, steps and ends that are due count, although nothing may have written them yet. */
    const found = Effect.fnUntraced(function* (environmentId: EnvironmentId, id: ExperimentId) {
      const stored = yield* experiments.find(environmentId, id)
      if (Option.isSome(stored)) return at(stored.value, yield* Clock.currentTimeMillis)
      return yield* missingExperiment(drafts, environmentId, id)
    })

    /** Webhooks are told what time has done to an experiment since its first `known` events. */
    const tellTimed = (experiment: StoredExperiment, known: number) => {
      const { applicationId, environmentId, id, name } = experiment
      const object = { kind: "experiments", id: String(id), name }
      const told = timedEvents(experiment, known)
      return Effect.forEach(told, (each) => queue.tellOf(applicationId, { ...each, environmentId, object }), {
        discard: true
      })
    }

    /** The experiment, whose groups begin their turns anew where they have other weights than before: who comes is divided by these alone. */
    const withTurns = Effect.fnUntraced(function* (experiment: StoredExperiment, before: StoredExperiment) {
      const { assignmentMode, groups, id, progress } = experiment
      const isSame = areSame(weightsOf(progress.groups), weightsOf(before.progress.groups))
      if (assignmentMode !== "roundRobin" || isSame) return experiment
      return { ...experiment, assignedBefore: assignedTo(groups, yield* assignments.totals(id)) }
    })

    /** Within the transaction of a write, and until its end alone: nobody is enrolled meanwhile. */
    const keep = Effect.fnUntraced(function* (experiment: StoredExperiment) {
      const { environmentId } = experiment
      const updatedAt = updateAfter(experiment, yield* DateTime.now)
      yield* writes.note(environmentId)
      const found = yield* experiments.find(environmentId, experiment.id)
      const before = Option.getOrElse(found, () => ({ ...experiment, events: [] }))
      yield* tellTimed(experiment, before.events.length)
      const update = Effect.flatMap(withTurns(experiment, before), (counted) =>
        Effect.orDie(Effect.flatten(experiments.update({ ...counted, updatedAt })))
      )
      return yield* transaction.run(update, [enrolmentLock(environmentId)])
    })

    /** What a command makes of an experiment at an instant (epoch milliseconds). */
    const commanded = Effect.fnUntraced(function* (
      experiment: StoredExperiment,
      command: LifecycleCommand,
      now: number
    ) {
      const decided = decide(experiment.progress, command, now)
      return Either.isRight(decided) ? advance(experiment, decided.right) : yield* refuse(decided.left)
    })

    /** Within the transaction of a write. */
    const announce = ({ environmentId, id }: StoredExperiment) =>
      changes.publish({ environmentId, kind: "experiments", ids: [id] })

    /** Decides on the present state and writes what comes of it; then it is told. */
    const edit = Effect.fnUntraced(function* <E, R>(
      environmentId: EnvironmentId,
      id: ExperimentId,
      change: (present: StoredExperiment, now: number) => Effect.Effect<StoredExperiment, E, R>
    ) {
      const checked = Effect.flatMap(found(environmentId, id), (present) =>
        Effect.flatMap(Clock.currentTimeMillis, (now) => change(present, now))
      )
      return yield* writes.run(environmentId, checked, keep, announce)
    })

    /** Within the transaction of a write: refuses an experiment for which the environment has no room. */
    const demandRoom = Effect.fnUntraced(function* (experiment: StoredExperiment) {
      const { environmentId } = experiment
      if (!mayBegin(yield* experiments.openSize(environmentId), experiment)) return yield* full
      if (!mayBeKept(yield* experiments.size(environmentId), experiment)) return yield* keepsMost
    })

    /** Refuses a change of an experiment for which the environment has no room. */
    const demandRoomToGrow = Effect.fnUntraced(function* (before: StoredExperiment, after: StoredExperiment) {
      const { environmentId } = after
      if (!mayBecome(yield* experiments.openSize(environmentId), before, after)) return yield* full
      if (!mayBeKeptAs(yield* experiments.size(environmentId), before, after)) return yield* keepsMost
    })

    /** Refuses another change of the rollout or the weights of an experiment that has had as many as it may have. */
    const demandRoomToChange = (experiment: StoredExperiment) => (mayChange(experiment) ? Effect.void : changedMost)

    /** Within the transaction of a write: a new experiment, to which time may have done something already. */
    const add = Effect.fnUntraced(function* (experiment: StoredExperiment) {
      yield* writes.note(experiment.environmentId)
      const inserted = yield* experiments.insert(experiment)
      yield* tellTimed(inserted, 0)
      return inserted
    })

    /** A new experiment as `make` checks and makes it, where `still` in the transaction that writes it lets it pass; then it is told. */
    const insert = Effect.fnUntraced(function* <E, R, E2, R2>(
      environmentId: EnvironmentId,
      make: Effect.Effect<StoredExperiment, E, R>,
      still: (experiment: StoredExperiment) => Effect.Effect<void, E2, R2>
    ) {
      const write = (experiment: StoredExperiment) =>
        Effect.all([still(experiment), demandRoom(experiment)]).pipe(Effect.zipRight(add(experiment)))
      return yield* writes.run(environmentId, make, write, announce)
    })

    const settleDue = Effect.fnUntraced(function* (now: number) {
      const due = yield* experiments.everyOpen((stored) => {
        const { environmentId, id } = stored
        return at(stored, now) === stored ? [] : [{ environmentId, id }]
      })
      for (const { environmentId, id } of due.flat())
        yield* Effect.catchTags(
          edit(environmentId, id, (present) => Effect.succeed(present)),
          { ExperimentNotFound: () => Effect.void, ExperimentIsDraft: () => Effect.void }
        )
      const planned = yield* experiments.everyOpen(({ progress }) => dueAt(progress) ?? Infinity)
      return planned.reduce((first, next) => Math.min(first, next), Infinity)
    })

    /**
     * Writes down what time has done to experiments that have not ended, and tells when it will do so next; `Infinity` for never. While
     * another process does so, it is to be looked at again after a second.
     */
    const settle = Effect.fnUntraced(function* () {
      const now = yield* Clock.currentTimeMillis
      return Option.getOrElse(yield* turns.once("experiments", settleDue(now)), () => now + lookAgainMillis)
    })

    return {
      found,
      keep,
      commanded,
      announce,
      edit,
      demandRoom,
      demandRoomToGrow,
      demandRoomToChange,
      add,
      insert,
      settle
    } as const
  })
}) {}

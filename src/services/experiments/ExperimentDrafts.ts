import { Clock, DateTime, Effect, Either, Option, Schema } from "effect"
import { Principal } from "../../../schema/access/Auth.ts"
import type { StartExperiment } from "../../../schema/experiments/ExperimentDrafts.ts"
import {
  ExperimentInvalid,
  ExperimentLimitReached,
  ExperimentStarted
} from "../../../schema/experiments/ExperimentErrors.ts"
import type {
  ExperimentPlan,
  ExperimentRecord,
  ReplacePlan,
  UpdateExperiment
} from "../../../schema/experiments/ExperimentRecord.ts"
import { userOf } from "../../domain/access/Principal.ts"
import { mayBecome, mayBeDrafted, mostDrafts } from "../../domain/experiments/DraftRoom.ts"
import type { ExperimentDraft } from "../../domain/experiments/ExperimentDraft.ts"
import type { EnvironmentId, ExperimentGroupId, ExperimentId } from "../../domain/Ids.ts"
import { ExperimentDraftRepo } from "../../ports/experiments/ExperimentDraftRepo.ts"
import { ExperimentRepo } from "../../ports/experiments/ExperimentRepo.ts"
import { Transaction } from "../../ports/operations/Transaction.ts"
import { Policy } from "../access/Policy.ts"
import { CheckedWrites } from "../configuration/CheckedWrites.ts"
import { updateAfter } from "../BasedOn.ts"
import type { ApplicationWhere } from "../Where.ts"
import { demandSame } from "./DemandSame.ts"
import { ExperimentCheck } from "./ExperimentCheck.ts"
import { copyOf, planBehind } from "./ExperimentCopy.ts"
import { ExperimentMaker, type Scope } from "./ExperimentMaker.ts"
import { ExperimentRecords, planIn, StoredPlan } from "./ExperimentRecords.ts"
import { targetingOf } from "./ExperimentRequest.ts"
import { ExperimentWrite, StoredMetrics } from "./ExperimentWrite.ts"
import { experimentNotFound } from "./MissingExperiment.ts"

const invalid = (message: string) => Effect.fail(new ExperimentInvalid({ message }))

const full = Effect.fail(
  new ExperimentLimitReached({
    message: `An environment has at most ${mostDrafts.count} drafts, with 16 MiB together: delete one first`
  })
)

const written = (plan: ExperimentPlan) => Effect.orDie(Schema.encode(StoredPlan)(plan))

/** The start that was asked for, else the planned one if it is still ahead of `now` (epoch ms), else none. */
const startOf = ({ startsAt = null }: ExperimentPlan, request: StartExperiment, now: number) => {
  if (request?.startsAt !== undefined) return request.startsAt
  return startsAt !== null && DateTime.toEpochMillis(startsAt) > now ? startsAt : null
}

/** Experiments before their start. Games are told nothing of them until then. */
export class ExperimentDrafts extends Effect.Service<ExperimentDrafts>()("services/experiments/ExperimentDrafts", {
  effect: Effect.gen(function* () {
    const { base } = yield* ExperimentCheck
    const drafts = yield* ExperimentDraftRepo
    const experiments = yield* ExperimentRepo
    const maker = yield* ExperimentMaker
    const policy = yield* Policy
    const records = yield* ExperimentRecords
    const transaction = yield* Transaction
    const writes = yield* CheckedWrites
    const writing = yield* ExperimentWrite

    const open = ({ applicationId, environmentId }: ApplicationWhere) =>
      Effect.map(
        policy.environment("experiments:write", applicationId, environmentId),
        ({ environment }) => environment.id
      )

    const found = Effect.fnUntraced(function* (environmentId: EnvironmentId, id: ExperimentId) {
      const draft = yield* drafts.find(environmentId, id)
      if (Option.isSome(draft)) return draft.value
      return yield* Option.isSome(yield* experiments.find(environmentId, id))
        ? Effect.fail(
            new ExperimentStarted({
              message: `Experiment ${id} is no draft any more: it has been started, or planned to start`
            })
          )
        : Effect.fail(experimentNotFound(id))
    })

    const insert = Effect.fnUntraced(function* (scope: Scope, plan: ExperimentPlan) {
      const now = yield* DateTime.now
      const { id, groupIds } = yield* experiments.newIds(plan.groups.length)
      const draft = { ...scope, id, groupIds, revision: 1, plan: yield* written(plan), createdAt: now, updatedAt: now }
      const add = Effect.flatMap(drafts.size(scope.environmentId), (size) =>
        mayBeDrafted(size, draft) ? drafts.insert(draft) : full
      )
      return yield* transaction.run(add)
    })

    /** What a draft must be while it is one: on a configuration of the environment, with conditions that can be read. */
    const demand = Effect.fnUntraced(function* (environmentId: EnvironmentId, plan: ExperimentPlan) {
      yield* base(environmentId, plan.baseConfigurationId)
      const targeting = targetingOf(plan)
      if (Either.isLeft(targeting)) return yield* invalid(targeting.left)
    })

    /**
     * What was checked of a draft of that revision, or what `check` makes of it now where it was written since. Run it in the transaction of the
     * write: `CheckedWrites` knows what this process writes, and of others only what games are told, which is nothing of drafts.
     */
    const newest = Effect.fnUntraced(function* <A extends Pick<ExperimentDraft, "revision">, E, R>(
      environmentId: EnvironmentId,
      id: ExperimentId,
      checked: A,
      check: Effect.Effect<A, E, R>
    ) {
      const { revision } = yield* found(environmentId, id)
      return revision === checked.revision ? checked : yield* check
    })

    /** Writes what a change makes of the draft as it is at that moment. */
    const edit = <E, R>(
      environmentId: EnvironmentId,
      id: ExperimentId,
      basedOn: DateTime.Utc | undefined,
      change: (plan: ExperimentPlan, draft: ExperimentDraft) => Effect.Effect<ExperimentPlan, E, R>
    ) => {
      const checked = Effect.gen(function* () {
        const draft = yield* found(environmentId, id)
        yield* demandSame(draft, basedOn)
        const plan = yield* change(yield* planIn(draft), draft)
        const missing = Math.max(0, plan.groups.length - draft.groupIds.length)
        const added: ReadonlyArray<ExperimentGroupId> = missing === 0 ? [] : yield* experiments.newGroupIds(missing)
        const groupIds = [...draft.groupIds, ...added].slice(0, plan.groups.length)
        return { ...draft, plan: yield* written(plan), groupIds, updatedAt: updateAfter(draft, yield* DateTime.now) }
      })
      const write = Effect.fnUntraced(function* (draft: ExperimentDraft) {
        const before = yield* found(environmentId, id)
        const written = yield* newest(environmentId, id, draft, checked)
        if (!mayBecome(yield* drafts.size(environmentId), before, written)) return yield* full
        yield* writes.note(environmentId)
        return yield* Effect.orDie(Effect.flatten(drafts.update(written)))
      })
      return Effect.flatMap(
        writes.run(environmentId, checked, write, () => Effect.void),
        records.oneDraft
      )
    }

    /** Keeps a plan as a draft. Asks for no permission: its caller does. */
    const create = Effect.fnUntraced(function* (scope: Scope, plan: ExperimentPlan) {
      yield* demand(scope.environmentId, plan)
      return yield* records.oneDraft(yield* insert(scope, plan))
    })

    /** The drafts of an environment as the API shows them. Asks for no permission: its caller does. */
    const list = Effect.fnUntraced(function* (environmentId: EnvironmentId) {
      return yield* records.ofDrafts(environmentId, yield* drafts.list(environmentId))
    })

    /** The draft of that id as the API shows it. Asks for no permission: its caller does. */
    const find = Effect.fnUntraced(function* (environmentId: EnvironmentId, id: ExperimentId) {
      const [draft] = Option.toArray(yield* drafts.find(environmentId, id))
      return draft === undefined ? Option.none<ExperimentRecord>() : Option.some(yield* records.oneDraft(draft))
    })

    const replace = Effect.fnUntraced(function* (
      place: ApplicationWhere,
      id: ExperimentId,
      { basedOn, ...plan }: ReplacePlan
    ) {
      const environmentId = yield* open(place)
      return yield* edit(environmentId, id, basedOn, () => Effect.as(demand(environmentId, plan), plan))
    })

    /** What may be changed of any experiment. Asks for no permission: its caller does. */
    const change = Effect.fnUntraced(function* (
      environmentId: EnvironmentId,
      id: ExperimentId,
      { weights = [], dropGroupIds = [], basedOn, ...request }: UpdateExperiment
    ) {
      return yield* edit(environmentId, id, basedOn, (plan, { groupIds }) => {
        const foreign = weights.find(({ groupId }) => !groupIds.includes(groupId))
        if (foreign !== undefined) return invalid(`weights: the experiment has no group ${foreign.groupId}`)
        if (dropGroupIds.length > 0) return invalid("dropGroupIds: send a draft without the groups, with PUT")
        const sent = new Map(weights.map(({ groupId, weight }) => [groupId, weight]))
        const groups = plan.groups.map((group, ordinal) => {
          const groupId = groupIds[ordinal]
          return { ...group, weight: (groupId === undefined ? undefined : sent.get(groupId)) ?? group.weight }
        })
        return Effect.succeed({ ...plan, ...request, groups })
      })
    })

    const start = Effect.fnUntraced(function* (place: ApplicationWhere, id: ExperimentId, request: StartExperiment) {
      const environmentId = yield* open(place)
      const checked = Effect.gen(function* () {
        const draft = yield* found(environmentId, id)
        yield* demandSame(draft, request?.basedOn)
        const { createdBy, createdAt, groupIds } = draft
        const plan = yield* planIn(draft)
        const startsAt = startOf(plan, request, yield* Clock.currentTimeMillis)
        const scope = { applicationId: place.applicationId, environmentId, createdBy }
        const experiment = yield* maker.make(scope, { ...plan, startsAt }, { id, groupIds })
        return { revision: draft.revision, experiment: { ...experiment, createdAt } }
      })
      const write = Effect.fnUntraced(function* (made: Effect.Effect.Success<typeof checked>) {
        const { experiment } = yield* newest(environmentId, id, made, checked)
        yield* maker.demandCohorts(experiment)
        yield* writing.demandRoom(experiment)
        yield* drafts.remove(environmentId, id)
        return yield* writing.add(experiment)
      })
      return yield* records.one(yield* writes.run(environmentId, checked, write, writing.announce))
    })

    const source = Effect.fnUntraced(function* (environmentId: EnvironmentId, id: ExperimentId) {
      const draft = yield* drafts.find(environmentId, id)
      if (Option.isSome(draft)) return yield* planIn(draft.value)
      const experiment = yield* experiments.find(environmentId, id)
      if (Option.isNone(experiment)) return yield* Effect.fail(experimentNotFound(id))
      return planBehind(experiment.value, yield* Effect.orDie(Schema.decode(StoredMetrics)(experiment.value.metrics)))
    })

    const copy = Effect.fnUntraced(function* (place: ApplicationWhere, id: ExperimentId) {
      const environmentId = yield* open(place)
      const plan = copyOf(yield* source(environmentId, id), yield* Clock.currentTimeMillis)
      const scope = { applicationId: place.applicationId, environmentId, createdBy: userOf(yield* Principal) }
      return yield* records.oneDraft(yield* insert(scope, plan))
    })

    const remove = Effect.fnUntraced(function* (place: ApplicationWhere, id: ExperimentId) {
      const environmentId = yield* open(place)
      const write = () => Effect.zipRight(writes.note(environmentId), drafts.remove(environmentId, id))
      yield* writes.run(environmentId, found(environmentId, id), write, () => Effect.void)
    })

    return { create, list, find, replace, change, start, copy, remove } as const
  })
}) {}

import { Clock, DateTime, Effect, Option, Schema } from "effect"
import { Principal } from "../../../schema/access/Auth.ts"
import {
  type CreateExperiment,
  type UpdateExperiment,
  ExperimentRecord
} from "../../../schema/experiments/ExperimentRecord.ts"
import type { TerminateExperiment } from "../../../schema/experiments/Experiments.ts"
import { ConfigurationInvalid } from "../../../schema/configuration/ConfigurationErrors.ts"
import { ValidationFailed } from "../../../schema/RequestErrors.ts"
import { ExperimentInvalid } from "../../../schema/experiments/ExperimentErrors.ts"
import { userOf } from "../../domain/access/Principal.ts"
import type { Permission } from "../../domain/access/Permission.ts"
import { apply } from "../../domain/configuration/Changeset.ts"
import type { Path } from "../../domain/configuration/Document.ts"
import { linkOnTheWay } from "../../domain/configuration/LinkedChanges.ts"
import { pathText } from "../../domain/configuration/PathText.ts"
import { at, isOpen, type StoredExperiment } from "../../domain/experiments/StoredExperiment.ts"
import type { ExperimentId } from "../../domain/Ids.ts"
import { ExperimentRepo } from "../../ports/experiments/ExperimentRepo.ts"
import { ArmCheck } from "../configuration/ArmCheck.ts"
import { CheckedWrites } from "../configuration/CheckedWrites.ts"
import { ConfigurationWrite } from "../configuration/ConfigurationWrite.ts"
import { demandSame } from "./DemandSame.ts"
import { ExperimentCheck } from "./ExperimentCheck.ts"
import { ExperimentDrafts } from "./ExperimentDrafts.ts"
import { ExperimentMaker } from "./ExperimentMaker.ts"
import { problemsOf, sumProblem, tooFewGroups } from "./ExperimentProblems.ts"
import { ExperimentRecords } from "./ExperimentRecords.ts"
import { ExperimentWrite, StoredMetrics } from "./ExperimentWrite.ts"
import { Policy } from "../access/Policy.ts"
import type { ApplicationWhere } from "../Where.ts"
import { written, writtenList } from "../WrittenList.ts"

const writeRecord = written(ExperimentRecord)

const invalid = (message: string) => Effect.fail(new ExperimentInvalid({ message }))

const behindLink = (link: Path): string =>
  `${pathText("configuration", link)} is a link, and what the winner changes behind it is another configuration's: change that one, then end without applyToBase`

/** Experiments of an environment: what they are, and their life. */
export class Experiments extends Effect.Service<Experiments>()("services/experiments/Experiments", {
  effect: Effect.gen(function* () {
    const arms = yield* ArmCheck
    const { base, checkMetrics, checkLocks } = yield* ExperimentCheck
    const documents = yield* ConfigurationWrite
    const drafts = yield* ExperimentDrafts
    const experiments = yield* ExperimentRepo
    const maker = yield* ExperimentMaker
    const policy = yield* Policy
    const records = yield* ExperimentRecords
    const writes = yield* CheckedWrites
    const writing = yield* ExperimentWrite

    const open = (permission: Permission, { applicationId, environmentId }: ApplicationWhere) =>
      Effect.map(policy.environment(permission, applicationId, environmentId), ({ environment }) => environment.id)

    /** As JSON, because the changesets together may be large. */
    const list = Effect.fnUntraced(function* (
      place: ApplicationWhere,
      { status }: { readonly status?: ExperimentRecord["status"] | undefined }
    ) {
      const environmentId = yield* open("experiments:read", place)
      const now = yield* Clock.currentTimeMillis
      const all = (yield* experiments.list(environmentId)).map((each) => at(each, now))
      const wanted = all.filter(({ progress }) => status === undefined || progress.status === status)
      const planned = status === undefined || status === "draft" ? yield* drafts.list(environmentId) : []
      const found: ReadonlyArray<ExperimentRecord> = [...(yield* records.of(environmentId, wanted)), ...planned]
      return yield* writtenList(
        writeRecord,
        found.toSorted((one, other) => one.id - other.id)
      )
    })

    const get = Effect.fnUntraced(function* (place: ApplicationWhere, id: ExperimentId) {
      const environmentId = yield* open("experiments:read", place)
      const draft = yield* drafts.find(environmentId, id)
      if (Option.isSome(draft)) return draft.value
      // What has been started is never a draft again.
      const started = Effect.catchTag(writing.found(environmentId, id), "ExperimentIsDraft", Effect.die)
      return yield* records.one(yield* started)
    })

    const create = Effect.fnUntraced(function* (place: ApplicationWhere, request: CreateExperiment) {
      const environmentId = yield* open("experiments:write", place)
      const scope = { applicationId: place.applicationId, environmentId, createdBy: userOf(yield* Principal) }
      if (request.status === "draft") return yield* drafts.create(scope, request)
      if (request.groups.length < 2) {
        const others = problemsOf(request, yield* Clock.currentTimeMillis).filter((each) => each !== tooFewGroups)
        return yield* Effect.fail(new ValidationFailed({ message: [tooFewGroups, ...others].join("; ") }))
      }
      const made = writing.insert(environmentId, maker.make(scope, request, null), maker.demandCohorts)
      return yield* records.one(yield* made)
    })

    /** New weights by ordinal; groups that are not named keep theirs. */
    const reweighed = Effect.fnUntraced(function* (
      experiment: StoredExperiment,
      weights: NonNullable<UpdateExperiment["weights"]>,
      now: number
    ) {
      const { groups } = experiment.progress
      const foreign = weights.find(({ groupId }) => !groups.some(({ id }) => id === groupId))
      if (foreign !== undefined) return yield* invalid(`weights: the experiment has no group ${foreign.groupId}`)
      const sent = new Map(weights.map(({ groupId, weight }) => [groupId, weight]))
      const all = groups.map(({ id, weight }) => sent.get(id) ?? weight)
      const wrong = sumProblem(all)
      if (wrong !== null && isOpen(experiment)) return yield* invalid(wrong)
      const command = { type: "changeWeights" as const, weights: all }
      return yield* writing.commanded(experiment, command, now)
    })

    const changed = Effect.fnUntraced(function* (present: StoredExperiment, request: UpdateExperiment, now: number) {
      const { name, description, hypothesis, metrics, endsAt, weights, dropGroupIds = [], basedOn } = request
      yield* demandSame(present, basedOn)
      let next = present
      if (endsAt !== undefined) {
        const until = endsAt === null ? null : DateTime.toEpochMillis(endsAt)
        next = yield* writing.commanded(next, { type: "reschedule", endsAt: until }, now)
        yield* checkLocks(next)
      }
      if (dropGroupIds.length > 0 || weights !== undefined) yield* writing.demandRoomToChange(present)
      for (const groupId of dropGroupIds) next = yield* writing.commanded(next, { type: "dropGroup", groupId }, now)
      if (weights !== undefined) next = yield* reweighed(next, weights, now)
      if (metrics !== undefined) yield* checkMetrics(present, metrics, now)
      const named = {
        ...next,
        name: name ?? next.name,
        description: description === undefined ? next.description : description,
        hypothesis: hypothesis === undefined ? next.hypothesis : hypothesis
      }
      if (metrics === undefined) return named
      const measured = { ...named, metrics: yield* Effect.orDie(Schema.encode(StoredMetrics)(metrics)) }
      yield* writing.demandRoomToGrow(present, measured)
      return measured
    })

    const update = Effect.fnUntraced(function* (place: ApplicationWhere, id: ExperimentId, request: UpdateExperiment) {
      const environmentId = yield* open("experiments:write", place)
      const edited = writing.edit(environmentId, id, (present, now) => changed(present, request, now))
      const started = edited.pipe(
        Effect.catchTag("RolloutConflict", ({ message }) => invalid(message)),
        Effect.flatMap(records.one)
      )
      return yield* Effect.catchTag(started, "ExperimentIsDraft", () =>
        Effect.catchTag(drafts.change(environmentId, id, request), "ExperimentStarted", () =>
          Effect.catchTag(started, "ExperimentIsDraft", Effect.die)
        )
      )
    })

    /** The winner's changes become the base's own; those to whom it is linked go with it. */
    const applied = Effect.fnUntraced(function* ({ environmentId, id, name, ...experiment }: StoredExperiment) {
      const winner = experiment.groups.find((group) => group.id === experiment.progress.winnerGroupId)
      const present = yield* base(environmentId, experiment.baseConfigurationId)
      const link = winner === undefined ? null : linkOnTheWay(present.document, winner.changeset)
      if (link !== null) return yield* Effect.fail(new ConfigurationInvalid({ message: behindLink(link) }))
      const document = winner === undefined ? present.document : apply(present.document, winner.changeset)
      const reason = `Experiment ${id} (${name}) ended: ${winner?.name ?? ""} won`.slice(0, 500)
      const by = userOf(yield* Principal)
      const checked = Effect.tap(documents.checkNext(present, { document, reason, by }), ({ next }) =>
        next === null ? Effect.void : arms.check(next, id)
      )
      return yield* Effect.catchTag(checked, "LinkInvalid", ({ message }) =>
        Effect.fail(new ConfigurationInvalid({ message }))
      )
    })

    const terminate = Effect.fnUntraced(function* (
      place: ApplicationWhere,
      id: ExperimentId,
      request: TerminateExperiment
    ) {
      const environmentId = yield* open("experiments:write", place)
      const { reason = null, winnerGroupId = null, applyToBase = false } = request ?? {}
      if (applyToBase) yield* open("configurations:write", place)
      const checked = Effect.gen(function* () {
        const now = yield* Clock.currentTimeMillis
        const command = { type: "terminate" as const, reason, winnerGroupId, applyToBase }
        const ended = yield* writing.commanded(yield* writing.found(environmentId, id), command, now)
        return { ended, next: applyToBase ? yield* applied(ended) : null }
      })
      const write = Effect.fnUntraced(function* ({ ended, next }: Effect.Effect.Success<typeof checked>) {
        const documented = next === null ? null : yield* documents.write(next)
        return { experiment: yield* writing.keep(ended), documented }
      })
      const { experiment } = yield* Effect.catchTag(
        writes.run(environmentId, checked, write, ({ experiment, documented }) =>
          Effect.zipRight(
            documented === null ? Effect.void : documents.announce(documented.written),
            writing.announce(experiment)
          )
        ),
        "RolloutConflict",
        ({ message }) => invalid(message)
      )
      return yield* records.one(experiment)
    })

    return { list, get, create, update, terminate } as const
  })
}) {}

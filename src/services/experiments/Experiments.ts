import { Clock, DateTime, Effect, Either, Encoding, Schema } from "effect"
import { Principal } from "../../../schema/access/Auth.ts"
import type {
  CreateExperiment,
  ExperimentRecord,
  UpdateExperiment
} from "../../../schema/experiments/ExperimentRecord.ts"
import type { TerminateExperiment } from "../../../schema/experiments/Experiments.ts"
import { ConfigurationInvalid } from "../../../schema/configuration/ConfigurationErrors.ts"
import { ExperimentInvalid } from "../../../schema/experiments/ExperimentErrors.ts"
import { userOf } from "../../domain/access/Principal.ts"
import type { Permission } from "../../domain/access/Permission.ts"
import type { Cohort } from "../../domain/cohorts/Cohort.ts"
import { apply } from "../../domain/configuration/Changeset.ts"
import type { ExperimentStatus } from "../../domain/experiments/Experiment.ts"
import { currentVersion } from "../../domain/experiments/Hash.ts"
import { create as begin } from "../../domain/experiments/Lifecycle.ts"
import { at, isOpen, type StoredExperiment } from "../../domain/experiments/StoredExperiment.ts"
import type { EnvironmentId, ExperimentId } from "../../domain/Ids.ts"
import { CohortRepo } from "../../ports/cohorts/CohortRepo.ts"
import { ExperimentRepo } from "../../ports/experiments/ExperimentRepo.ts"
import { Secrets } from "../../ports/access/Secrets.ts"
import { CheckedWrites } from "../configuration/CheckedWrites.ts"
import { ConfigurationWrite } from "../configuration/ConfigurationWrite.ts"
import { ExperimentCheck, type Loss, noLoss } from "./ExperimentCheck.ts"
import { groupsOf, planOf, refusals, targetingOf } from "./ExperimentRequest.ts"
import { recordOf } from "./ExperimentView.ts"
import { ExperimentWrite, StoredMetrics } from "./ExperimentWrite.ts"
import { Policy } from "../access/Policy.ts"
import type { ApplicationWhere } from "../Where.ts"

/** Random bytes that make the units of each experiment fall apart in their own way. */
const seedBytes = 12

const invalid = (message: string) => Effect.fail(new ExperimentInvalid({ message }))

/** Experiments of an environment: what they are, and their life. */
export class Experiments extends Effect.Service<Experiments>()("services/experiments/Experiments", {
  effect: Effect.gen(function* () {
    const { base, checkMetrics, checkGroups, checkLocks, checkCohorts, losses } = yield* ExperimentCheck
    const cohorts = yield* CohortRepo
    const documents = yield* ConfigurationWrite
    const experiments = yield* ExperimentRepo
    const policy = yield* Policy
    const secrets = yield* Secrets
    const writes = yield* CheckedWrites
    const writing = yield* ExperimentWrite

    const open = (permission: Permission, { applicationId, environmentId }: ApplicationWhere) =>
      Effect.map(policy.environment(permission, applicationId, environmentId), ({ environment }) => environment.id)

    const recorded = Effect.fnUntraced(function* (
      experiment: StoredExperiment,
      loss: Loss,
      known: ReadonlyArray<Cohort>
    ) {
      const { targeting, metrics } = experiment
      return recordOf(experiment, {
        ...loss,
        metrics: yield* Effect.orDie(Schema.decode(StoredMetrics)(metrics)),
        cohortComputations: known
          .filter(({ id }) => targeting.cohortIds.includes(id))
          .map(({ id, status, error }) => ({ cohortId: id, status, error }))
      })
    })

    const records = Effect.fnUntraced(function* (environmentId: EnvironmentId, all: ReadonlyArray<StoredExperiment>) {
      const isTargeted = all.some(({ targeting }) => targeting.cohortIds.length > 0)
      const known = isTargeted ? yield* cohorts.list(environmentId) : []
      const lost = yield* losses(all)
      return yield* Effect.forEach(all, (each, index) => recorded(each, lost[index] ?? noLoss, known))
    })

    const record = Effect.fn("Experiments.record")(function* (experiment: StoredExperiment) {
      const { environmentId, targeting } = experiment
      const known = targeting.cohortIds.length === 0 ? [] : yield* cohorts.list(environmentId)
      const [loss = noLoss] = yield* losses([experiment])
      return yield* recorded(experiment, loss, known)
    })

    const list = Effect.fn("Experiments.list")(function* (
      place: ApplicationWhere,
      { status }: { readonly status?: ExperimentStatus | undefined }
    ) {
      const environmentId = yield* open("experiments:read", place)
      const now = yield* Clock.currentTimeMillis
      const all = (yield* experiments.list(environmentId)).map((each) => at(each, now))
      const wanted = all.filter(({ progress }) => status === undefined || progress.status === status)
      return (yield* records(environmentId, wanted)) satisfies ReadonlyArray<ExperimentRecord>
    })

    const get = Effect.fn("Experiments.get")(function* (place: ApplicationWhere, id: ExperimentId) {
      const environmentId = yield* open("experiments:read", place)
      return yield* record(yield* writing.found(environmentId, id))
    })

    const make = Effect.fnUntraced(function* (
      scope: Pick<StoredExperiment, "applicationId" | "environmentId" | "createdBy">,
      request: CreateExperiment
    ) {
      const now = yield* Clock.currentTimeMillis
      const { groups, metrics, description = null, hypothesis = null, exclusionLayer = null } = request
      const targeting = targetingOf(request)
      if (Either.isLeft(targeting)) return yield* invalid(targeting.left)
      if (groups.filter(({ isControl }) => isControl).length > 1) return yield* invalid("groups: two are the control")
      const ids = yield* experiments.newIds(groups.length)
      const progress = begin(planOf(request, ids, now))
      if (Either.isLeft(progress)) return yield* invalid(refusals[progress.left])
      const scheduled: StoredExperiment = {
        ...scope,
        id: ids.id,
        revision: 1,
        name: request.name,
        description,
        hypothesis,
        unitType: request.unitType,
        assignmentMode: request.assignmentMode,
        baseConfigurationId: request.baseConfigurationId,
        autoAssignment: request.autoAssignment,
        permanentEnrollment: request.permanentEnrollment,
        exclusionLayer,
        holdoutPercent: request.holdoutPercent,
        events: [],
        seed: Encoding.encodeHex(yield* secrets.bytes(seedBytes)),
        hashVersion: currentVersion,
        groups: groupsOf(request, ids),
        targeting: targeting.right,
        metrics: yield* Effect.orDie(Schema.encode(StoredMetrics)(metrics)),
        progress: progress.right,
        createdAt: DateTime.unsafeMake(now),
        updatedAt: DateTime.unsafeMake(now)
      }
      return at(scheduled, now)
    })

    const create = Effect.fn("Experiments.create")(function* (place: ApplicationWhere, request: CreateExperiment) {
      const environmentId = yield* open("experiments:write", place)
      const scope = { applicationId: place.applicationId, environmentId, createdBy: userOf(yield* Principal) }
      const checked = Effect.gen(function* () {
        const experiment = yield* make(scope, request)
        yield* checkMetrics(scope, request.metrics, yield* Clock.currentTimeMillis)
        yield* checkCohorts(experiment)
        yield* checkGroups(experiment)
        if (isOpen(experiment)) yield* checkLocks(experiment)
        return experiment
      })
      return yield* record(yield* writing.insert(environmentId, checked))
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
      const command = {
        type: "changeWeights" as const,
        weights: groups.map(({ id, weight }) => sent.get(id) ?? weight)
      }
      return yield* writing.commanded(experiment, command, now)
    })

    const changed = Effect.fnUntraced(function* (present: StoredExperiment, request: UpdateExperiment, now: number) {
      const { name, description, hypothesis, metrics, endsAt, weights, dropGroupIds = [] } = request
      let next = present
      if (endsAt !== undefined) {
        const until = endsAt === null ? null : DateTime.toEpochMillis(endsAt)
        next = yield* writing.commanded(next, { type: "reschedule", endsAt: until }, now)
        yield* checkLocks(next)
      }
      for (const groupId of dropGroupIds) next = yield* writing.commanded(next, { type: "dropGroup", groupId }, now)
      if (weights !== undefined) next = yield* reweighed(next, weights, now)
      if (metrics !== undefined) yield* checkMetrics(present, metrics, now)
      return {
        ...next,
        name: name ?? next.name,
        description: description === undefined ? next.description : description,
        hypothesis: hypothesis === undefined ? next.hypothesis : hypothesis,
        metrics: metrics === undefined ? next.metrics : yield* Effect.orDie(Schema.encode(StoredMetrics)(metrics))
      }
    })

    const update = Effect.fn("Experiments.update")(function* (
      place: ApplicationWhere,
      id: ExperimentId,
      request: UpdateExperiment
    ) {
      const environmentId = yield* open("experiments:write", place)
      const edited = writing.edit(environmentId, id, (present, now) => changed(present, request, now))
      return yield* record(yield* Effect.catchTag(edited, "RolloutConflict", ({ message }) => invalid(message)))
    })

    /** The winner's changes become the base's own; those to whom it is linked go with it. */
    const applied = Effect.fnUntraced(function* ({ environmentId, id, name, ...experiment }: StoredExperiment) {
      const winner = experiment.groups.find((group) => group.id === experiment.progress.winnerGroupId)
      const present = yield* base(environmentId, experiment.baseConfigurationId)
      const document = winner === undefined ? present.document : apply(present.document, winner.changeset)
      const reason = `Experiment ${id} (${name}) ended: ${winner?.name ?? ""} won`.slice(0, 500)
      const by = userOf(yield* Principal)
      return yield* Effect.catchTag(
        documents.checkNext(present, { document, reason, by }),
        "LinkInvalid",
        ({ message }) => Effect.fail(new ConfigurationInvalid({ message }))
      )
    })

    const terminate = Effect.fn("Experiments.terminate")(function* (
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
      return yield* record(experiment)
    })

    return { list, get, create, update, terminate } as const
  })
}) {}

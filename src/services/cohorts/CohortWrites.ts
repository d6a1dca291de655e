import { DateTime, Effect } from "effect"
import { ValidationFailed } from "../../../schema/RequestErrors.ts"
import {
  CohortChanged,
  CohortInUse,
  CohortLimitReached,
  CohortNameTaken,
  CohortNotFound
} from "../../../schema/cohorts/CohortErrors.ts"
import type { CohortChange, CohortRequest } from "../../../schema/cohorts/CohortRequests.ts"
import { type Cohort, demanded, type NewCohort } from "../../domain/cohorts/Cohort.ts"
import { cohortMarkers } from "../../domain/cohorts/CohortMarkers.ts"
import { mayBecome, mayBegin, mostCohorts } from "../../domain/cohorts/CohortSize.ts"
import { unitIdTextSteps } from "../../domain/cohorts/UnitIds.ts"
import type { CohortId, EnvironmentId } from "../../domain/Ids.ts"
import { CohortMembers } from "../../ports/cohorts/CohortMembers.ts"
import { CohortRepo } from "../../ports/cohorts/CohortRepo.ts"
import { nextTurn } from "../../ports/operations/NextTurn.ts"
import { Peers } from "../../ports/operations/Peers.ts"
import { Transaction } from "../../ports/operations/Transaction.ts"
import { Turns } from "../../ports/operations/Turns.ts"
import { CohortDefinitions } from "./CohortDefinitions.ts"
import { CohortQueue, cohortsOf } from "./CohortQueue.ts"
import { CohortRuns } from "./CohortRuns.ts"
import { CohortUsers } from "./CohortUsers.ts"
import { CohortWatch } from "./CohortWatch.ts"
import { stored } from "../analytics/QueryFailure.ts"
import { LiveFeed } from "../live/LiveFeed.ts"
import { inTurns } from "../InTurns.ts"
import { whole } from "../Whole.ts"
import { demandUnchanged, updateAfter } from "../BasedOn.ts"

/** A request whose members are known. */
export type ListedRequest = Exclude<CohortRequest, { readonly from: unknown }>

type Author = Pick<NewCohort, "applicationId" | "environmentId" | "createdBy">

const uncomputed = {
  revision: 1,
  status: "computing",
  memberCount: 0,
  computedAt: null,
  error: null,
  startedAt: null,
  restsUntil: null,
  failures: 0,
  highestSequence: 0
} as const

const listed = { kind: "static", definition: null, markers: [], cohortIds: [], dueAt: null } as const

const taken = (name: string) => new CohortNameTaken({ message: `This environment already has a cohort called ${name}` })

const full = Effect.fail(
  new CohortLimitReached({
    message: `An environment has at most ${mostCohorts.count} cohorts, whose definitions have at most 16 MiB together: delete one first`
  })
)

const unlisted = Effect.fail(
  new ValidationFailed({ message: "unitIds: expected the members of a cohort that becomes static" })
)

const inUse = (id: Cohort["id"], what: string) =>
  Effect.fail(new CohortInUse({ message: `Cohort ${id} cannot be deleted: ${what}` }))

/** An experiment that still may enrol by the cohort. */
const enrols = ({ status }: { readonly status: string }) => ["scheduled", "active", "paused"].includes(status)

/** Changes of cohorts and of what depends on them. Asks for no permission: its callers do. */
export class CohortWrites extends Effect.Service<CohortWrites>()("services/cohorts/CohortWrites", {
  effect: Effect.gen(function* () {
    const cohorts = yield* CohortRepo
    const members = yield* CohortMembers
    const definitions = yield* CohortDefinitions
    const queue = yield* CohortQueue
    const runs = yield* CohortRuns
    const users = yield* CohortUsers
    const watch = yield* CohortWatch
    const live = yield* LiveFeed
    const transaction = yield* Transaction
    const turns = yield* Turns
    const peers = yield* Peers

    /** One change of an environment's cohorts at a time, and each to its end. */
    const alone = <A, E, R>(write: Effect.Effect<A, E, R>, environmentId: EnvironmentId) =>
      turns.alone(cohortsOf(environmentId), whole(write))

    const tell = (environmentId: EnvironmentId, cohortId: CohortId, revision: number | null) =>
      peers.tell({ kind: "cohort", environmentId, cohortId, revision })

    const found = Effect.fnUntraced(function* (environmentId: EnvironmentId, id: CohortId) {
      const message = `Cohort ${id} does not exist in this environment`
      return yield* Effect.mapError(yield* cohorts.find(environmentId, id), () => new CohortNotFound({ message }))
    })

    /** What decides who belongs; the list of a static cohort is kept with the members. */
    const contents = Effect.fnUntraced(function* (environmentId: EnvironmentId, request: CohortChange) {
      if (request.kind === "static") return listed
      const { cohortIds } = yield* definitions.planSent(environmentId, request.definition)
      const definition = yield* definitions.encode(request.definition)
      const markers = cohortMarkers(request.definition)
      return { kind: request.kind, definition, markers, cohortIds, dueAt: yield* DateTime.now }
    })

    /** Makes the units the members of a static cohort. */
    const fill = Effect.fnUntraced(function* (cohort: Cohort, unitIds: ReadonlyArray<string | number>) {
      const { environmentId, id } = cohort
      const now = DateTime.toEpochMillis(yield* DateTime.now)
      yield* nextTurn
      const texts = yield* inTurns(() => unitIdTextSteps(unitIds))
      yield* nextTurn
      const generation = yield* stored(members.replace(environmentId, id, texts, now))
      return yield* transaction.run(queue.record(cohort, generation))
    })

    const announce = Effect.fnUntraced(function* (environmentId: EnvironmentId) {
      yield* watch.refresh(environmentId)
      yield* queue.wakeUp
    })

    const insert = Effect.fnUntraced(function* (author: Author, request: ListedRequest) {
      const { name, description = null } = request
      const now = yield* DateTime.now
      const written = yield* contents(author.environmentId, request)
      if (!mayBegin(yield* cohorts.size(author.environmentId), written.definition)) return yield* full
      const fields = { name, description, ...written, createdAt: now, updatedAt: now }
      return yield* Effect.mapError(yield* cohorts.insert({ ...uncomputed, ...author, ...fields }), () => taken(name))
    })

    const create = Effect.fnUntraced(
      function* (author: Author, request: ListedRequest) {
        const cohort = yield* transaction.run(
          Effect.tap(insert(author, request), ({ environmentId, id, revision }) => tell(environmentId, id, revision))
        )
        const filled =
          request.kind === "static"
            ? yield* Effect.onError(fill(cohort, request.unitIds), () => cohorts.remove(cohort.id))
            : cohort
        yield* announce(author.environmentId)
        live.cohort(filled)
        return filled
      },
      (create, { environmentId }) => alone(create, environmentId)
    )

    const write = Effect.fnUntraced(function* (cohort: Cohort) {
      return yield* Effect.mapError(yield* cohorts.update(cohort), () => taken(cohort.name))
    })

    /** The cohort as asked for, of a new revision where other units may belong to it. */
    const rewrite = Effect.fnUntraced(function* (before: Cohort, request: CohortChange) {
      yield* demandUnchanged("cohort", before, request.basedOn, (message) => new CohortChanged({ message }))
      const now = yield* DateTime.now
      if (request.kind === "static" && request.unitIds === undefined && before.kind === "dynamic")
        return yield* unlisted
      const { dueAt, ...written } = yield* contents(before.environmentId, request)
      yield* definitions.demandAcyclic(before.environmentId, before.id, written.cohortIds)
      const updatedAt = updateAfter(before, now)
      const described = { ...before, name: request.name, description: request.description ?? null, updatedAt }
      const isSame = before.kind === written.kind && before.definition === written.definition
      if (isSame && !("unitIds" in request)) return yield* write(described)
      const size = yield* cohorts.size(before.environmentId)
      if (!mayBecome(size, before.definition, written.definition)) return yield* full
      const revision = before.revision + 1
      return yield* write({ ...demanded({ ...described, ...written, revision, startedAt: null }, now), dueAt })
    })

    /** Puts back what a list that could not be stored would have replaced. */
    const restore = (before: Cohort, { revision }: Cohort) =>
      Effect.flatMap(DateTime.now, (now) =>
        cohorts.update({
          ...before,
          revision: revision + 1,
          startedAt: null,
          dueAt: before.dueAt === null ? null : now
        })
      )

    const update = Effect.fnUntraced(function* (environmentId: EnvironmentId, id: CohortId, request: CohortChange) {
      const both = Effect.flatMap(found(environmentId, id), (before) =>
        rewrite(before, request).pipe(
          Effect.tap(({ revision }) => tell(environmentId, id, revision)),
          Effect.map((after) => ({ before, after }))
        )
      )
      const { before, after } = yield* transaction.run(both)
      if (after.revision !== before.revision) yield* runs.overtake(id)
      const filled =
        request.kind === "static" && request.unitIds !== undefined
          ? yield* Effect.onError(fill(after, request.unitIds), () => restore(before, after))
          : after
      yield* announce(environmentId)
      live.cohort(filled)
      return filled
    }, alone)

    const erase = Effect.fnUntraced(function* (environmentId: EnvironmentId, id: CohortId) {
      yield* found(environmentId, id)
      const experiments = (yield* users.targeting(environmentId, id)).filter(enrols)
      if (experiments.length > 0) {
        return yield* inUse(id, `experiment ${experiments.map((each) => each.id).join(", ")} targets it`)
      }
      const others = (yield* cohorts.outlines(environmentId)).filter((each) => each.cohortIds.includes(id))
      if (others.length > 0) return yield* inUse(id, `cohort ${others.map((each) => each.id).join(", ")} refers to it`)
      yield* cohorts.remove(id)
    })

    const remove = Effect.fnUntraced(function* (environmentId: EnvironmentId, id: CohortId) {
      yield* transaction.run(Effect.zipRight(erase(environmentId, id), tell(environmentId, id, null)))
      yield* runs.overtake(id)
      yield* members.remove(environmentId, id)
      yield* announce(environmentId)
      live.cohortRemoved(environmentId, id)
    }, alone)

    return { found, create, update, remove } as const
  })
}) {}

import { assert, layer } from "@effect/vitest"
import { Cause, DateTime, Deferred, Effect, Exit, Fiber } from "effect"
import { BoardId, ExperimentId, HeatmapId } from "../../../src/domain/Ids.ts"
import { ProjectRepo } from "../../../src/ports/access/ProjectRepo.ts"
import { RoleRepo } from "../../../src/ports/access/RoleRepo.ts"
import { BoardRepo } from "../../../src/ports/analytics/BoardRepo.ts"
import { ExecutionRepo } from "../../../src/ports/analytics/ExecutionRepo.ts"
import { HeatmapRepo } from "../../../src/ports/analytics/HeatmapRepo.ts"
import { MarkerRepo } from "../../../src/ports/analytics/MarkerRepo.ts"
import { SavedQueryRepo } from "../../../src/ports/analytics/SavedQueryRepo.ts"
import { CohortRepo } from "../../../src/ports/cohorts/CohortRepo.ts"
import { ConfigurationRepo } from "../../../src/ports/configuration/ConfigurationRepo.ts"
import { DeeplinkRepo } from "../../../src/ports/deeplinks/DeeplinkRepo.ts"
import { AssignmentRepo } from "../../../src/ports/experiments/AssignmentRepo.ts"
import { ExperimentDraftRepo } from "../../../src/ports/experiments/ExperimentDraftRepo.ts"
import { ExperimentRepo } from "../../../src/ports/experiments/ExperimentRepo.ts"
import { ExposureRepo } from "../../../src/ports/experiments/ExposureRepo.ts"
import { GameJobRepo } from "../../../src/ports/game/GameJobRepo.ts"
import { AlertRepo } from "../../../src/ports/operations/AlertRepo.ts"
import { ErasureRepo } from "../../../src/ports/operations/ErasureRepo.ts"
import { ReferencesChanged } from "../../../src/ports/operations/ReferencesChanged.ts"
import { Transaction } from "../../../src/ports/operations/Transaction.ts"
import { addMember, addRole } from "../../support/access/Tenants.ts"
import { aProject, anExecution, aSavedQuery } from "../../support/analytics/SavedQueries.ts"
import { newCohort } from "../../support/cohorts/Cohorts.ts"
import { newConfiguration } from "../../support/configuration/NewConfigurations.ts"
import { aDeeplink } from "../../support/deeplinks/Links.ts"
import { assigned, exposureOf } from "../../support/experiments/Exposed.ts"
import { anExperimentOf } from "../../support/experiments/StoredExperiments.ts"
import { alertOf } from "../../support/operations/Alerts.ts"
import { clearRemoved } from "../../support/operations/Removed.ts"
import { everyStore } from "../../support/Stores.ts"

type Project = Effect.Effect.Success<typeof aProject>

const createdAt = DateTime.unsafeMake(1_772_323_199_007)
const nobody = { createdBy: null, createdAt, updatedAt: createdAt }
const nowhere = { x: 0, y: 0, z: 0 }

const anExperiment = ({ application, production }: Project) => anExperimentOf(application.id, production)

const aGrant = ({ application: { id, organizationId } }: Project) =>
  Effect.map(
    Effect.all([RoleRepo, addMember(organizationId), addRole(organizationId)]),
    ([{ putGrant }, member, role]) =>
      putGrant({
        organizationId,
        applicationId: id,
        membershipId: member.id,
        roleId: role.id,
        createdAt,
        createdBy: null
      })
  )

/** What is written for a project or its first environment: each prepares it while both are there. */
const kinds = {
  configuration: ({ application, production }: Project) =>
    Effect.map(ConfigurationRepo, ({ insert }) =>
      insert(newConfiguration({ applicationId: application.id, id: production }, "a"))
    ),
  cohort: ({ application, production }: Project) =>
    Effect.map(CohortRepo, ({ insert }) => insert(newCohort(application.id, production))),
  alert: ({ application, production }: Project) =>
    Effect.map(AlertRepo, ({ insert }) => insert(alertOf({ applicationId: application.id, id: production }))),
  "metadata of types": ({ production }: Project) =>
    Effect.map(MarkerRepo, ({ put }) =>
      put(production, { types: [{ name: "a", displayName: null, description: null, hidden: true }], arguments: [] })
    ),
  "metadata of arguments": ({ production }: Project) =>
    Effect.map(MarkerRepo, ({ put }) =>
      put(production, {
        types: [],
        arguments: [{ type: "a", name: "b", description: null, unit: "s", decimals: null }]
      })
    ),
  experiment: (project: Project) =>
    Effect.map(Effect.all([ExperimentRepo, anExperiment(project)]), ([{ insert }, each]) => insert(each)),
  draft: (project: Project) =>
    Effect.map(
      Effect.all([ExperimentDraftRepo, anExperiment(project)]),
      ([{ insert }, { id, applicationId, environmentId }]) =>
        insert({ ...nobody, id, applicationId, environmentId, groupIds: [], revision: 1, plan: "{}" })
    ),
  assignment: ({ production }: Project) =>
    Effect.map(AssignmentRepo, ({ put }) => put(production, [assigned(ExperimentId.make(production), "ann")])),
  exposure: ({ production }: Project) =>
    Effect.map(ExposureRepo, ({ note }) =>
      note([exposureOf(production, assigned(ExperimentId.make(production), "ann"), 1)])
    ),
  "job of games": ({ production }: Project) =>
    Effect.map(GameJobRepo, ({ queueUnlessSame }) => queueUnlessSame(production, "client", "a", 1)),
  erasure: ({ production }: Project) =>
    Effect.map(ErasureRepo, ({ begin }) => begin({ environmentId: production, unitId: "ann", erasedAt: 1 })),
  execution: ({ application, production }: Project) => {
    const query = aSavedQuery(application.id)
    const added = Effect.flatMap(SavedQueryRepo, ({ insert }) => insert(query))
    return Effect.map(Effect.zipRight(added, ExecutionRepo), ({ insert }) => insert(anExecution(query, production, {})))
  },
  deeplink: ({ application }: Project) => Effect.map(DeeplinkRepo, ({ insert }) => insert(aDeeplink(application.id))),
  heatmap: ({ application }: Project) =>
    Effect.map(HeatmapRepo, ({ insert }) =>
      insert({
        id: HeatmapId.make(crypto.randomUUID()),
        applicationId: application.id,
        name: "a",
        description: null,
        bounds: { pointA: nowhere, pointB: nowhere },
        resolutionFactor: 1,
        imageTag: null,
        createdAt
      })
    ),
  query: ({ application }: Project) => Effect.map(SavedQueryRepo, ({ insert }) => insert(aSavedQuery(application.id))),
  board: ({ application }: Project) =>
    Effect.map(BoardRepo, ({ insert }) =>
      insert({
        ...nobody,
        id: BoardId.make(crypto.randomUUID()),
        applicationId: application.id,
        name: "a",
        description: null,
        tiles: [],
        time: null,
        pinned: false
      })
    ),
  environment: ({ application }: Project) =>
    Effect.map(ProjectRepo, ({ insertEnvironment }) =>
      insertEnvironment({ applicationId: application.id, name: "a", alias: "a", createdAt })
    ),
  grant: aGrant
}

const refusedOf = <A, E>(exit: Exit.Exit<A, E>): boolean =>
  Exit.isFailure(exit) && Cause.squash(exit.cause) instanceof ReferencesChanged

for (const [label, store] of everyStore) {
  layer(store)(`what is written where somebody has just removed the project, in ${label}`, (it) => {
    it.effect.each(Object.entries(kinds))("%s: is refused alone and in a transaction", ([, prepare]) =>
      Effect.gen(function* () {
        const { run } = yield* Transaction
        const projects = yield* ProjectRepo
        const project = yield* aProject
        const write = yield* prepare(project)
        const early = yield* aProject
        yield* yield* prepare(early)
        yield* projects.remove(project.application.id)
        const { organizationId } = project.application
        const beside = projects.insert({ ...project.application, name: "Beside" })
        for (const each of [write, run(Effect.zipRight(beside, write))])
          assert.isTrue(refusedOf(yield* Effect.exit(each)))
        assert.deepStrictEqual(yield* projects.list(organizationId), [])
        yield* clearRemoved
        assert.isTrue(refusedOf(yield* Effect.exit(write)))
        assert.strictEqual((yield* projects.list(early.application.organizationId)).length, 1)
      })
    )

    it.effect("a cohort: is refused where it waits for the removal to end", () =>
      Effect.gen(function* () {
        const { runRemoval } = yield* Transaction
        const { removeEnvironment } = yield* ProjectRepo
        const project = yield* aProject
        const write = yield* kinds.cohort(project)
        const [begun, goOn] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
        const wait = Effect.zipRight(Deferred.succeed(begun, undefined), Deferred.await(goOn))
        const removal = yield* Effect.fork(runRemoval(Effect.zipRight(removeEnvironment(project.production), wait)))
        yield* Deferred.await(begun)
        const writing = yield* Effect.fork(Effect.exit(write))
        yield* Effect.yieldNow()
        yield* Deferred.succeed(goOn, undefined)
        yield* Fiber.join(removal)
        assert.isTrue(refusedOf(yield* Fiber.join(writing)))
      })
    )
  })
}

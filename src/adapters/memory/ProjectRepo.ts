import { Effect, Layer, Option } from "effect"
import type { Environment } from "../../domain/access/Organization.ts"
import { ApplicationId, EnvironmentId } from "../../domain/Ids.ts"
import { ProjectRepo } from "../../ports/ProjectRepo.ts"
import { MemoryDb } from "./MemoryDb.ts"

export const ProjectRepoMemory = Layer.effect(
  ProjectRepo,
  Effect.map(MemoryDb, ({ applications, environments, grants, savedQueries, executions }) => {
    const isTaken = (environment: Omit<Environment, "id">, except?: EnvironmentId) =>
      environments.rows.some(
        (each) =>
          each.id !== except && each.applicationId === environment.applicationId && each.alias === environment.alias
      )
    return ProjectRepo.of({
      insert: (application) =>
        Effect.sync(() => applications.insert({ ...application, id: ApplicationId.make(applications.nextId()) })),
      update: (application) => Effect.sync(() => applications.replace(({ id }) => id === application.id, application)),
      remove: (id) =>
        Effect.sync(() => {
          applications.remove((each) => each.id === id)
          environments.remove(({ applicationId }) => applicationId === id)
          grants.remove(({ applicationId }) => applicationId === id)
          savedQueries.remove(({ applicationId }) => applicationId === id)
          executions.remove(({ applicationId }) => applicationId === id)
        }),
      find: (id) => Effect.sync(() => Option.fromNullable(applications.rows.find((each) => each.id === id))),
      list: (organizationId) =>
        Effect.sync(() => applications.rows.filter((each) => each.organizationId === organizationId)),
      insertEnvironment: (environment) =>
        Effect.sync(() =>
          isTaken(environment)
            ? Option.none()
            : Option.some(environments.insert({ ...environment, id: EnvironmentId.make(environments.nextId()) }))
        ),
      updateEnvironment: (environment) =>
        Effect.sync(() =>
          isTaken(environment, environment.id)
            ? Option.none()
            : Option.some(environments.replace(({ id }) => id === environment.id, environment))
        ),
      removeEnvironment: (id) =>
        Effect.sync(() => {
          environments.remove((each) => each.id === id)
          executions.remove(({ environmentId }) => environmentId === id)
        }),
      findEnvironment: (id) => Effect.sync(() => Option.fromNullable(environments.rows.find((each) => each.id === id))),
      environments: (applicationId) =>
        Effect.sync(() => environments.rows.filter((each) => each.applicationId === applicationId))
    })
  })
)

import { Effect, Layer, Option } from "effect"
import type { Environment } from "../../domain/access/Organization.ts"
import { ApplicationId, EnvironmentId } from "../../domain/Ids.ts"
import { ProjectRepo } from "../../ports/ProjectRepo.ts"
import { MemoryDb } from "./MemoryDb.ts"

export const ProjectRepoMemory = Layer.effect(
  ProjectRepo,
  Effect.map(MemoryDb, ({ applications, environments, grants, access, change }) => {
    const isTaken = (environment: Omit<Environment, "id">, except?: EnvironmentId) =>
      environments.rows.some(
        (each) =>
          each.id !== except && each.applicationId === environment.applicationId && each.alias === environment.alias
      )
    return ProjectRepo.of({
      insert: (application) =>
        access(() => applications.insert({ ...application, id: ApplicationId.make(applications.nextId()) })),
      update: (application) => change(() => applications.replace(({ id }) => id === application.id, application)),
      remove: (id) =>
        access(() => {
          applications.remove((each) => each.id === id)
          environments.remove(({ applicationId }) => applicationId === id)
          grants.remove(({ applicationId }) => applicationId === id)
        }),
      find: (id) => access(() => Option.fromNullable(applications.rows.find((each) => each.id === id))),
      list: (organizationId) =>
        access(() => applications.rows.filter((each) => each.organizationId === organizationId)),
      insertEnvironment: (environment) =>
        access(() =>
          isTaken(environment)
            ? Option.none()
            : Option.some(environments.insert({ ...environment, id: EnvironmentId.make(environments.nextId()) }))
        ),
      updateEnvironment: (environment) =>
        change(() =>
          environments.replaceUnless(
            isTaken(environment, environment.id),
            ({ id }) => id === environment.id,
            environment
          )
        ),
      removeEnvironment: (id) => access(() => environments.remove((each) => each.id === id)),
      findEnvironment: (id) => access(() => Option.fromNullable(environments.rows.find((each) => each.id === id))),
      environments: (applicationId) =>
        access(() => environments.rows.filter((each) => each.applicationId === applicationId))
    })
  })
)

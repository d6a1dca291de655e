import type { Effect, Option } from "effect"
import { Context } from "effect"
import type { Application, Environment, NewEnvironment } from "../../domain/access/Organization.ts"
import type { ApplicationId, EnvironmentId, OrganizationId } from "../../domain/Ids.ts"

/** Projects ("applications" in the API) and their environments. */
export class ProjectRepo extends Context.Tag("ports/access/ProjectRepo")<
  ProjectRepo,
  {
    readonly insert: (application: Omit<Application, "id">) => Effect.Effect<Application>
    /** Overwrites the project of that id. */
    readonly update: (application: Application) => Effect.Effect<Application>
    /** Removes the project with its environments and grants. What else it had is hidden, and deleted by `RemovedRows.clear`. */
    readonly remove: (id: ApplicationId) => Effect.Effect<void>
    readonly find: (id: ApplicationId) => Effect.Effect<Option.Option<Application>>
    /** By id, ascending. */
    readonly list: (organizationId: OrganizationId) => Effect.Effect<ReadonlyArray<Application>>

    /** None when the project already has an environment of that alias. */
    readonly insertEnvironment: (environment: NewEnvironment) => Effect.Effect<Option.Option<Environment>>
    /** None when another environment of the project has that alias. */
    readonly updateEnvironment: (environment: Environment) => Effect.Effect<Option.Option<Environment>>
    /**
     * Removes the environment. What else the metadata store keeps for it is hidden, and deleted by `RemovedRows.clear`; its markers are
     * removed by `EventStore.drop`.
     */
    readonly removeEnvironment: (id: EnvironmentId) => Effect.Effect<void>
    readonly findEnvironment: (id: EnvironmentId) => Effect.Effect<Option.Option<Environment>>
    /** By id, ascending. */
    readonly environments: (applicationId: ApplicationId) => Effect.Effect<ReadonlyArray<Environment>>
    /** The environments of all projects of all organizations, by id. */
    readonly everyEnvironment: Effect.Effect<ReadonlyArray<Environment>>
    /** Those that were removed, alone or with their project, by id. An id that is in neither list may be about to be given. */
    readonly removedEnvironments: Effect.Effect<ReadonlyArray<EnvironmentId>>
  }
>() {}

import { Effect, Layer, Option } from "effect"
import type { Environment } from "../../domain/access/Organization.ts"
import { ApplicationId, EnvironmentId } from "../../domain/Ids.ts"
import { ProjectRepo } from "../../ports/ProjectRepo.ts"
import { MemoryDb } from "./MemoryDb.ts"

export const ProjectRepoMemory = Layer.effect(
  ProjectRepo,
  Effect.map(MemoryDb, (db) => {
    const { applications, environments, grants } = db
    const isTaken = (environment: Omit<Environment, "id">, except?: EnvironmentId) =>
      environments.rows.some(
        (each) =>
          each.id !== except && each.applicationId === environment.applicationId && each.alias === environment.alias
      )
    const removeEnvironment = (gone: EnvironmentId) => {
      environments.remove(({ id }) => id === gone)
      db.markerTypes.remove(({ environmentId }) => environmentId === gone)
      db.markerArguments.remove(({ environmentId }) => environmentId === gone)
    }
    const removeHeatmaps = (gone: ApplicationId) => {
      const ids = new Set(db.heatmaps.rows.flatMap(({ id, applicationId }) => (applicationId === gone ? [id] : [])))
      db.heatmaps.remove(({ id }) => ids.has(id))
      db.heatmapImages.remove(({ heatmapId }) => ids.has(heatmapId))
    }
    return ProjectRepo.of({
      insert: (application) =>
        Effect.sync(() => applications.insert({ ...application, id: ApplicationId.make(applications.nextId()) })),
      update: (application) => Effect.sync(() => applications.replace(({ id }) => id === application.id, application)),
      remove: (id) =>
        Effect.sync(() => {
          applications.remove((each) => each.id === id)
          for (const each of environments.rows) if (each.applicationId === id) removeEnvironment(each.id)
          removeHeatmaps(id)
          grants.remove(({ applicationId }) => applicationId === id)
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
      removeEnvironment: (id) => Effect.sync(() => removeEnvironment(id)),
      findEnvironment: (id) => Effect.sync(() => Option.fromNullable(environments.rows.find((each) => each.id === id))),
      environments: (applicationId) =>
        Effect.sync(() => environments.rows.filter((each) => each.applicationId === applicationId))
    })
  })
)

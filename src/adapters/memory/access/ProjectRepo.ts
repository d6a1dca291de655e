import { Effect, Layer, Option } from "effect"
import type { NewEnvironment } from "../../../domain/access/Organization.ts"
import { ApplicationId, EnvironmentId } from "../../../domain/Ids.ts"
import { ProjectRepo } from "../../../ports/access/ProjectRepo.ts"
import { MemoryDb } from "../MemoryDb.ts"

const kept = { retentionDays: null, markerRetentionDays: {} }

export const ProjectRepoMemory = Layer.effect(
  ProjectRepo,
  Effect.map(MemoryDb, (db) => {
    const { access, applications, environments, grants, savedQueries, executions } = db
    const isTaken = (environment: NewEnvironment, except?: EnvironmentId) =>
      environments.rows.some(
        (each) =>
          each.id !== except && each.applicationId === environment.applicationId && each.alias === environment.alias
      )
    const removeConfigurations = (gone: EnvironmentId) => {
      const ids = new Set(
        db.configurations.rows.flatMap(({ id, environmentId }) => (environmentId === gone ? [id] : []))
      )
      db.configurations.remove(({ id }) => ids.has(id))
      db.configurationVersions.remove(({ configurationId }) => ids.has(configurationId))
    }
    const removeCohorts = (gone: EnvironmentId) => {
      const ids = new Set(db.cohorts.rows.flatMap(({ id, environmentId }) => (environmentId === gone ? [id] : [])))
      db.cohorts.remove(({ id }) => ids.has(id))
      db.cohortRuns.remove(({ cohortId }) => ids.has(cohortId))
    }
    const removeAlerts = (gone: EnvironmentId) => {
      const ids = new Set(db.alerts.rows.flatMap(({ id, environmentId }) => (environmentId === gone ? [id] : [])))
      db.alerts.remove(({ id }) => ids.has(id))
      db.alertIncidents.remove(({ alertId }) => ids.has(alertId))
    }
    const removeEnvironment = (gone: EnvironmentId) => {
      if (environments.rows.some(({ id }) => id === gone)) db.removedEnvironments.insert(gone)
      removeCohorts(gone)
      removeAlerts(gone)
      environments.remove(({ id }) => id === gone)
      executions.remove(({ environmentId }) => environmentId === gone)
      db.markerTypes.remove(({ environmentId }) => environmentId === gone)
      db.markerArguments.remove(({ environmentId }) => environmentId === gone)
      db.conversions.remove(({ environmentId }) => environmentId === gone)
      db.assignments.remove(({ environmentId }) => environmentId === gone)
      db.unmarkedExposures.remove(({ environmentId }) => environmentId === gone)
      db.erasedUnits.remove(({ environmentId }) => environmentId === gone)
      db.erasures.remove(({ environmentId }) => environmentId === gone)
      db.notices.remove(({ environmentId }) => environmentId === gone)
      db.gameJobs.remove(({ environmentId }) => environmentId === gone)
      db.unitSights.remove(({ environmentId }) => environmentId === gone)
      db.serverStates.remove(({ environmentId }) => environmentId === gone)
      removeConfigurations(gone)
      db.contextProperties.remove(({ environmentId }) => environmentId === gone)
      db.experiments.remove(({ environmentId }) => environmentId === gone)
      db.experimentDrafts.remove(({ environmentId }) => environmentId === gone)
    }
    const removeDeeplinks = (gone: ApplicationId) => {
      const ids = new Set(db.deeplinks.rows.flatMap(({ id, applicationId }) => (applicationId === gone ? [id] : [])))
      db.deeplinks.remove(({ id }) => ids.has(id))
      for (const table of [db.clicks, db.clickVisitors, db.clickSlots, db.conversions])
        table.remove(({ deeplinkId }) => ids.has(deeplinkId))
    }
    const removeHeatmaps = (gone: ApplicationId) => {
      const ids = new Set(db.heatmaps.rows.flatMap(({ id, applicationId }) => (applicationId === gone ? [id] : [])))
      db.heatmaps.remove(({ id }) => ids.has(id))
      db.heatmapImages.remove(({ heatmapId }) => ids.has(heatmapId))
    }
    const removeSavedQueries = (gone: ApplicationId) => {
      const ids = new Set(savedQueries.rows.flatMap(({ id, applicationId }) => (applicationId === gone ? [id] : [])))
      savedQueries.remove(({ id }) => ids.has(id))
      db.savedQueryStars.remove(({ queryId }) => ids.has(queryId))
    }
    return ProjectRepo.of({
      insert: (application) =>
        access(() => applications.insert({ ...application, id: ApplicationId.make(applications.nextId()) })),
      update: (application) => access(() => applications.replace(({ id }) => id === application.id, application)),
      remove: (id) =>
        access(() => {
          applications.remove((each) => each.id === id)
          for (const each of environments.rows) if (each.applicationId === id) removeEnvironment(each.id)
          removeHeatmaps(id)
          removeDeeplinks(id)
          grants.remove(({ applicationId }) => applicationId === id)
          db.boards.remove(({ applicationId }) => applicationId === id)
          removeSavedQueries(id)
          executions.remove(({ applicationId }) => applicationId === id)
        }),
      find: (id) => access(() => Option.fromNullable(applications.rows.find((each) => each.id === id))),
      list: (organizationId) =>
        access(() => applications.rows.filter((each) => each.organizationId === organizationId)),
      insertEnvironment: (environment) =>
        access(() =>
          isTaken(environment)
            ? Option.none()
            : Option.some(
                environments.insert({ ...kept, ...environment, id: EnvironmentId.make(environments.nextId()) })
              )
        ),
      updateEnvironment: (environment) =>
        access(() =>
          isTaken(environment, environment.id)
            ? Option.none()
            : Option.some(environments.replace(({ id }) => id === environment.id, environment))
        ),
      removeEnvironment: (id) => access(() => removeEnvironment(id)),
      findEnvironment: (id) => access(() => Option.fromNullable(environments.rows.find((each) => each.id === id))),
      everyEnvironment: access(() => environments.rows),
      removedEnvironments: access(() => db.removedEnvironments.rows.toSorted((a, b) => a - b)),
      environments: (applicationId) =>
        access(() => environments.rows.filter((each) => each.applicationId === applicationId))
    })
  })
)

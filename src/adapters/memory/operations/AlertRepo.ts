import { DateTime, Effect, Layer, Option } from "effect"
import { type AlertId, IncidentId } from "../../../domain/Ids.ts"
import type { Alert } from "../../../domain/operations/alerts/Alert.ts"
import { isTimeCome } from "../../../domain/operations/DueTime.ts"
import { AlertRepo } from "../../../ports/operations/AlertRepo.ts"
import { MemoryDb } from "../MemoryDb.ts"
import { servedLast } from "../ServedLast.ts"

const byAge = (a: Alert, b: Alert): number =>
  DateTime.toEpochMillis(a.createdAt) - DateTime.toEpochMillis(b.createdAt) || (a.id < b.id ? -1 : 1)

export const AlertRepoMemory = Layer.effect(
  AlertRepo,
  Effect.map(MemoryDb, ({ access, alerts, alertIncidents: incidents, applications }) => {
    const openOf = (wanted: AlertId) =>
      incidents.rows.find(({ alertId, endedAt }) => alertId === wanted && endedAt === null)
    return AlertRepo.of({
      insert: (alert) => access(() => alerts.insert(alert)),
      update: (alert) => access(() => alerts.replace(({ id }) => id === alert.id, alert)),
      remove: (environmentId, gone) =>
        access(() => {
          if (!alerts.rows.some((each) => each.environmentId === environmentId && each.id === gone)) return
          alerts.remove(({ id }) => id === gone)
          incidents.remove(({ alertId }) => alertId === gone)
        }),
      find: (environmentId, id) =>
        access(() =>
          Option.fromNullable(alerts.rows.find((each) => each.environmentId === environmentId && each.id === id))
        ),
      list: (environmentId) =>
        access(() => alerts.rows.filter((each) => each.environmentId === environmentId).toSorted(byAge)),
      findDue: (now, limit, served) =>
        access(() => {
          const order = servedLast(applications, served)
          return alerts.rows
            .filter(({ isActive, nextAt }) => isActive && isTimeCome(nextAt, now))
            .toSorted((a, b) => order(a, b) || a.nextAt - b.nextAt || (a.id < b.id ? -1 : 1))
            .slice(0, limit)
        }),
      hasten: (now) =>
        access(() => {
          for (const alert of alerts.rows.filter(({ isActive, nextAt }) => isActive && nextAt > now))
            alerts.replace(({ id }) => id === alert.id, { ...alert, nextAt: now })
        }),
      insertIncident: (incident) =>
        access(() => incidents.insert({ ...incident, id: IncidentId.make(incidents.nextId()) })),
      updateIncident: (incident) => access(() => incidents.replace(({ id }) => id === incident.id, incident)),
      findOpen: (id) => access(() => Option.fromNullable(openOf(id))),
      listOpen: (environmentId) =>
        access(() => {
          const own = new Set(
            alerts.rows.flatMap(({ id, ...each }) => (each.environmentId === environmentId ? [id] : []))
          )
          return incidents.rows.filter(({ alertId, endedAt }) => endedAt === null && own.has(alertId))
        }),
      listIncidents: (id, below, limit) =>
        access(() =>
          incidents.rows
            .filter((each) => each.alertId === id && (below === null || each.id < below))
            .toReversed()
            .slice(0, limit)
        ),
      expire: (before) =>
        access(() => incidents.remove(({ endedAt }) => endedAt !== null && DateTime.toEpochMillis(endedAt) < before))
    })
  })
)

import { Context, type Effect, type Option } from "effect"
import type { AlertId, EnvironmentId, IncidentId, OrganizationId } from "../../domain/Ids.ts"
import type { Alert, Incident, NewIncident } from "../../domain/operations/alerts/Alert.ts"

/** Alerts of environments, and their incidents. Removing an environment removes its alerts. */
export class AlertRepo extends Context.Tag("ports/operations/AlertRepo")<
  AlertRepo,
  {
    readonly insert: (alert: Alert) => Effect.Effect<Alert>
    /** Overwrites the alert of that id. */
    readonly update: (alert: Alert) => Effect.Effect<Alert>
    /** Removes the alert and its incidents. */
    readonly remove: (environmentId: EnvironmentId, id: AlertId) => Effect.Effect<void>
    readonly find: (environmentId: EnvironmentId, id: AlertId) => Effect.Effect<Option.Option<Alert>>
    /** All alerts of the environment, oldest first. */
    readonly list: (environmentId: EnvironmentId) => Effect.Effect<ReadonlyArray<Alert>>
    /**
     * At most `limit` active alerts of all environments whose time has come (`isTimeCome`, epoch ms): those of organizations that are not among
     * those `served` first, and of these the longest due.
     */
    readonly findDue: (
      now: number,
      limit: number,
      served: ReadonlyArray<OrganizationId>
    ) => Effect.Effect<ReadonlyArray<Alert>>
    /** Makes all active alerts due that would be later than the instant (epoch ms): a clock that is set back has planned them. */
    readonly hasten: (now: number) => Effect.Effect<void>
    readonly insertIncident: (incident: NewIncident) => Effect.Effect<Incident>
    /** Overwrites the incident of that id. */
    readonly updateIncident: (incident: Incident) => Effect.Effect<Incident>
    /** The incident of the alert that has not ended. */
    readonly findOpen: (id: AlertId) => Effect.Effect<Option.Option<Incident>>
    /** The open incidents of the environment's alerts. */
    readonly listOpen: (environmentId: EnvironmentId) => Effect.Effect<ReadonlyArray<Incident>>
    /** Incidents of the alert with ids below, newest first; null: from the newest on. */
    readonly listIncidents: (
      id: AlertId,
      below: IncidentId | null,
      limit: number
    ) => Effect.Effect<ReadonlyArray<Incident>>
    /** Removes incidents that ended before the instant (epoch ms). */
    readonly expire: (before: number) => Effect.Effect<void>
  }
>() {}

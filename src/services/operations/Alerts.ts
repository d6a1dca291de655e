import { Clock, DateTime, Effect, Option } from "effect"
import { Principal } from "../../../schema/access/Auth.ts"
import type { AlertRecord, IncidentPage, IncidentRecord } from "../../../schema/operations/AlertRecord.ts"
import {
  type AcknowledgeAlert,
  AlertChanged,
  type AlertDefinition,
  AlertLimitReached,
  AlertNotFound,
  IncidentMissing,
  type MuteAlert,
  reading,
  type ReplaceAlert
} from "../../../schema/operations/Alerts.ts"
import type { Permission } from "../../domain/access/Permission.ts"
import { userOf } from "../../domain/access/Principal.ts"
import { AlertId, type EnvironmentId, IncidentId } from "../../domain/Ids.ts"
import {
  type Alert,
  type AlertState,
  type Incident,
  isMuted,
  mostAlerts,
  type AlertWatch
} from "../../domain/operations/alerts/Alert.ts"
import { acknowledged, delayed, renewed } from "../../domain/operations/alerts/AlertCourse.ts"
import { Secrets } from "../../ports/access/Secrets.ts"
import { AlertRepo } from "../../ports/operations/AlertRepo.ts"
import { Transaction } from "../../ports/operations/Transaction.ts"
import { demandUnchanged, updateAfter } from "../BasedOn.ts"
import { Policy } from "../access/Policy.ts"
import type { Where } from "../Where.ts"
import { AlertMeasures } from "./AlertMeasures.ts"
import { newestFirst } from "./NewestFirst.ts"

const incidentOf = ({ alertId: _, ...incident }: Incident): IncidentRecord => incident

const recordOf = (alert: Alert, incident: Incident | null, now: number): AlertRecord => {
  const { applicationId: _, environmentId: __, failures: ___, calm: ____, nextAt, found, ...shown } = alert
  return {
    ...shown,
    mutedUntil: isMuted(alert, now) ? alert.mutedUntil : null,
    found:
      found === null ? null : { ...found, from: DateTime.unsafeMake(found.from), to: DateTime.unsafeMake(found.to) },
    incident: incident === null ? null : incidentOf(incident),
    nextLookAt: alert.isActive ? DateTime.unsafeMake(nextAt) : null
  }
}

const isSame = (a: AlertWatch, b: AlertWatch): boolean => JSON.stringify(a) === JSON.stringify(b)

/** Alerts of an environment. */
export class Alerts extends Effect.Service<Alerts>()("services/operations/Alerts", {
  effect: Effect.gen(function* () {
    const repo = yield* AlertRepo
    const policy = yield* Policy
    const measures = yield* AlertMeasures
    const secrets = yield* Secrets
    const transaction = yield* Transaction

    const opened = Effect.fnUntraced(function* (permission: Permission, { applicationId, environmentId }: Where) {
      return (yield* policy.environment(permission, applicationId, environmentId)).environment.id
    })

    const found = Effect.fnUntraced(function* (environmentId: EnvironmentId, id: AlertId) {
      const alert = yield* repo.find(environmentId, id)
      if (Option.isSome(alert)) return alert.value
      return yield* Effect.fail(
        new AlertNotFound({ message: `Alert ${id} does not exist in environment ${environmentId}` })
      )
    })

    const shown = Effect.fnUntraced(function* (alert: Alert) {
      const open = Option.getOrNull(yield* repo.findOpen(alert.id))
      return recordOf(alert, open, yield* Clock.currentTimeMillis)
    })

    const list = Effect.fnUntraced(function* (where: Where, state: AlertState | undefined) {
      const environmentId = yield* opened("alerts:read", where)
      const open = new Map((yield* repo.listOpen(environmentId)).map((incident) => [incident.alertId, incident]))
      const now = yield* Clock.currentTimeMillis
      return (yield* repo.list(environmentId))
        .filter((alert) => state === undefined || alert.state === state)
        .map((alert) => recordOf(alert, open.get(alert.id) ?? null, now))
    })

    const get = Effect.fnUntraced(function* (where: Where, id: AlertId) {
      return yield* shown(yield* found(yield* opened("alerts:read", where), id))
    })

    /** The caller may change alerts and read what they watch. */
    const openedToWatch = Effect.fnUntraced(function* (where: Where) {
      const environmentId = yield* opened("alerts:write", where)
      for (const permission of reading) yield* opened(permission, where)
      return environmentId
    })

    const create = Effect.fnUntraced(
      function* (where: Where, definition: AlertDefinition) {
        const environmentId = yield* openedToWatch(where)
        yield* measures.check({ ...where, environmentId }, definition.watch)
        if ((yield* repo.list(environmentId)).length >= mostAlerts)
          return yield* Effect.fail(
            new AlertLimitReached({
              message: `Environment ${environmentId} may have at most ${mostAlerts} alerts: delete one first`
            })
          )
        const now = yield* DateTime.now
        const author = userOf(yield* Principal)
        const alert: Alert = {
          id: AlertId.make(yield* secrets.uuid),
          applicationId: where.applicationId,
          environmentId,
          ...definition,
          state: "new",
          since: now,
          found: null,
          problem: null,
          failures: 0,
          calm: 0,
          nextAt: now.epochMillis,
          mutedUntil: null,
          createdBy: author,
          updatedBy: author,
          createdAt: now,
          updatedAt: now
        }
        return recordOf(yield* repo.insert(alert), null, now.epochMillis)
      },
      (effect) => transaction.run(effect)
    )

    /** Ends the open incident without telling anybody: what it was about is watched no more. */
    const close = Effect.fnUntraced(function* (id: AlertId, now: DateTime.Utc) {
      const open = yield* repo.findOpen(id)
      if (Option.isSome(open)) yield* repo.updateIncident({ ...open.value, endedAt: now })
    })

    const update = Effect.fnUntraced(
      function* (where: Where, id: AlertId, { basedOn, ...definition }: ReplaceAlert) {
        const environmentId = yield* openedToWatch(where)
        const alert = yield* found(environmentId, id)
        const watchesAlike = isSame(alert.watch, definition.watch)
        // What was watched may be gone: the alert can still be named otherwise, and switched off.
        if (!watchesAlike || (definition.isActive && !alert.isActive))
          yield* measures.check({ ...where, environmentId }, definition.watch)
        yield* demandUnchanged("alert", alert, basedOn, (message) => new AlertChanged({ message }))
        const now = yield* DateTime.now
        const updatedAt = updateAfter(alert, now)
        const waiting = delayed(alert, definition.delayMinutes)
        const changed = { ...waiting, ...definition, updatedBy: userOf(yield* Principal), updatedAt }
        const isNew = !watchesAlike || alert.isActive !== definition.isActive
        if (isNew) yield* close(id, now)
        return yield* shown(yield* repo.update(isNew ? renewed(changed, now) : changed))
      },
      (effect) => transaction.run(effect)
    )

    const remove = Effect.fnUntraced(function* (where: Where, id: AlertId) {
      const environmentId = yield* opened("alerts:write", where)
      yield* found(environmentId, id)
      yield* repo.remove(environmentId, id)
    })

    const mute = Effect.fnUntraced(
      function* (where: Where, id: AlertId, { until }: MuteAlert) {
        const alert = yield* found(yield* opened("alerts:write", where), id)
        return yield* shown(yield* repo.update({ ...alert, mutedUntil: until }))
      },
      (effect) => transaction.run(effect)
    )

    const acknowledge = Effect.fnUntraced(
      function* (where: Where, id: AlertId, { note = null }: AcknowledgeAlert) {
        const alert = yield* found(yield* opened("alerts:write", where), id)
        const open = yield* repo.findOpen(id)
        if (Option.isNone(open))
          return yield* Effect.fail(new IncidentMissing({ message: `Alert ${id} has no open incident` }))
        const by = userOf(yield* Principal)
        yield* repo.updateIncident(acknowledged(open.value, by, note, yield* DateTime.now))
        return yield* shown(alert)
      },
      (effect) => transaction.run(effect)
    )

    const incidents = Effect.fnUntraced(function* (
      where: Where,
      id: AlertId,
      paging: { readonly limit: number; readonly cursor?: string | undefined }
    ) {
      yield* found(yield* opened("alerts:read", where), id)
      const { items, nextCursor } = yield* newestFirst(
        paging,
        IncidentId,
        (incident: Incident) => incident.id,
        (below, most) => repo.listIncidents(id, below, most)
      )
      return { items: items.map(incidentOf), nextCursor } satisfies IncidentPage
    })

    return { list, get, create, update, remove, mute, acknowledge, incidents } as const
  })
}) {}

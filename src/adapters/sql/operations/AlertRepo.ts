import { SqlSchema, type Statement } from "@effect/sql"
import { DateTime, Effect, Layer, Schema } from "effect"
import { farthestPlanMillis } from "../../../domain/operations/DueTime.ts"
import { AlertRepo } from "../../../ports/operations/AlertRepo.ts"
import { tableOf } from "../Rows.ts"
import { servedLast } from "../ServedLast.ts"
import { isIdOfTimeCome } from "../TimesCome.ts"
import { AlertRow, IncidentRow, NewIncidentRow } from "./AlertRows.ts"

export const AlertRepoSql = Layer.effect(
  AlertRepo,
  Effect.gen(function* () {
    const { sql, ...alerts } = yield* tableOf("alerts", AlertRow, AlertRow)
    const incidents = yield* tableOf("alert_incidents", IncidentRow, NewIncidentRow)

    const rows = <A, I>(Row: Schema.Schema<A, I>, statement: Statement.Statement<object>) =>
      Effect.orDie(SqlSchema.findAll({ Request: Schema.Void, Result: Row, execute: () => statement })(undefined))

    return AlertRepo.of({
      insert: alerts.insert,
      update: alerts.update,
      remove: (environmentId, id) => alerts.removeWhere(sql`environment_id = ${environmentId} and id = ${id}`),
      find: (environmentId, id) => alerts.findWhere(sql`environment_id = ${environmentId} and id = ${id}`),
      list: (environmentId) =>
        rows(AlertRow, sql`select * from alerts where environment_id = ${environmentId} order by created_at, id`),
      findDue: (now, limit, served) =>
        rows(
          AlertRow,
          sql`select * from alerts where ${isIdOfTimeCome(sql, {
            table: "alerts",
            where: sql`is_active = 1`,
            column: "next_at",
            now,
            farthest: now + farthestPlanMillis
          })} and environment_id in (select id from environments) order by ${servedLast(sql, served)} next_at, id
            limit ${limit}`
        ),
      hasten: (now) =>
        Effect.asVoid(Effect.orDie(sql`update alerts set next_at = ${now} where is_active = 1 and next_at > ${now}`)),
      insertIncident: incidents.insert,
      updateIncident: incidents.update,
      findOpen: (id) => incidents.findWhere(sql`alert_id = ${id} and ended_at is null`),
      listOpen: (environmentId) =>
        rows(
          IncidentRow,
          sql`select * from alert_incidents where ended_at is null
            and alert_id in (select id from alerts where environment_id = ${environmentId}) order by id`
        ),
      listIncidents: (id, below, limit) => {
        const wanted = [sql`alert_id = ${id}`, ...(below === null ? [] : [sql`id < ${below}`])]
        return rows(
          IncidentRow,
          sql`select * from alert_incidents where ${sql.and(wanted)} order by id desc limit ${limit}`
        )
      },
      expire: (before) => incidents.removeWhere(sql`ended_at < ${DateTime.formatIso(DateTime.unsafeMake(before))}`)
    })
  })
)

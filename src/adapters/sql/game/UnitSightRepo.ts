import { SqlClient } from "@effect/sql"
import { Effect, Layer, Schema } from "effect"
import type { UnitSight } from "../../../domain/experiments/UnitSight.ts"
import { UnitSightRepo } from "../../../ports/game/UnitSightRepo.ts"
import { dialectOf } from "../Dialect.ts"
import { forRows } from "../GivenRows.ts"
import { OneStep } from "../OneStep.ts"

const types = { environmentId: "bigint", unitType: "text", distinctId: "text", firstSeenAt: "bigint" } as const

const Row = Schema.Struct({ distinctId: Schema.String, firstSeenAt: Schema.Number })

const earliest = `on conflict (environment_id, unit_type, distinct_id) do update set first_seen_at = excluded.first_seen_at
  where excluded.first_seen_at < unit_sights.first_seen_at`

const recordOne = `insert into unit_sights (environment_id, unit_type, distinct_id, first_seen_at)
  select id, ?, ?, ? from environments where id = ? ${earliest}`

export const UnitSightRepoSql = Layer.effect(
  UnitSightRepo,
  Effect.map(Effect.all([SqlClient.SqlClient, OneStep]), ([sql, step]) => {
    const { isAmong } = dialectOf(sql)
    const decode = Schema.decodeUnknown(Schema.Array(Row))
    const record = forRows<UnitSight>(
      sql,
      types,
      (given) => `insert into unit_sights (environment_id, unit_type, distinct_id, first_seen_at)
        select environments.id, unit_type, distinct_id, min(first_seen_at)
        from ${given} join environments on environments.id = given.environment_id
        where true group by environments.id, unit_type, distinct_id ${earliest}`
    )
    /** SQLite keeps a row a statement, in one step: a statement of many rows has to group them first. */
    const recordAll = (sights: ReadonlyArray<UnitSight>) =>
      step === null
        ? record(sights)
        : step.transact((statement) => {
            const recording = statement(recordOne)
            for (const { environmentId, unitType, distinctId, firstSeenAt } of sights)
              recording.change([unitType, distinctId, firstSeenAt, environmentId])
          })
    return UnitSightRepo.of({
      firstSeen: (environmentId, unitType, distinctIds) =>
        sql`select distinct_id, first_seen_at from unit_sights
          where environment_id = ${environmentId} and unit_type = ${unitType}
          and ${isAmong("distinctId", distinctIds)}`.pipe(
          Effect.flatMap(decode),
          Effect.map((rows) => new Map(rows.map(({ distinctId, firstSeenAt }) => [distinctId, firstSeenAt]))),
          Effect.orDie
        ),
      record: (sights) => Effect.asVoid(Effect.orDie(recordAll(sights))),
      eraseUnit: (environmentId, distinctId) =>
        sql`delete from unit_sights
          where environment_id = ${environmentId} and unit_type = 'user' and distinct_id = ${distinctId}`.pipe(
          Effect.orDie,
          Effect.asVoid
        )
    })
  })
)

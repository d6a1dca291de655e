import { SqlClient } from "@effect/sql"
import { Context, DateTime, Effect, Layer, Schema } from "effect"
import type { KnownErasure, RepairPlan } from "../../../domain/operations/Reconciliation.ts"
import { countedInserts } from "../../sql/experiments/AssignmentTotals.ts"
import { RowGuard } from "../../sql/sums/RowGuard.ts"
import { assignments } from "../../sql/sums/SummedTables.ts"
import { fingerprintOf } from "./Fingerprint.ts"

const Names = Schema.Array(Schema.Struct({ distinctId: Schema.String }))
const Changed = Schema.Tuple(Schema.Struct({ count: Schema.Number }))

/** One exposure that the event file has, in milliseconds. */
export interface Exposed {
  readonly environmentId: number
  readonly experimentId: number
  readonly groupId: number
  readonly unitType: string
  readonly distinctId: string
  readonly at: number
}

const make = Effect.map(Effect.all([SqlClient.SqlClient, RowGuard]), ([sql, { seal }]) => {
  const counted = countedInserts(sql)
  const changed = Effect.flatMap(sql`select changes() as count`, Schema.decodeUnknown(Changed)).pipe(
    Effect.map(([{ count }]) => count)
  )

  const forgetExposures = Effect.fnUntraced(
    function* ({ environmentId, after }: RepairPlan["exposures"][number]) {
      yield* sql`update assignments set first_exposed_at = null, row_sum = row_sum - first_exposed_at
        where environment_id = ${environmentId} and first_exposed_at > ${after}`
      return yield* changed
    },
    sql.withTransaction,
    Effect.orDie
  )

  /** Erases again, in one environment, what the metadata hold of the erased units up to each erasure. Answers their number. */
  const erase = Effect.fnUntraced(
    function* (environmentId: number, erasures: ReadonlyArray<KnownErasure>) {
      const ends = new Map(erasures.map(({ fingerprint, erasedAt }) => [fingerprint, erasedAt]))
      const names = yield* Effect.flatMap(
        sql`select distinct_id from assignments where environment_id = ${environmentId}
          union select distinct_id from unit_sights where environment_id = ${environmentId}
          union select unit_id from deeplink_conversions where environment_id = ${environmentId}`,
        Schema.decodeUnknown(Names)
      )
      const found = names.flatMap(({ distinctId }) => {
        const end = ends.get(fingerprintOf(environmentId, distinctId))
        return end === undefined ? [] : [{ distinctId, end }]
      })
      for (const { distinctId, end } of found) {
        yield* sql`delete from assignments
          where environment_id = ${environmentId} and distinct_id = ${distinctId} and assigned_at <= ${end}`
        yield* sql`delete from unit_sights
          where environment_id = ${environmentId} and distinct_id = ${distinctId} and first_seen_at <= ${end}`
        const own = sql`environment_id = ${environmentId} and unit_id = ${distinctId} and converted_at <= ${end}`
        yield* sql`delete from deeplink_clicks where interaction_id in
          (select interaction_id from deeplink_conversions where ${own})`
        yield* sql`delete from deeplink_conversions where ${own}`
        // What else may name the unit is removed like the rest of an erasure that was cut off.
        yield* sql`insert into erasures ${sql.insert({ environmentId, unitId: distinctId, erasedAt: end })}
          on conflict do update set erased_at = max(erased_at, excluded.erased_at)`
      }
      for (const { fingerprint, erasedAt } of erasures)
        yield* sql`insert into erased_units ${sql.insert({ environmentId, fingerprint, erasedAt })}
          on conflict do update set erased_at = max(erased_at, excluded.erased_at)`
      return found.length
    },
    sql.withTransaction,
    Effect.orDie
  )

  /**
   * Gives units back the groups that they were exposed to, where the metadata know the experiment and the group and have no assignment.
   * Answers how many.
   */
  const reassign = Effect.fnUntraced(
    function* (exposures: ReadonlyArray<Exposed>) {
      const given = sql`insert into assignments (experiment_id, distinct_id, environment_id, unit_type, group_id,
          automatic_group_id, override_group_id, status, source, version, assigned_at, first_exposed_at)
        select experiments.id, exposed.value ->> 'distinctId', experiments.environment_id, record ->> '$.unitType',
          exposed.value ->> 'groupId', exposed.value ->> 'groupId', null, 'active', record ->> '$.assignmentMode', 1,
          exposed.value ->> 'at', exposed.value ->> 'at'
        from json_each(${JSON.stringify(exposures)}) as exposed
          join experiments on experiments.id = exposed.value ->> 'experimentId'
            and experiments.environment_id = exposed.value ->> 'environmentId'
          join environments on environments.id = experiments.environment_id
        where record ->> '$.unitType' = exposed.value ->> 'unitType' and exists (
          select 1 from json_each(record, '$.groups') as own where own.value ->> 'id' = exposed.value ->> 'groupId'
        )
        on conflict do nothing returning *`
      return (yield* seal(assignments, counted(given))).length
    },
    sql.withTransaction,
    Effect.orDie
  )

  /** Records the numbers of members that there are, and has cohorts with a definition computed again at once. */
  const recount = (cohorts: RepairPlan["cohorts"]) =>
    Effect.forEach(
      cohorts,
      ({ id, memberCount }) => sql`update cohorts set member_count = ${memberCount} where id = ${id}`,
      { discard: true }
    ).pipe(sql.withTransaction, Effect.orDie)

  const makeCohortsDue = (now: DateTime.Utc) =>
    Effect.asVoid(
      Effect.orDie(
        sql`update cohorts set due_at = ${DateTime.formatIso(now)}, started_at = null where kind = 'dynamic'`
      )
    )

  return { forgetExposures, erase, reassign, recount, makeCohortsDue }
})

/** Changes of the metadata that make them agree with the event file at the start. */
export class MetadataRepairs extends Context.Tag("adapters/sqlite/MetadataRepairs")<
  MetadataRepairs,
  Effect.Effect.Success<typeof make>
>() {}

export const MetadataRepairsSqlite = Layer.effect(MetadataRepairs, make)

import { SqlClient, SqlSchema, type Statement } from "@effect/sql"
import { DateTime, Effect, Layer, Option, Schema } from "effect"
import {
  type Cohort,
  type CohortOutline,
  failedAgain,
  farthestDueMillis,
  nameKey,
  started
} from "../../../domain/cohorts/Cohort.ts"
import { ApplicationId, CohortId, EnvironmentId, type OrganizationId } from "../../../domain/Ids.ts"
import { CohortRepo } from "../../../ports/cohorts/CohortRepo.ts"
import { rowsInPortions } from "../RowsInTurns.ts"
import { atOpening } from "../Opening.ts"
import { PersonColumn } from "../PersonColumn.ts"
import { Instant, JsonText, tableOf } from "../Rows.ts"
import { servedLast } from "../ServedLast.ts"
import { isIdOfTimeCome } from "../TimesCome.ts"
import { sizeOf } from "../SizeOf.ts"

const keptRuns = 1000

const NewRow = Schema.Struct({
  applicationId: ApplicationId,
  environmentId: EnvironmentId,
  name: Schema.String,
  nameKey: Schema.String,
  description: Schema.NullOr(Schema.String),
  kind: Schema.Literal("dynamic", "static"),
  definition: Schema.NullOr(Schema.String),
  markers: JsonText(Schema.Array(Schema.String)),
  cohortIds: JsonText(Schema.Array(CohortId)),
  revision: Schema.Int,
  status: Schema.Literal("ready", "computing", "failed"),
  memberCount: Schema.Int,
  computedAt: Schema.NullOr(Instant),
  error: Schema.NullOr(Schema.String),
  dueAt: Schema.NullOr(Instant),
  startedAt: Schema.NullOr(Instant),
  restsUntil: Schema.NullOr(Instant),
  failures: Schema.Int,
  highestSequence: Schema.Int,
  createdBy: PersonColumn,
  createdAt: Instant,
  updatedAt: Instant
})
const Row = Schema.Struct({ id: CohortId, ...NewRow.fields })
const OutlineRow = Row.omit("definition")

const RunRow = Schema.Struct({
  cohortId: CohortId,
  at: Instant,
  memberCount: Schema.Int,
  entered: Schema.Int,
  left: Schema.Int
})

const Renewal = Schema.Struct({ owner: Schema.String, until: Instant, ids: Schema.Array(CohortId) })

const cohortOf = ({ nameKey: _, ...cohort }: typeof Row.Type): Cohort => cohort
const outlineOf = ({ nameKey: _, ...outline }: typeof OutlineRow.Type): CohortOutline => outline
const keyed = <A extends { readonly name: string }>(cohort: A) => ({ ...cohort, nameKey: nameKey(cohort.name) })

const history = Effect.map(SqlClient.SqlClient, (sql) => {
  const insert = SqlSchema.void({
    Request: RunRow,
    execute: (run) => sql`insert into cohort_runs ${sql.insert(run)}`
  })
  const trim = (id: CohortId) => sql`delete from cohort_runs where cohort_id = ${id} and ordinal <= (
    select ordinal from cohort_runs where cohort_id = ${id} order by ordinal desc limit 1 offset ${keptRuns}
  )`
  const list = SqlSchema.findAll({
    Request: CohortId,
    Result: RunRow,
    execute: (id) =>
      sql`select cohort_id, at, member_count, entered, "left" from cohort_runs where cohort_id = ${id} order by ordinal`
  })
  return {
    add: (run: typeof RunRow.Type) =>
      Effect.orDie(sql.withTransaction(Effect.zipRight(insert(run), Effect.asVoid(trim(run.cohortId))))),
    list: (id: CohortId) => Effect.map(Effect.orDie(list(id)), (rows) => rows.map(({ cohortId: _, ...run }) => run))
  }
})

export const CohortRepoSql = Layer.effect(
  CohortRepo,
  Effect.gen(function* () {
    const { sql, ...cohorts } = yield* tableOf("cohorts", Row, NewRow)
    const runs = yield* history
    const isPresent = sql`environment_id in (select id from environments)`
    const insert = cohorts.insertUnlessTaken("environmentId", "nameKey")
    const nextDue = Effect.fnUntraced(function* (now: DateTime.Utc, served: ReadonlyArray<OrganizationId>) {
      const instant = DateTime.formatIso(now)
      const farthest = DateTime.formatIso(DateTime.add(now, { millis: farthestDueMillis }))
      // In a query of its own, so that the few that have been started are found without all others.
      const left = yield* cohorts.findWhere(sql`id in (
        select id from cohorts where started_at is not null
          and (claimed_until is null or claimed_until < ${instant} or claimed_until > ${farthest})
        ) and ${isPresent} order by id limit 1`)
      if (Option.isSome(left)) return left
      const isDue = isIdOfTimeCome(sql, {
        table: "cohorts",
        where: sql`due_at is not null and started_at is null`,
        column: "due_at",
        now: instant,
        farthest
      })
      return yield* cohorts.findWhere(
        sql`${isDue} and ${isPresent} order by ${servedLast(sql, served)} due_at, id limit 1`
      )
    })
    const claim = Effect.fnUntraced(function* (
      now: DateTime.Utc,
      owner: string,
      until: DateTime.Utc,
      served: ReadonlyArray<OrganizationId>,
      onFailed: (before: Cohort, after: Cohort) => Effect.Effect<void>
    ) {
      for (;;) {
        const due = yield* nextDue(now, served)
        if (Option.isNone(due)) return Option.none<Cohort>()
        const waiting = failedAgain(cohortOf(due.value), now)
        const cohort = waiting ?? started(cohortOf(due.value), now)
        yield* cohorts.update(keyed(cohort))
        if (waiting !== null) {
          yield* onFailed(cohortOf(due.value), waiting)
          continue
        }
        yield* sql`update cohorts set claimed_by = ${owner}, claimed_until = ${DateTime.formatIso(until)}
          where id = ${cohort.id}`
        return Option.some(cohort)
      }
    })
    const renewed = SqlSchema.findAll({
      Request: Renewal,
      Result: Row.pick("id"),
      execute: ({ owner, until, ids }) => sql`update cohorts set claimed_until = ${until}
        where started_at is not null and claimed_by = ${owner} and ${sql.in("id", ids)}
        returning id`
    })
    const readOutlines = rowsInPortions(OutlineRow)
    const columns = sql.csv(Object.keys(OutlineRow.fields).map((column) => sql`${sql(column)}`))
    const outlines = (where: Statement.Fragment) =>
      Effect.map(readOutlines(sql`select ${columns} from cohorts where ${where} order by id`), (rows) =>
        rows.map(outlineOf)
      )
    const size = sizeOf(
      EnvironmentId,
      (id) => sql`select count(*) as count, coalesce(sum(length(definition)), 0) as characters
        from cohorts where environment_id = ${id}`
    )
    const renew = (renewal: typeof Renewal.Type) => Effect.orDie(renewed(renewal))
    yield* atOpening(sql`update cohorts set claimed_until = null where started_at is not null`)
    return CohortRepo.of({
      insert: (cohort) => Effect.map(insert(keyed(cohort)), Option.map(cohortOf)),
      update: (cohort) => Effect.map(cohorts.updateUnlessTaken(keyed(cohort)), Option.map(cohortOf)),
      remove: (id) => cohorts.removeWhere(sql`id = ${id}`),
      find: (environmentId, id) =>
        Effect.map(cohorts.findWhere(sql`id = ${id} and environment_id = ${environmentId}`), Option.map(cohortOf)),
      findByName: (environmentId, name) =>
        Effect.map(
          cohorts.findWhere(sql`environment_id = ${environmentId} and name_key = ${nameKey(name)}`),
          Option.map(cohortOf)
        ),
      list: (environmentId) =>
        Effect.map(cohorts.listWhere(sql`environment_id = ${environmentId}`), (rows) => rows.map(cohortOf)),
      outlines: (environmentId) => outlines(sql`environment_id = ${environmentId}`),
      every: outlines(isPresent),
      size,
      isAnyDue: (now) => Effect.map(nextDue(now, []), Option.isSome),
      claim: (now, owner, until, served, onFailed = () => Effect.void) =>
        Effect.orDie(sql.withTransaction(claim(now, owner, until, served, onFailed))),
      renew: (owner, until, ids) => Effect.map(renew({ owner, until, ids }), (rows) => rows.map(({ id }) => id)),
      addRun: (cohortId, run) => runs.add({ cohortId, ...run }),
      runs: runs.list
    })
  })
)

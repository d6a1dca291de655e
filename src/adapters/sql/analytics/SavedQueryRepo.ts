import { SqlSchema } from "@effect/sql"
import { Effect, Layer, Option, Schema } from "effect"
import type { SavedQuery, SavedQuerySelection } from "../../../domain/analytics/question/SavedQuery.ts"
import { searchedText, searchText } from "../../../domain/analytics/question/SavedQuery.ts"
import { ApplicationId, QueryId, UserId } from "../../../domain/Ids.ts"
import { SavedQueryRepo } from "../../../ports/analytics/SavedQueryRepo.ts"
import { PersonColumn } from "../PersonColumn.ts"
import { Flag, Instant, tableOf } from "../Rows.ts"
import { rowsInPortions } from "../RowsInTurns.ts"
import { sizeOf } from "../SizeOf.ts"
import { WithoutForeignKeys } from "../WithoutForeignKeys.ts"

const Row = Schema.Struct({
  id: QueryId,
  applicationId: ApplicationId,
  name: Schema.String,
  description: Schema.NullOr(Schema.String),
  queryType: Schema.Literal("insight", "funnel", "retention", "heatmap"),
  definition: Schema.String,
  listed: Flag,
  /** What a search looks in. SQLite itself knows the case of ASCII letters only. */
  searched: Schema.String,
  createdBy: PersonColumn,
  updatedBy: PersonColumn,
  createdAt: Instant,
  updatedAt: Instant,
  lastRunAt: Schema.NullOr(Instant)
})

const Page = Schema.Struct({
  applicationId: ApplicationId,
  after: Schema.NullOr(Schema.Struct({ createdAt: Instant, id: QueryId })),
  limit: Schema.Int
})

const encodePage = Schema.encode(Page)

const rowOf = (query: SavedQuery) => ({ ...query, searched: searchedText(query) })
const queryOf = ({ searched: _, ...query }: typeof Row.Type): SavedQuery => query

export const SavedQueryRepoSql = Layer.effect(
  SavedQueryRepo,
  Effect.map(
    Effect.all([tableOf("saved_queries", Row, Row), WithoutForeignKeys]),
    ([{ sql, ...queries }, unenforced]) => {
      const { searches, isOf } = sql.onDialectOrElse({
        pg: () => ({
          searches: (text: string) => sql`strpos(searched, ${text}) > 0`,
          isOf: (userId: string) => sql`created_by::json ->> 'id' = ${userId}`
        }),
        orElse: () => ({
          searches: (text: string) => sql`instr(searched, ${text}) > 0`,
          isOf: (userId: string) => sql`created_by ->> '$.id' = ${userId}`
        })
      })
      const conditionsOf = ({ listed, search, queryType, createdBy, star }: SavedQuerySelection) => {
        const ofPerson = sql`id in (select query_id from saved_query_stars where user_id = ${star?.userId ?? ""})`
        return [
          ...(listed === null ? [] : [sql`listed = ${listed ? 1 : 0}`]),
          ...(search === null ? [] : [searches(searchText(search))]),
          ...(queryType === null ? [] : [sql`query_type = ${queryType}`]),
          ...(createdBy === null ? [] : [isOf(createdBy)]),
          ...(star === null ? [] : [star.isSet ? ofPerson : sql`not ${ofPerson}`])
        ]
      }
      const read = rowsInPortions(Row)
      const list = (selection: SavedQuerySelection, { applicationId, after, limit }: typeof Page.Encoded) => {
        const rest = after === null ? [] : [sql`(created_at, id) > (${after.createdAt}, ${after.id})`]
        const all = [sql`application_id = ${applicationId}`, ...rest, ...conditionsOf(selection)]
        return read(sql`select * from saved_queries where ${sql.and(all)} order by created_at, id limit ${limit}`)
      }
      const size = sizeOf(
        ApplicationId,
        (id) => sql`select count(*) as count,
          coalesce(sum(length(definition) + coalesce(length(description), 0)), 0) as characters
          from saved_queries where application_id = ${id}`
      )
      const ran = SqlSchema.void({
        Request: Schema.Struct({ id: QueryId, at: Instant }),
        execute: ({ id, at }) => sql`update saved_queries set last_run_at = ${at} where id = ${id}`
      })
      const starred = SqlSchema.findAll({
        Request: Schema.Struct({ userId: UserId, ids: Schema.Array(QueryId) }),
        Result: Schema.Struct({ queryId: QueryId }),
        execute: ({ userId, ids }) =>
          sql`select query_id from saved_query_stars where user_id = ${userId} and ${sql.in("query_id", ids)}
          and query_id in (select id from saved_queries)`
      })
      return SavedQueryRepo.of({
        insert: (query) => Effect.map(queries.insert(rowOf(query)), queryOf),
        update: (query) => Effect.map(queries.update(rowOf(query)), queryOf),
        remove: (applicationId, id) =>
          Effect.orDie(unenforced(queries.removeWhere(sql`application_id = ${applicationId} and id = ${id}`))),
        find: (applicationId, id) =>
          Effect.map(queries.findWhere(sql`application_id = ${applicationId} and id = ${id}`), Option.map(queryOf)),
        list: (applicationId, selection, after, limit) =>
          encodePage({ applicationId, after, limit }).pipe(
            Effect.orDie,
            Effect.flatMap((page) => list(selection, page)),
            Effect.map((rows) => rows.map(queryOf))
          ),
        size,
        ran: (id, at) => Effect.orDie(ran({ id, at })),
        star: (id, userId, isSet) =>
          Effect.asVoid(
            Effect.orDie(
              isSet
                ? sql`insert into saved_query_stars ${sql.insert({ queryId: id, userId })} on conflict do nothing`
                : sql`delete from saved_query_stars where query_id = ${id} and user_id = ${userId}`
            )
          ),
        starred: (userId, ids) =>
          Effect.map(Effect.orDie(starred({ userId, ids })), (rows) => new Set(rows.map(({ queryId }) => queryId)))
      })
    }
  )
)

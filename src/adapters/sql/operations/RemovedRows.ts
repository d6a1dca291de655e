import { SqlClient, SqlSchema } from "@effect/sql"
import { Effect, Layer, Schema } from "effect"
import { RemovedRows } from "../../../ports/operations/RemovedRows.ts"
import { documentsAtOnce, inPortions, rowsAtOnce } from "../Portions.ts"
import { LongReads } from "../LongReads.ts"
import { WithoutForeignKeys } from "../WithoutForeignKeys.ts"
import { type Reference, references } from "./References.ts"

/** Tables whose rows may be long, or take many others along. */
const withDocuments = new Set([
  "boards",
  "cohorts",
  "configuration_versions",
  "configurations",
  "executions",
  "experiment_drafts",
  "experiments",
  "heatmap_images",
  "saved_queries",
  "server_states"
])

/** Removed rows that one search finds. */
const foundAtOnce = 100

const Removed = Schema.Struct({ id: Schema.Union(Schema.Number, Schema.String) })

export const RemovedRowsSql = Layer.effect(
  RemovedRows,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const long = yield* LongReads
    const unenforced = yield* WithoutForeignKeys
    const all = yield* Effect.orDie(references)

    /** Ids that rows refer to and that are not there. Goes from one id to the next, so that an index answers it at any number of rows. */
    const removedParents = ({ child, column, parent }: Reference) =>
      SqlSchema.findAll({
        Request: Schema.Void,
        Result: Removed,
        execute: () =>
          long`with recursive named (id) as (
              select min(${long(column)}) from ${long(child)}
              union all
              select (select min(${long(column)}) from ${long(child)} where ${long(column)} > named.id)
              from named where named.id is not null
            )
            select id from named where id is not null and id not in (select id from ${long(parent)}) limit ${foundAtOnce}`
      })(undefined)

    /** Deletes some rows of the child, and no row that refers to them. */
    const portion = ({ child, column, key, isParent }: Reference, id: number | string, limit: number) => {
      const columns = sql.literal(key)
      const deleted = Effect.map(
        sql`delete from ${sql(child)} where (${columns}) in
          (select ${columns} from ${sql(child)} where ${sql(column)} = ${id} limit ${limit}) returning 1`,
        ({ length }) => length
      )
      return isParent ? unenforced(deleted) : deleted
    }

    const clearReference = Effect.fnUntraced(function* (reference: Reference) {
      const limit = withDocuments.has(reference.child) ? documentsAtOnce : rowsAtOnce
      let count = 0
      for (let isMore = true; isMore;) {
        const removed = yield* removedParents(reference)
        for (const { id } of removed) yield* inPortions(limit, portion(reference, id, limit))
        count += removed.length
        isMore = removed.length === foundAtOnce
      }
      return count
    })

    /** What is deleted may itself have been referred to, so it is looked through until nothing is left. */
    const clear = Effect.gen(function* () {
      for (let isClear = false; !isClear;) {
        isClear = true
        for (const reference of all) if ((yield* clearReference(reference)) > 0) isClear = false
      }
    })

    return RemovedRows.of({ clear: Effect.orDie(clear) })
  })
)

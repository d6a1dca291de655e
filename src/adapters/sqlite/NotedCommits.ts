import type { Connection } from "@effect/sql/SqlConnection"
import { Effect } from "effect"
import { changesNothing } from "./Statements.ts"

const begins = /^\s*begin\b/i
const ends = /^\s*(?:commit|rollback(?!\s+to))\b/i

/**
 * Calls `note` after each commit, before whoever made it goes on: after a write that stands for itself, and after the end of a
 * transaction. What `note` throws is tried again by the next commit, and fails no write.
 */
export const noted = (connection: Connection, note: () => void): Connection => {
  let isOpen = false
  const attempt = Effect.ignore(Effect.try(note))

  const after = (sql: string) =>
    Effect.suspend(() => {
      if (begins.test(sql)) isOpen = true
      else if (ends.test(sql)) {
        isOpen = false
        return attempt
      } else if (!isOpen && !changesNothing.test(sql)) return attempt
      return Effect.void
    })

  return {
    ...connection,
    execute: (sql, params, transform) => Effect.tap(connection.execute(sql, params, transform), after(sql)),
    executeRaw: (sql, params) => Effect.tap(connection.executeRaw(sql, params), after(sql)),
    executeValues: (sql, params) => Effect.tap(connection.executeValues(sql, params), after(sql)),
    executeUnprepared: (sql, params, transform) =>
      Effect.tap(
        Effect.suspend(() => connection.executeUnprepared(sql, params, transform)),
        after(sql)
      )
  }
}

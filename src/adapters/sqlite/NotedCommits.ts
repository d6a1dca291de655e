import type { Connection } from "@effect/sql/SqlConnection"
import { Effect } from "effect"
import { wrapped } from "../sql/Connections.ts"
import { changesNothing, endsTransaction } from "../sql/Statements.ts"

const begins = /^\s*begin\b/i

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
      else if (endsTransaction.test(sql)) {
        isOpen = false
        return attempt
      } else if (!isOpen && !changesNothing.test(sql)) return attempt
      return Effect.void
    })

  return wrapped(connection, (statement, sql) => Effect.tap(statement, after(sql)))
}

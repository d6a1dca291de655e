import { SqlClient } from "@effect/sql"
import { Effect } from "effect"
import type { StoreProblem } from "../../../domain/operations/StoreProblem.ts"
import { ClickHouse } from "../ClickHouse.ts"

const logUnusable: StoreProblem = {
  code: "STORE_UNWRITABLE",
  store: "log",
  severity: "unavailable",
  message: "The log of markers in PostgreSQL takes no write: the database is down or in recovery"
}

const questionsRefused: StoreProblem = {
  code: "STORE_SILENT",
  store: "events",
  severity: "unavailable",
  message: "ClickHouse gives no answer: markers are stored and wait for it, and questions are refused until it is back"
}

/** What keeps ClickHouse (`problems`) and the log from their work right now. */
export const storeProblems = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const { rows } = yield* ClickHouse
  const logProblems = Effect.match(sql<{ readonly down: boolean }>`select pg_is_in_recovery() as down`, {
    onFailure: () => [logUnusable],
    onSuccess: ([found]) => (found?.down === false ? [] : [logUnusable])
  })
  const questionProblems = Effect.match(rows("select 1"), { onFailure: () => [questionsRefused], onSuccess: () => [] })
  return { problems: questionProblems, logProblems }
})

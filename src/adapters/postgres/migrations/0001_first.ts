import { SqlClient } from "@effect/sql"
import { Effect } from "effect"
import { access } from "./first/access.ts"
import { analytics } from "./first/analytics.ts"
import { cohorts } from "./first/cohorts.ts"
import { configuration } from "./first/configuration.ts"
import { deeplinks } from "./first/deeplinks.ts"
import { experiments } from "./first/experiments.ts"
import { game } from "./first/game.ts"
import { numbers } from "./first/numbers.ts"
import { operations } from "./first/operations.ts"
import { processes } from "./first/processes.ts"
import { totals } from "./first/totals.ts"

const statements = [
  ...numbers,
  ...processes,
  ...access,
  ...analytics,
  ...configuration,
  ...cohorts,
  ...deeplinks,
  ...experiments,
  ...totals,
  ...game,
  ...operations
]

/** All tables, as SQLite's have become by their migrations up to 0023, without those that concern files. */
export const first = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  Effect.forEach(statements, (statement) => sql.unsafe(statement), { discard: true })
)

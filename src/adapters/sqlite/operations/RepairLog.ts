import { SqlClient } from "@effect/sql"
import { Context, Effect, Layer } from "effect"
import type { Repair } from "../../../domain/operations/Repair.ts"

const make = Effect.map(SqlClient.SqlClient, (sql) => {
  /** Notes repairs, and logs each: lost data as an error, the rest as a warning. */
  const add = Effect.fnUntraced(function* (repairs: ReadonlyArray<Repair>, foundAt: number) {
    for (const { kind, environmentId, text } of repairs) {
      yield* Effect.orDie(sql`insert into repairs (found_at, kind, environment_id, text)
        select ${foundAt}, ${kind}, ${environmentId}, ${text}
        where not exists (select 1 from repairs where text = ${text} and accepted_at is null)`)
      yield* kind === "lost" ? Effect.logError(text) : Effect.logWarning(text)
    }
  })
  return { add }
})

/** What starts have had to repair. The doctor lists it. */
export class RepairLog extends Context.Tag("adapters/sqlite/RepairLog")<
  RepairLog,
  Effect.Effect.Success<typeof make>
>() {}

export const RepairLogSqlite = Layer.effect(RepairLog, make)

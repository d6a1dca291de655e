import { SqlClient, SqlSchema } from "@effect/sql"
import { Effect, Layer, Option, Schema } from "effect"
import { TrustedTimes } from "../../../ports/operations/TrustedTimes.ts"

/** The row of `file_notes`. */
export const trustedNote = "trusted_at"

export const TrustedTimesSql = Layer.effect(
  TrustedTimes,
  Effect.map(SqlClient.SqlClient, (sql) => {
    const find = SqlSchema.findOne({
      Request: Schema.Void,
      Result: Schema.Struct({ value: Schema.Number }),
      execute: () => sql`select value from file_notes where name = ${trustedNote}`
    })
    return {
      get: Effect.map(Effect.orDie(find(undefined)), (found) =>
        Option.getOrNull(Option.map(found, ({ value }) => value))
      ),
      put: (at: number) =>
        Effect.asVoid(
          Effect.orDie(
            sql`insert into file_notes ${sql.insert({ name: trustedNote, value: at })}
              on conflict (name) do update set value = excluded.value`
          )
        )
    }
  })
)

import { SqlClient, SqlSchema } from "@effect/sql"
import { Effect, Layer, Option, Schema } from "effect"
import { failed, forgottenMillis, type Guesser, waitMillis } from "../../../domain/access/RateLimit.ts"
import { RateLimits } from "../../../ports/access/RateLimits.ts"

const Row = Schema.Struct({ count: Schema.Number, lastAt: Schema.Number, heardFrom: Schema.Number })

/** Keeps failures as rows that all processes count. A transaction without names has the metadata for itself, so that no failure is lost. */
export const RateLimitsPostgres = Layer.effect(
  RateLimits,
  Effect.map(SqlClient.SqlClient, (sql) => {
    const find = SqlSchema.findOne({
      Request: Schema.String,
      Result: Row,
      execute: (key) => sql`select count, last_at, heard_from from failures where key = ${key}`
    })
    const count = Effect.fnUntraced(function* ({ key, free }: Guesser, now: number) {
      const next = failed(Option.getOrUndefined(yield* find(key)), free, now)
      yield* sql`insert into failures ${sql.insert({ key, ...next })} on conflict (key) do update
        set count = excluded.count, last_at = excluded.last_at, heard_from = excluded.heard_from`
    })
    const waitOf = (guesser: Guesser, now: number) =>
      Effect.map(find(guesser.key), (found) => waitMillis(Option.getOrUndefined(found), now))
    const forget = (now: number) => sql`delete from failures where last_at < ${now - forgottenMillis}`
    return RateLimits.of({
      waitMillis: (guessers, now) =>
        Effect.map(Effect.orDie(Effect.forEach(guessers, (each) => waitOf(each, now))), (waits) =>
          Math.max(0, ...waits)
        ),
      // Whoever has to wait is refused by the first look, so that a flood of guesses does not take the metadata for itself again and again.
      guess: (guesser, now) => {
        const looked = waitOf(guesser, now)
        const unlessWaiting = (next: typeof looked) =>
          Effect.filterOrElse(
            looked,
            (wait) => wait > 0,
            () => next
          )
        const counted = Effect.as(count(guesser, now), 0)
        return unlessWaiting(sql.withTransaction(Effect.zipRight(forget(now), unlessWaiting(counted)))).pipe(
          Effect.orDie
        )
      },
      failure: (guessers, now) =>
        forget(now).pipe(
          Effect.zipRight(Effect.forEach(guessers, (each) => count(each, now), { discard: true })),
          sql.withTransaction,
          Effect.orDie
        ),
      success: ({ key }) => Effect.asVoid(Effect.orDie(sql`delete from failures where key = ${key}`))
    })
  })
)

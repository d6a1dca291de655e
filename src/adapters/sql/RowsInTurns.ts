import type { SqlError } from "@effect/sql/SqlError"
import { Effect, Schema } from "effect"
import { nextTurn } from "../../ports/operations/NextTurn.ts"
import type { SummedRow } from "./sums/RowSum.ts"

type Rows = Effect.Effect<ReadonlyArray<SummedRow>, SqlError>

/**
 * The rows of a statement, all of one instant, and then checked and read one after the other, each in a turn of the event loop of its own: one may take
 * a while. `check` leaves rows out that are not to be read, or dies of them.
 */
export const rowsInTurns = <A, I>(schema: Schema.Schema<A, I>, check: (rows: Rows) => Rows) => {
  const decode = Schema.decodeUnknown(Schema.Array(schema))
  const read = (row: SummedRow) =>
    Effect.flatMap(Effect.zipRight(nextTurn, check(Effect.succeed([row]))), (rows) => decode(rows))
  return (statement: Rows): Effect.Effect<ReadonlyArray<A>> =>
    statement.pipe(
      Effect.flatMap(Effect.forEach(read)),
      Effect.map((found) => found.flat()),
      Effect.orDie
    )
}

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

/** Characters of rows that are read in one turn of the event loop. */
const portionCharacters = 8192

/** Characters that a row counts for beside its texts. */
const fixedCharacters = 128

const charactersOf = (row: object): number => {
  let characters = fixedCharacters
  for (const value of Object.values<unknown>({ ...row })) if (typeof value === "string") characters += value.length
  return characters
}

const portionsOf = <Row extends object>(rows: ReadonlyArray<Row>): ReadonlyArray<ReadonlyArray<Row>> => {
  const portions: Array<Array<Row>> = []
  let left = 0
  for (const row of rows) {
    if (left <= 0) {
      portions.push([])
      left = portionCharacters
    }
    portions.at(-1)?.push(row)
    left -= charactersOf(row)
  }
  return portions
}

/**
 * What is read of rows that are small as a rule: as many in a turn of the event loop as have a few thousand characters together, so that a short list
 * takes no turn at all.
 */
export const inPortionsOfText = <Row extends object, A, E>(
  rows: ReadonlyArray<Row>,
  read: (portion: ReadonlyArray<Row>) => Effect.Effect<ReadonlyArray<A>, E>
) =>
  Effect.map(
    Effect.forEach(portionsOf(rows), (portion, at) =>
      Effect.zipRight(
        at === 0 ? Effect.void : nextTurn,
        Effect.suspend(() => read(portion))
      )
    ),
    (found) => found.flat()
  )

/** The rows of a statement, checked and read likewise. */
export const rowsInPortions = <A, I>(schema: Schema.Schema<A, I>, check: (rows: Rows) => Rows = (rows) => rows) => {
  const decode = Schema.decodeUnknown(Schema.Array(schema))
  const read = (portion: ReadonlyArray<SummedRow>) => Effect.flatMap(check(Effect.succeed(portion)), decode)
  return (statement: Rows): Effect.Effect<ReadonlyArray<A>> =>
    Effect.orDie(Effect.flatMap(statement, (rows) => inPortionsOfText(rows, read)))
}

import { SqlSchema, type Statement } from "@effect/sql"
import { Effect, Schema } from "effect"

const Size = Schema.Struct({ count: Schema.Int, characters: Schema.Int })

/** How much there is of something, by a statement that gives `count` and `characters`. */
export const sizeOf = <A, I>(Request: Schema.Schema<A, I>, execute: (request: I) => Statement.Statement<object>) => {
  const read = SqlSchema.single({ Request, Result: Size, execute })
  return (request: A) => Effect.orDie(read(request))
}

import { Effect, Option, Schema } from "effect"
import { ValidationFailed } from "../../../schema/RequestErrors.ts"

const lastSeen = Schema.decodeOption(Schema.NumberFromString.pipe(Schema.positive()))

/** One page of a whole list in ascending order of id; the cursor is the last id of the page before. */
export const page = Effect.fnUntraced(function* <A>(
  all: ReadonlyArray<A>,
  idOf: (item: A) => number,
  { limit, cursor }: { readonly limit: number; readonly cursor?: string | undefined }
) {
  const after = cursor === undefined ? Option.some(0) : lastSeen(cursor)
  if (Option.isNone(after)) {
    return yield* Effect.fail(new ValidationFailed({ message: "cursor: expected the nextCursor of the page before" }))
  }
  const rest = all.filter((item) => idOf(item) > after.value)
  const items = rest.slice(0, limit)
  const last = items.at(-1)
  return { items, nextCursor: rest.length > items.length && last !== undefined ? String(idOf(last)) : null }
})

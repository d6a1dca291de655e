import { Schema } from "effect"
import { plainly } from "./Plainly.ts"

/** List of at most `most` items, for lists of many thousands. `isItem` decides for one value what `item` decides, in plain code. */
export const longList = <A>(
  item: Schema.Schema<A>,
  isItem: (value: unknown) => value is A,
  most: number,
  itemJsonSchema: object
) => {
  const isPlain = (value: unknown): value is ReadonlyArray<A> =>
    Array.isArray(value) && value.length <= most && value.every(isItem)
  return plainly(Schema.Array(item).pipe(Schema.maxItems(most)), isPlain, {
    jsonSchema: { type: "array", items: itemJsonSchema, maxItems: most }
  })
}

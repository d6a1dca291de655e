import { Arbitrary, type Option, ParseResult, Schema, SchemaAST } from "effect"

const LongListId: unique symbol = Symbol.for("schema/LongList")

interface LongList {
  /** The schema that names the problems of each item. */
  readonly itemByItem: SchemaAST.AST
  /** Whether there is no problem, decided in plain code. */
  readonly isPlain: (value: unknown) => boolean
}

/** What a schema of a long list has beside it. */
export const longListOf = (ast: SchemaAST.AST): Option.Option<LongList> =>
  SchemaAST.getAnnotation<LongList>(ast, LongListId)

/**
 * List of at most `most` items, for lists of many thousands. `isItem` decides for one value what `item` decides, in plain code: a list
 * whose items it accepts all is taken as it is, which costs a tenth. Any other list is read item by item, so that every problem is named.
 */
export const longList = <A>(
  item: Schema.Schema<A>,
  isItem: (value: unknown) => value is A,
  most: number,
  itemJsonSchema: object
) => {
  const list = Schema.Array(item).pipe(Schema.maxItems(most))
  const isPlain = (value: unknown): value is ReadonlyArray<A> =>
    Array.isArray(value) && value.length <= most && value.every(isItem)
  const read = ParseResult.decodeUnknown(list)
  const parse = () => (input: unknown, options: SchemaAST.ParseOptions) =>
    isPlain(input) ? ParseResult.succeed(input) : read(input, options)
  return Schema.declare(
    [],
    { decode: parse, encode: parse },
    {
      [LongListId]: { itemByItem: list.ast, isPlain } satisfies LongList,
      jsonSchema: { type: "array", items: itemJsonSchema, maxItems: most },
      arbitrary: () => () => Arbitrary.make(list)
    }
  )
}

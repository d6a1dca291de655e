import { Arbitrary, type Option, ParseResult, Schema, SchemaAST } from "effect"

const PlainlyId: unique symbol = Symbol.for("schema/Plainly")

interface Plainly {
  /** The schema that names every problem. */
  readonly inFull: SchemaAST.AST
  /** Whether there is no problem, decided in plain code. */
  readonly isPlain: (value: unknown) => boolean
}

/** What a schema has beside it that is read plainly. */
export const plainlyOf = (ast: SchemaAST.AST): Option.Option<Plainly> =>
  SchemaAST.getAnnotation<Plainly>(ast, PlainlyId)

/**
 * Reads and writes values of a schema that changes none. `isPlain` decides in plain code what the schema decides: a value that it accepts is taken as
 * it is, which costs a tenth. Any other is read in full, so that every problem is named.
 */
export const plainly = <A, I>(
  schema: Schema.Schema<A, I>,
  isPlain: (value: unknown) => value is A & I,
  annotations: Schema.Annotations.Schema<A>
) => {
  const read = ParseResult.decodeUnknown(schema)
  const write = ParseResult.encodeUnknown(schema)
  return Schema.declare(
    [],
    {
      decode: () => (input, options) => (isPlain(input) ? ParseResult.succeed<A>(input) : read(input, options)),
      encode: () => (input, options) => (isPlain(input) ? ParseResult.succeed<I>(input) : write(input, options))
    },
    {
      [PlainlyId]: { inFull: schema.ast, isPlain } satisfies Plainly,
      arbitrary: () => () => Arbitrary.make(schema),
      ...annotations
    }
  )
}

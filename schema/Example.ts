import type { Option, Types } from "effect"
import { Schema, SchemaAST } from "effect"

const ExampleId: unique symbol = Symbol.for("schema/Example")

/**
 * Annotates a body with one as it is sent. A new server accepts it whose first user has just signed up and in, and has
 * sent the examples of the endpoints that create what it names.
 */
export const example = <S extends Schema.Annotable.All>(body: Types.NoInfer<Schema.Schema.Encoded<S>>) =>
  Schema.annotations<S>({ [ExampleId]: body })

/** The example of a body. */
export const exampleOf = (ast: SchemaAST.AST): Option.Option<unknown> =>
  SchemaAST.getAnnotation<unknown>(ast, ExampleId)

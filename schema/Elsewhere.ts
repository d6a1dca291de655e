import { Option, SchemaAST } from "effect"

/** For fields that belong elsewhere: what to do instead, by the name of the field. */
export type Places = Readonly<Record<string, string>>

const ElsewhereId: unique symbol = Symbol.for("schema/Elsewhere")

/** Annotates a body with the fields that clients send in vain and where each of them belongs. */
export const elsewhere = (places: Places) => ({ [ElsewhereId]: places })

/** Where fields belong that this schema does not know. */
export const placesOf = (ast: SchemaAST.AST): Places =>
  Option.getOrElse(SchemaAST.getAnnotation<Places>(ast, ElsewhereId), () => ({}))

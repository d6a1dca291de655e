import { Option, SchemaAST } from "effect"

/** For fields that belong elsewhere: what to do instead, by the name of the field. */
export type Places = Readonly<Record<string, string>>

const ElsewhereId: unique symbol = Symbol.for("schema/Elsewhere")

/** Annotates a body with the fields that clients send in vain and where each of them belongs. */
export const elsewhere = (places: Places) => ({ [ElsewhereId]: places })

/** Where fields belong that this schema does not know. */
export const placesOf = (ast: SchemaAST.AST): Places =>
  Option.getOrElse(SchemaAST.getAnnotation<Places>(ast, ElsewhereId), () => ({}))

const InsteadId: unique symbol = Symbol.for("schema/Instead")

/** Annotates an object with what may be sent instead of a field that it has to have. */
export const instead = (words: Places) => ({ [InsteadId]: words })

/** What may be sent instead of missing fields, by their names. */
export const insteadOf = (ast: SchemaAST.AST): Places =>
  Option.getOrElse(SchemaAST.getAnnotation<Places>(ast, InsteadId), () => ({}))

const SynonymsId: unique symbol = Symbol.for("schema/Synonyms")

/** Annotates fixed words with other words for them, which are not taken. */
export const synonyms = (words: Places) => ({ [SynonymsId]: words })

/** Words that mean one of the fixed words of a schema, with the one that each means. */
export const synonymsOf = (ast: SchemaAST.AST | undefined): Places =>
  ast === undefined ? {} : Option.getOrElse(SchemaAST.getAnnotation<Places>(ast, SynonymsId), () => ({}))

import { Schema } from "effect"

/** A field that may be left out. */
export const optional = <A, I, R>(schema: Schema.Schema<A, I, R>) => Schema.optionalWith(schema, { exact: true })

/** A request's field that may be left out, and what then counts. */
export const withDefault = <A, I, R>(schema: Schema.Schema<A, I, R>, value: NoInfer<A>) =>
  Schema.optionalWith(schema, { exact: true, default: () => value })

/** One of some words, refused in one sentence. */
export const oneOf = <const L extends readonly [string, ...ReadonlyArray<string>]>(...words: L) =>
  Schema.Literal(...words).annotations({
    message: () => ({ message: `expected one of ${words.join(", ")}`, override: true })
  })

import { Effect, Option, ParseResult, Predicate, SchemaAST } from "effect"
import { plainlyOf } from "./Plainly.ts"

type Facts = Readonly<Record<string, unknown>>

const withoutExpected = (message: string): string => message.replace(/^expected /i, "")

/** What the schema itself says when a value is not of it. */
export const saidBy = (ast: SchemaAST.AST): string | undefined => {
  const message = Option.getOrUndefined(SchemaAST.getMessageAnnotation(ast))
  const said = message?.(new ParseResult.Type(ast, undefined))
  if (typeof said === "string") return withoutExpected(said)
  if (said === undefined || Effect.isEffect(said)) return undefined
  return typeof said.message === "string" ? withoutExpected(said.message) : undefined
}

const numberIn = (facts: Facts, name: string): number | undefined => {
  const value = facts[name]
  return typeof value === "number" ? value : undefined
}

/** What the constraints of a chain of refinements say of a value, from the inside out. */
export const factsOf = (ast: SchemaAST.AST): Facts => {
  if (ast._tag !== "Refinement") return {}
  const own = Option.getOrElse(SchemaAST.getJSONSchemaAnnotation(ast), () => ({}))
  return { ...factsOf(ast.from), ...own }
}

const span = (low: number | undefined, high: number | undefined, above: number | undefined): string => {
  if (low !== undefined && high !== undefined) return ` from ${low} to ${high}`
  if (low !== undefined) return ` of at least ${low}`
  if (above !== undefined) return ` greater than ${above}${high === undefined ? "" : ` and at most ${high}`}`
  return high === undefined ? "" : ` of at most ${high}`
}

const numberWords = (facts: Facts): string => {
  const isWhole = facts["type"] === "integer"
  const above = numberIn(facts, "exclusiveMinimum")
  const high = numberIn(facts, "maximum")
  if (isWhole && above === 0 && high === undefined) return "a positive whole number"
  return (isWhole ? "a whole number" : "a number") + span(numberIn(facts, "minimum"), high, above)
}

const items = (count: number): string => (count === 1 ? "1 item" : `${count} items`)

const listWords = (least: number, most: number | undefined): string => {
  if (most === undefined) return least === 0 ? "a list" : `a list of at least ${items(least)}`
  if (least === most) return `a list of ${items(least)}`
  return least === 0 ? `a list of at most ${items(most)}` : `a list of ${least} to ${items(most)}`
}

/** How many items a list has at least and at most. */
export const lengthsOf = (ast: SchemaAST.TupleType, facts: Facts): { least: number; most: number | undefined } => {
  const needed = ast.elements.filter(({ isOptional }) => !isOptional).length
  const least = Math.max(needed, numberIn(facts, "minItems") ?? 0)
  return { least, most: ast.rest.length === 0 ? ast.elements.length : numberIn(facts, "maxItems") }
}

const textWords = (facts: Facts): string => {
  const low = numberIn(facts, "minLength")
  const high = numberIn(facts, "maxLength")
  if (facts["format"] === "uuid") return "a UUID"
  if (low !== undefined && high !== undefined) return `${low} to ${high} characters`
  if (high !== undefined) return `at most ${high} characters`
  return low === undefined ? "text" : `at least ${low} characters`
}

const baseOf = (ast: SchemaAST.AST): SchemaAST.AST => (ast._tag === "Refinement" ? baseOf(ast.from) : ast)

/** What a refinement, or the nearest one under it that says anything, says of itself. */
const saidInChain = (ast: SchemaAST.AST): string | undefined =>
  ast._tag === "Refinement" ? (saidBy(ast) ?? saidInChain(ast.from)) : undefined

/** What one refinement of a text wants; undefined where only the whole chain tells. */
export const wordsOfStep = (ast: SchemaAST.Refinement): string | undefined => {
  const own = Option.getOrElse(SchemaAST.getJSONSchemaAnnotation(ast), () => ({}))
  return saidBy(ast) ?? ("maxLength" in own && !("minLength" in own) ? textWords({ ...own }) : undefined)
}

const refinementWords = (ast: SchemaAST.Refinement): string => {
  const inChain = saidInChain(ast.from)
  if (inChain !== undefined) return inChain
  const base = baseOf(ast)
  const facts = factsOf(ast)
  switch (base._tag) {
    case "NumberKeyword":
      return numberWords(facts)
    case "StringKeyword":
      return textWords(facts)
    case "TupleType": {
      const { least, most } = lengthsOf(base, facts)
      return listWords(least, most)
    }
    default:
      return wordsOf(ast.from)
  }
}

const unionWords = (ast: SchemaAST.Union): string => {
  const literals = ast.types.flatMap((type) => (type._tag === "Literal" && type.literal !== null ? [type] : []))
  const others = ast.types.filter((type) => type._tag !== "Literal")
  const named = literals.map(({ literal }) => String(literal))
  const one = named.length > 1 ? [`one of ${named.join(", ")}`] : named
  const isNullable = ast.types.length > literals.length + others.length
  const all = [...new Set([...one, ...others.map(wordsOf), ...(isNullable ? ["null"] : [])])]
  return all.join(" or ")
}

/** What a schema wants, in words that follow "expected". */
export const wordsOf = (ast: SchemaAST.AST): string => {
  const said = saidBy(ast)
  if (said !== undefined) return said
  switch (ast._tag) {
    case "Literal":
      return ast.literal === "" ? "empty text" : String(ast.literal)
    case "StringKeyword":
      return "text"
    case "NumberKeyword":
      return "a number"
    case "BooleanKeyword":
      return "true or false"
    case "TupleType": {
      const { least, most } = lengthsOf(ast, {})
      return listWords(least, most)
    }
    case "Union":
      return unionWords(ast)
    case "Refinement":
      return refinementWords(ast)
    case "Transformation":
      return SchemaAST.isComposeTransformation(ast.transformation) ? wordsOf(ast.to) : wordsOf(ast.from)
    case "TypeLiteral":
    case "Suspend":
      return "an object"
    case "Declaration": {
      const plainly = Option.getOrUndefined(plainlyOf(ast))
      if (plainly !== undefined) return wordsOf(plainly.inFull)
      return Option.contains(SchemaAST.getIdentifierAnnotation(ast), "Json") ? "a JSON value" : "an object"
    }
    default:
      return "another value"
  }
}

/** The same for a value of another type: a number has no characters that could be too many. */
export const wordsOfType = (ast: SchemaAST.AST): string => {
  const words = wordsOf(ast)
  return baseOf(ast)._tag === "StringKeyword" && words.endsWith(" characters") ? `a text of ${words}` : words
}

/** The schema of the JSON value itself, under everything that constrains or changes it. */
export const shapeOf = (ast: SchemaAST.AST): SchemaAST.AST => {
  switch (ast._tag) {
    case "Refinement":
    case "Transformation":
      return shapeOf(ast.from)
    case "Suspend":
      return shapeOf(ast.f())
    default:
      return ast
  }
}

/** Whether a JSON value is an object: no list, no null. */
export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> => Predicate.isRecord(value)

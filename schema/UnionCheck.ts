import type { SchemaAST } from "effect"
import type { Check, Compile } from "./Check.ts"
import type { Report } from "./Report.ts"
import { isObject, shapeOf, wordsOf } from "./Words.ts"

type Fields = Readonly<Record<string, unknown>>

interface Choice {
  readonly check: Check
  readonly ast: SchemaAST.AST
  readonly required: ReadonlySet<string>
  readonly known: ReadonlySet<string>
  /** Values of the fields that tell this choice from others. */
  readonly tags: ReadonlyMap<string, ReadonlySet<unknown>>
}

const literalsOf = (ast: SchemaAST.AST): ReadonlySet<unknown> | undefined => {
  if (ast._tag === "Literal") return new Set([ast.literal])
  if (ast._tag !== "Union") return undefined
  const literals = ast.types.flatMap((type) => (type._tag === "Literal" ? [type.literal] : []))
  return literals.length === ast.types.length ? new Set(literals) : undefined
}

const choiceOf = (ast: SchemaAST.AST, shape: SchemaAST.TypeLiteral, compile: Compile): Choice => {
  const tags = new Map<string, ReadonlySet<unknown>>()
  for (const { name, type } of shape.propertySignatures) {
    const literals = literalsOf(type)
    if (literals !== undefined) tags.set(String(name), literals)
  }
  return {
    check: compile(ast),
    ast,
    required: new Set(shape.propertySignatures.flatMap(({ name, isOptional }) => (isOptional ? [] : [String(name)]))),
    known: new Set(shape.propertySignatures.map(({ name }) => String(name))),
    tags
  }
}

/** How well a value fits a choice by the names of its fields alone. */
const fitOf = ({ known, required }: Choice, value: Fields): number => {
  let fit = 0
  for (const name of Object.keys(value)) fit += known.has(name) ? 1 : -1
  for (const name of required) if (!Object.hasOwn(value, name)) fit -= 1
  return fit
}

/** Fields with fixed values, those of the most choices first, that no choice takes any other value for. */
const tagsOf = (choices: ReadonlyArray<Choice>): ReadonlyArray<string> => {
  const counts = new Map<string, number>()
  for (const name of choices.flatMap(({ tags }) => [...tags.keys()])) counts.set(name, (counts.get(name) ?? 0) + 1)
  return [...counts.keys()]
    .filter((name) => choices.every(({ tags, known }) => tags.has(name) || !known.has(name)))
    .toSorted((one, other) => (counts.get(other) ?? 0) - (counts.get(one) ?? 0))
}

const wordsOfTag = (choices: ReadonlyArray<Choice>, name: string): string => {
  const values = new Set(choices.flatMap(({ tags }) => [...(tags.get(name) ?? [])].map(String)))
  return values.size === 1 ? [...values].join() : `one of ${[...values].join(", ")}`
}

/** The choices that a tag leaves; none where it contradicts all of them, or is missing though each needs it, which is reported. */
const narrowed = (choices: ReadonlyArray<Choice>, name: string, value: Fields, report: Report) => {
  const isOwn = Object.hasOwn(value, name)
  const left = isOwn
    ? choices.filter(({ tags }) => tags.get(name)?.has(value[name]) === true)
    : choices.filter(({ required }) => !required.has(name))
  const isTelling = isOwn ? choices.some(({ tags }) => tags.has(name)) : choices.every(({ tags }) => tags.has(name))
  if (left.length > 0 || !isTelling) return left.length > 0 ? left : choices
  report.enter(name)
  report.say(() => `${isOwn ? "" : "missing, "}expected ${wordsOfTag(choices, name)}`)
  report.leave()
  return []
}

/** The choices that the fields with fixed values leave. */
const possible = (choices: ReadonlyArray<Choice>, names: ReadonlyArray<string>, value: Fields, report: Report) => {
  let left = choices
  for (const name of names) {
    if (left.length === 1) return left
    left = narrowed(left, name, value, report)
    if (left.length === 0) return left
  }
  return left
}

/** An object of one of these kinds. The kind is told by fields with fixed values, else by the names of the fields. */
const objectCheck = (choices: ReadonlyArray<Choice>): Check => {
  const [only, ...others] = choices
  if (only === undefined) return (_, report) => report.expected(() => "another value")
  if (others.length === 0) return only.check
  const names = tagsOf(choices)
  return (value, report) => {
    if (!isObject(value)) return report.expected(() => "an object")
    const left = possible(choices, names, value, report)
    const [best, ...rest] = left.toSorted((one, other) => fitOf(other, value) - fitOf(one, value))
    if (best === undefined) return undefined
    if (rest.length === 0) return best.check(value, report)
    const failed = report.countOf(() => best.check(value, report)) > 0
    if (failed && rest.some(({ check }) => report.countOf(() => check(value, report)) === 0)) return undefined
    return failed ? best.check(value, report) : undefined
  }
}

const accepted = (check: Check, value: unknown, report: Report): boolean =>
  report.countOf(() => check(value, report)) === 0

/** Of several checks, the value passes any; where one alone is of its type, that one says what is wrong. */
const anyCheck =
  (checks: ReadonlyArray<Check>, words: () => string): Check =>
  (value, report) => {
    const [only, ...others] = checks
    if (only === undefined) return report.expected(words)
    if (others.length === 0) return only(value, report)
    if (!checks.some((check) => accepted(check, value, report))) report.expected(words)
    return undefined
  }

const membersOf = (ast: SchemaAST.AST): ReadonlyArray<SchemaAST.AST> =>
  ast._tag === "Union" ? ast.types.flatMap(membersOf) : [ast]

type Kind = "object" | "list" | "text" | "number" | "boolean" | "null" | "any"

const kindOfLiteral = (literal: SchemaAST.LiteralValue): Kind => {
  if (literal === null) return "null"
  return typeof literal === "string" ? "text" : typeof literal === "boolean" ? "boolean" : "number"
}

const kindOf = (ast: SchemaAST.AST): Kind => {
  const shape = shapeOf(ast)
  switch (shape._tag) {
    case "TypeLiteral":
      return "object"
    case "TupleType":
      return "list"
    case "StringKeyword":
      return "text"
    case "NumberKeyword":
      return "number"
    case "BooleanKeyword":
      return "boolean"
    case "Literal":
      return kindOfLiteral(shape.literal)
    default:
      return "any"
  }
}

const kindOfValue = (value: unknown): Kind => {
  if (value === null) return "null"
  if (Array.isArray(value)) return "list"
  const type = typeof value
  if (type === "object") return "object"
  return type === "string" ? "text" : type === "number" ? "number" : "boolean"
}

const literalCheck =
  (literals: ReadonlySet<unknown>, words: () => string): Check =>
  (value, report) => {
    if (!literals.has(value)) report.expected(words)
  }

/** A value of one of these types. */
export const unionCheck = (ast: SchemaAST.Union, compile: Compile): Check => {
  const words = () => wordsOf(ast)
  const literals = literalsOf(ast)
  if (literals !== undefined) return literalCheck(literals, words)
  const members = membersOf(ast)
  const checks = new Map<Kind, Check>()
  for (const kind of ["object", "list", "text", "number", "boolean", "null"] as const) {
    const ofKind = members.filter((member) => kindOf(member) === kind || kindOf(member) === "any")
    const shapes = ofKind.flatMap((member) => {
      const shape = shapeOf(member)
      return shape._tag === "TypeLiteral" ? [choiceOf(member, shape, compile)] : []
    })
    const isObjects = kind === "object" && shapes.length === ofKind.length && shapes.length > 0
    checks.set(kind, isObjects ? objectCheck(shapes) : anyCheck(ofKind.map(compile), words))
  }
  return (value, report) => checks.get(kindOfValue(value))?.(value, report)
}

import type { SchemaAST } from "effect"
import { nearestName } from "../src/domain/NearestName.ts"
import type { Check, Compile } from "./Check.ts"
import { type Places, placesOf, synonymsOf } from "./Elsewhere.ts"
import type { Report } from "./Report.ts"
import { isObject, shapeOf, wordsOf } from "./Words.ts"

type Fields = Readonly<Record<string, unknown>>

interface Choice {
  readonly check: Check
  readonly ast: SchemaAST.AST
  readonly fields: ReadonlyMap<string, SchemaAST.AST>
  readonly isClosed: boolean
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
    fields: new Map(shape.propertySignatures.map(({ name, type }) => [String(name), type])),
    isClosed: shape.indexSignatures.length === 0,
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

/** The text that was meant where a fixed one was expected, in words that follow those of what was expected. */
const meantBy = (value: unknown, known: Iterable<unknown>, synonyms: Places): string => {
  if (typeof value !== "string") return ""
  const texts = [...known].filter((each) => typeof each === "string")
  const meant = Object.hasOwn(synonyms, value) ? synonyms[value] : nearestName(value, texts)
  return meant === undefined ? "" : `, did you mean ${meant}?`
}

const united = (all: ReadonlyArray<Places>): Places => Object.fromEntries(all.flatMap((each) => Object.entries(each)))

const synonymsOfTag = (choices: ReadonlyArray<Choice>, name: string): Places =>
  united(choices.map(({ fields }) => synonymsOf(fields.get(name))))

/** The choices that a tag leaves; none where it contradicts all of them, or is missing though each needs it, which is reported. */
const narrowed = (choices: ReadonlyArray<Choice>, name: string, value: Fields, report: Report) => {
  const isOwn = Object.hasOwn(value, name)
  const left = isOwn
    ? choices.filter(({ tags }) => tags.get(name)?.has(value[name]) === true)
    : choices.filter(({ required }) => !required.has(name))
  const isTelling = isOwn ? choices.some(({ tags }) => tags.has(name)) : choices.every(({ tags }) => tags.has(name))
  if (left.length > 0 || !isTelling) return left.length > 0 ? left : choices
  report.enter(name)
  report.say(() => {
    const known = choices.flatMap(({ tags }) => [...(tags.get(name) ?? [])])
    const meant = isOwn ? meantBy(value[name], known, synonymsOfTag(choices, name)) : ""
    return `${isOwn ? "" : "missing, "}expected ${wordsOfTag(choices, name)}${meant}`
  })
  report.leave()
  return []
}

const accepted = (check: Check, value: unknown, report: Report): boolean =>
  report.countOf(() => check(value, report)) === 0

/** Where `told` is wrong or missing, so that no choice is left: what all choices say of the other fields. */
const checkOthers = (choices: ReadonlyArray<Choice>, told: string, isStrict: boolean, compile: Compile): Check => {
  const known = new Set(choices.flatMap((choice) => [...choice.known]))
  const looksAtUnknown = isStrict && choices.every(({ isClosed }) => isClosed)
  const places: Places = united(choices.map(({ ast }) => placesOf(ast)))
  const fields = [...known].flatMap((name) => {
    const all = choices.flatMap((choice) => choice.fields.get(name) ?? [])
    const [first] = all
    if (first === undefined || name === told) return []
    const isRequired = choices.every(({ required }) => required.has(name))
    return [{ name, first, isRequired, checks: [...new Set(all.map(compile))] }]
  })
  return (value, report) => {
    if (!isObject(value)) return
    for (const { name, first, isRequired, checks } of fields) {
      const own = Object.hasOwn(value, name) ? value[name] : undefined
      if (own === undefined) {
        if (isRequired) report.missing(name, () => wordsOf(first))
      } else if (checks.every((check) => !accepted(check, own, report))) {
        report.enter(name)
        checks[0]?.(own, report)
        report.leave()
      }
    }
    if (!looksAtUnknown) return
    for (const key of Object.keys(value)) {
      if (report.isFull) return
      if (!known.has(key)) report.unknown(key, known, Object.hasOwn(places, key) ? places[key] : undefined, "field")
    }
  }
}

/** An object of one of these kinds. The kind is told by fields with fixed values, else by the names of the fields. */
const objectCheck = (choices: ReadonlyArray<Choice>, isStrict: boolean, compile: Compile): Check => {
  const [only, ...others] = choices
  if (only === undefined) return (_, report) => report.expected(() => "another value")
  if (others.length === 0) return only.check
  const names = tagsOf(choices)
  // Made where it is needed: a field of a choice may be of the union itself.
  const ofOthers = new Map<string, Check>()
  return (value, report) => {
    if (!isObject(value)) return report.expectedShape(() => "an object")
    let left = choices
    for (const name of names) {
      if (left.length === 1) break
      left = narrowed(left, name, value, report)
      if (left.length > 0) continue
      const check = ofOthers.get(name) ?? checkOthers(choices, name, isStrict, compile)
      ofOthers.set(name, check)
      return check(value, report)
    }
    const [best, ...rest] = left.toSorted((one, other) => fitOf(other, value) - fitOf(one, value))
    if (best === undefined) return undefined
    if (rest.length === 0) return best.check(value, report)
    const failed = report.countOf(() => best.check(value, report)) > 0
    if (failed && rest.some(({ check }) => report.countOf(() => check(value, report)) === 0)) return undefined
    return failed ? best.check(value, report) : undefined
  }
}

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
  (literals: ReadonlySet<unknown>, words: () => string, synonyms: Places): Check =>
  (value, report) => {
    if (!literals.has(value)) report.expected(() => `${words()}${meantBy(value, literals, synonyms)}`)
  }

/** A value of one of these types. */
export const unionCheck = (ast: SchemaAST.Union, isStrict: boolean, compile: Compile): Check => {
  const words = () => wordsOf(ast)
  const literals = literalsOf(ast)
  if (literals !== undefined) return literalCheck(literals, words, synonymsOf(ast))
  const members = membersOf(ast)
  const checks = new Map<Kind, Check>()
  for (const kind of ["object", "list", "text", "number", "boolean", "null"] as const) {
    const ofKind = members.filter((member) => kindOf(member) === kind || kindOf(member) === "any")
    const shapes = ofKind.flatMap((member) => {
      const shape = shapeOf(member)
      return shape._tag === "TypeLiteral" ? [choiceOf(member, shape, compile)] : []
    })
    const isObjects = kind === "object" && shapes.length === ofKind.length && shapes.length > 0
    checks.set(kind, isObjects ? objectCheck(shapes, isStrict, compile) : anyCheck(ofKind.map(compile), words))
  }
  return (value, report) => checks.get(kindOfValue(value))?.(value, report)
}

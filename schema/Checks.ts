import { Either, Option, ParseResult, Schema, SchemaAST } from "effect"
import type { Check, Compile } from "./Check.ts"
import { insteadOf, placesOf } from "./Elsewhere.ts"
import { exampleOf } from "./Example.ts"
import { tooLargeIn } from "./Json.ts"
import { plainlyOf } from "./Plainly.ts"
import { mostNamed, Report } from "./Report.ts"
import { structCheck } from "./StructCheck.ts"
import { unionCheck } from "./UnionCheck.ts"
import { factsOf, lengthsOf, wordsOf, wordsOfStep, wordsOfType } from "./Words.ts"

const decoderOf = (ast: SchemaAST.AST) => Schema.decodeUnknownEither(Schema.make<unknown, unknown>(ast))

const said = (report: Report, issue: ParseResult.ParseIssue, ast: SchemaAST.AST): void => {
  const [first] = ParseResult.ArrayFormatter.formatIssueSync(issue)
  const isOurs = first !== undefined && !first.message.startsWith("Expected ")
  const path = first?.path ?? []
  for (const key of path) report.enter(String(key))
  report.say(() => (isOurs ? first.message : `expected ${wordsOf(ast)}`))
  for (const _ of path) report.leave()
}

/** What only decoding tells: asked once nothing else is wrong with the value. */
const decodedCheck = (ast: SchemaAST.AST): Check => {
  const decode = decoderOf(ast)
  return (value, report) => {
    const decoded = decode(value)
    if (Either.isLeft(decoded)) said(report, decoded.left.issue, ast)
  }
}

const isSound = (check: Check, value: unknown, report: Report): boolean => {
  const before = report.count
  check(value, report)
  return report.count === before
}

/** Whether decoding leaves the value as it is. */
const isPlain = (ast: SchemaAST.AST): boolean => SchemaAST.typeAST(ast) === ast

const chainOf = (ast: SchemaAST.AST): ReadonlyArray<SchemaAST.Refinement> =>
  ast._tag === "Refinement" ? [...chainOf(ast.from), ast] : []

const baseOf = (ast: SchemaAST.AST): SchemaAST.AST => (ast._tag === "Refinement" ? baseOf(ast.from) : ast)

const scalarCheck = (ast: SchemaAST.Refinement, base: Check): Check => {
  const chain = chainOf(ast)
  return (value, report) => {
    if (report.countOf(() => base(value, report)) > 0) return report.expected(() => wordsOfType(ast))
    const failing = chain.find((each) => Option.isSome(each.filter(value, {}, each)))
    if (failing !== undefined) report.expected(() => wordsOfStep(failing) ?? wordsOf(ast))
    return undefined
  }
}

const structuredCheck = (ast: SchemaAST.Refinement, base: Check): Check => {
  const chain = chainOf(ast)
  const decoded = decodedCheck(ast)
  const rules: Check = isPlain(ast)
    ? (value, report) => {
        for (const each of chain) Option.map(each.filter(value, {}, each), (issue) => said(report, issue, ast))
      }
    : decoded
  return (value, report) => {
    if (isSound(base, value, report)) rules(value, report)
  }
}

const listCheck = (ast: SchemaAST.TupleType, whole: SchemaAST.AST, compile: Compile): Check => {
  const elements = ast.elements.map(({ type }) => compile(type))
  const [rest] = ast.rest.map(({ type }) => compile(type))
  const { least, most } = lengthsOf(ast, factsOf(whole))
  return (value, report) => {
    if (!Array.isArray(value)) return report.expectedShape(() => wordsOf(whole))
    const { length } = value
    const allowed = most ?? length
    if (length < least || length > allowed) report.expected(() => `${wordsOf(whole)}, found ${length}`)
    // Of items that are too many, no more are looked at than could be named.
    const end = Math.min(length, allowed + mostNamed)
    for (let at = 0; at < end && !report.isFull; at++) {
      report.enter(at)
      const check = elements[at] ?? rest
      check?.(value[at], report)
      report.leave()
    }
    return undefined
  }
}

const onlyLengths = (ast: SchemaAST.AST): boolean =>
  chainOf(ast).every((each) => {
    const facts = Option.getOrElse(SchemaAST.getJSONSchemaAnnotation(each), () => ({}))
    return "minItems" in facts || "maxItems" in facts
  })

const leafCheck = (ast: SchemaAST.AST): Check => {
  const is = ParseResult.is(Schema.make(ast))
  return (value, report) => {
    if (is(value)) return
    const tooLarge = tooLargeIn(value)
    for (const key of tooLarge ?? []) report.enter(key)
    report.expected(() => (tooLarge === undefined ? wordsOf(ast) : `a number of at most ${Number.MAX_VALUE}`))
    for (const _ of tooLarge ?? []) report.leave()
  }
}

const kindOf = (isForParameters: boolean): string => (isForParameters ? "parameter" : "field")

class Compiler {
  private readonly made = new Map<SchemaAST.AST, Check>()
  private readonly isStrict: boolean
  private readonly isForParameters: boolean

  constructor(isStrict: boolean, isForParameters: boolean) {
    this.isStrict = isStrict
    this.isForParameters = isForParameters
  }

  readonly compile: Compile = (ast) => {
    const known = this.made.get(ast)
    if (known !== undefined) return known
    const check = this.make(ast)
    this.made.set(ast, check)
    return check
  }

  /** `annotated` is the object itself, or what its defaults make of it. */
  private struct(ast: SchemaAST.TypeLiteral, annotated: SchemaAST.AST): Check {
    const manner = {
      isStrict: this.isStrict,
      places: placesOf(annotated),
      instead: insteadOf(annotated),
      kind: kindOf(this.isForParameters)
    }
    return structCheck(ast, manner, this.compile)
  }

  private make(ast: SchemaAST.AST): Check {
    switch (ast._tag) {
      case "Suspend":
        return (value, report) => this.compile(ast.f())(value, report)
      case "Union":
        return unionCheck(ast, this.isStrict, this.compile)
      case "TypeLiteral":
        return this.struct(ast, ast)
      case "TupleType":
        return listCheck(ast, ast, this.compile)
      case "Refinement":
        return this.refinement(ast)
      case "Transformation":
        return this.transformation(ast)
      case "UnknownKeyword":
      case "AnyKeyword":
        return () => undefined
      default:
        return Option.match(plainlyOf(ast), {
          onNone: () => leafCheck(ast),
          onSome: ({ inFull, isPlain }) => {
            const check = this.compile(inFull)
            return (value, report) => {
              if (!isPlain(value)) check(value, report)
            }
          }
        })
    }
  }

  private refinement(ast: SchemaAST.Refinement): Check {
    const base = baseOf(ast)
    if (base._tag === "TupleType") {
      const list = listCheck(base, ast, this.compile)
      return onlyLengths(ast) ? list : structuredCheck(ast, list)
    }
    const isScalar = base._tag === "StringKeyword" || base._tag === "NumberKeyword" || base._tag === "BooleanKeyword"
    return isScalar ? scalarCheck(ast, this.compile(base)) : structuredCheck(ast, this.compile(base))
  }

  private transformation(ast: SchemaAST.Transformation): Check {
    const { from, to, transformation } = ast
    if (SchemaAST.isTypeLiteralTransformation(transformation)) {
      return from._tag === "TypeLiteral" ? this.struct(from, ast) : this.compile(from)
    }
    const encoded = this.compile(from)
    const decoded = decodedCheck(ast)
    if (!SchemaAST.isComposeTransformation(transformation)) {
      return (value, report) => {
        if (isSound(encoded, value, report)) decoded(value, report)
      }
    }
    const decode = decoderOf(from)
    const rest = this.compile(to)
    return (value, report) => {
      if (isSound(encoded, value, report)) Either.map(decode(value), (middle) => rest(middle, report))
    }
  }
}

/** Gathers every problem of a body of this schema; unless it is lenient, unknown fields are problems too. */
export const checkOf = (
  schema: { readonly ast: SchemaAST.AST },
  manner: { isStrict: boolean; isForParameters?: boolean }
): Check => {
  const check = new Compiler(manner.isStrict, manner.isForParameters === true).compile(schema.ast)
  return Option.match(exampleOf(schema.ast), {
    onNone: () => check,
    onSome: (example) => (value, report) => report.showing(example, () => check(value, report))
  })
}

/** Every problem of a value, which stands at `place` or is the body, in one sentence; undefined where there is none. */
export const problemsOf = (check: Check, value: unknown, place?: string): string | undefined => {
  const report = new Report(place)
  check(value, report)
  return report.message
}

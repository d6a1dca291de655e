import type { SchemaAST } from "effect"
import type { Check, Compile } from "./Check.ts"
import type { Places } from "./Elsewhere.ts"
import type { Report } from "./Report.ts"
import { isObject, wordsOf } from "./Words.ts"

interface Field {
  readonly name: string
  readonly type: SchemaAST.AST
  readonly check: Check
  readonly isOptional: boolean
}

/** What stands beside the schema of an object: whether it may have other fields, where those belong, and what may stand in for its own. */
export interface Manner {
  readonly isStrict: boolean
  readonly places: Places
  readonly instead: Places
  readonly kind: string
}

interface Index {
  readonly key: Check
  readonly value: Check
}

const checkFields = (
  fields: ReadonlyArray<Field>,
  { instead }: Manner,
  value: Readonly<Record<string, unknown>>,
  report: Report
): void => {
  for (const { name, type, check, isOptional } of fields) {
    const own = Object.hasOwn(value, name) ? value[name] : undefined
    if (own === undefined) {
      if (!isOptional) report.missing(name, () => wordsOf(type), instead[name])
      continue
    }
    report.enter(name)
    check(own, report)
    report.leave()
  }
}

const checkEntry = (indexes: ReadonlyArray<Index>, key: string, value: unknown, report: Report): void => {
  report.enter(key)
  for (const index of indexes) {
    index.key(key, report)
    index.value(value, report)
  }
  report.leave()
}

/** An object with these fields; with an index, every other field is an entry of it. */
export const structCheck = (ast: SchemaAST.TypeLiteral, manner: Manner, compile: Compile): Check => {
  const fields = ast.propertySignatures.map(({ name, type, isOptional }) => ({
    name: String(name),
    type,
    check: compile(type),
    isOptional
  }))
  const known = new Set(fields.map(({ name }) => name))
  const indexes = ast.indexSignatures.map(({ parameter, type }) => ({ key: compile(parameter), value: compile(type) }))
  const looksAtOthers = manner.isStrict || indexes.length > 0
  return (value, report) => {
    if (!isObject(value)) return report.expectedShape(() => "an object")
    checkFields(fields, manner, value, report)
    if (!looksAtOthers) return undefined
    for (const key of Object.keys(value)) {
      if (known.has(key)) continue
      if (report.isFull) return undefined
      if (indexes.length > 0) checkEntry(indexes, key, value[key], report)
      else {
        const place = Object.hasOwn(manner.places, key) ? manner.places[key] : undefined
        report.unknown(key, known, place, manner.kind)
      }
    }
    return undefined
  }
}

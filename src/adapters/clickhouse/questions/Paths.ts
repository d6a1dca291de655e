import type { Scalar } from "../../../domain/analytics/markers/Event.ts"
import { identifier, textLiteral } from "../Literals.ts"
import { pathOf } from "../MarkerLines.ts"

/** The values that markers have of one name, as expressions that are null where a marker has none of that type. */
export interface Paths {
  readonly number: string
  readonly text: string
  readonly boolean: string
  /** JSON. */
  readonly list: string
}

export const pathsOf = (source: "argument" | "property", name: string): Paths => {
  const of = (prefix: string, type: string) =>
    `${source === "argument" ? "a" : "p"}.${identifier(`${prefix}_${pathOf(name)}`)}.:${type}`
  return { number: of("n", "Float64"), text: of("s", "String"), boolean: of("b", "Bool"), list: of("l", "String") }
}

const view = new DataView(new ArrayBuffer(8))

/** The bits of a double as a whole number; -0 is 0, as markers have it. */
const bitsOf = (number: number): bigint => {
  view.setFloat64(0, number + 0)
  return view.getBigUint64(0)
}

/** A double as a literal, to its last bit. */
export const doubleLiteral = (number: number): string => `reinterpretAsFloat64(toUInt64('${bitsOf(number)}'))`

/** Doubles as one list, to their last bits: ClickHouse refuses statements with tens of thousands of calls. */
export const doublesLiteral = (numbers: ReadonlyArray<number>): string =>
  `arrayMap(bits -> reinterpretAsFloat64(bits), '[${numbers.map(bitsOf).join(",")}]'::Array(UInt64))`

/** That the number of a path is one of some doubles, to their last bits. */
export const amongDoubles = (path: string, numbers: ReadonlyArray<number>): string =>
  numbers.length === 0 ? "false" : `reinterpretAsUInt64(assumeNotNull(${path})) in (${numbers.map(bitsOf).join(", ")})`

/** The types of values that markers may have of a name. */
export type ValueTypes = ReadonlySet<keyof Paths>

/** The first of the branches (a condition and what it gives) that holds, or else the last expression; types that no marker has need none. */
export const byType = (
  types: ValueTypes,
  branches: ReadonlyArray<readonly [type: keyof Paths, condition: string, result: string]>,
  otherwise: string
): string => {
  const own = branches.filter(([type]) => types.has(type))
  return own.length === 0
    ? otherwise
    : `multiIf(${own.map(([, condition, result]) => `${condition}, ${result}`).join(", ")}, ${otherwise})`
}

/** The group of a breakdown as a text that differs whenever groups differ; `groupOfKey` reads it. A list is a text of JSON there. */
export const groupKeyOf = ({ number, text, boolean, list }: Paths, types: ValueTypes): string => {
  const key = byType(
    types,
    [
      ["number", `isNotNull(${number})`, `concat('n', toString(${number}))`],
      ["text", `ifNull(${text}, '') != ''`, `concat('s', ${text})`],
      ["boolean", `isNotNull(${boolean})`, `if(assumeNotNull(${boolean}), 'btrue', 'bfalse')`],
      ["list", `ifNull(${list}, '[]') != '[]'`, `concat('s', ${list})`]
    ],
    "''"
  )
  return `assumeNotNull(${key})`
}

/** The value of a group from its key. */
export const groupOfKey = (key: string): Scalar | null => {
  const value = key.slice(1)
  switch (key.charAt(0)) {
    case "n":
      return Number(value)
    case "b":
      return value === "true"
    case "s":
      return value
    default:
      return null
  }
}

/** The keys of a list of groups. */
export const tupleOf = (keys: ReadonlyArray<string>): string => `(${keys.map(textLiteral).join(", ")})`

import type { Scalar } from "../../../../domain/analytics/markers/Event.ts"
import { type FilterCondition, elementTest, type ValueCondition } from "../../../../domain/analytics/filter/Filter.ts"
import { elementsOf, numberOf } from "../../../../domain/analytics/filter/Value.ts"
import type { Codes, Column } from "../format/Column.ts"
import { columnName, columnOf } from "../format/ColumnName.ts"
import type { RowBlock } from "../file/RowBlock.ts"
import { numbersColumn } from "./NumbersColumn.ts"

/**
 * Moves the rows that meet a condition to the front of the first `count` rows, in place, and answers how many there
 * are.
 */
export type Refine = (rows: Uint32Array, count: number) => number

/** Resolves a condition on cohorts or experiments to a flag for each unit number. */
export type Membership = (condition: Exclude<FilterCondition, ValueCondition>) => Uint8Array

const byCode =
  (codes: Codes["codes"], holds: Uint8Array): Refine =>
  (rows, count) => {
    let kept = 0
    for (let index = 0; index < count; index++) {
      const row = rows[index]!
      rows[kept] = row
      kept += holds[codes[row]!]!
    }
    return kept
  }

const byNumber =
  (values: Float64Array, holds: (value: number) => boolean): Refine =>
  (rows, count) => {
    let kept = 0
    for (let index = 0; index < count; index++) {
      const row = rows[index]!
      if (holds(values[row]!)) rows[kept++] = row
    }
    return kept
  }

const byRange =
  (values: Float64Array, low: number, high: number): Refine =>
  (rows, count) => {
    let kept = 0
    for (let index = 0; index < count; index++) {
      const row = rows[index]!
      const value = values[row]!
      rows[kept] = row
      kept += Number(value >= low) & Number(value <= high)
    }
    return kept
  }

const every: Refine = (_, count) => count
const none: Refine = () => 0

const scratch = new Float64Array(1)
const scratchBits = new BigInt64Array(scratch.buffer)

/** The next double above (1) or below (-1) `value`. */
const nextAfter = (value: number, direction: 1 | -1): number => {
  if (!Number.isFinite(value)) return value
  if (value === 0) return direction * Number.MIN_VALUE
  scratch[0] = value
  scratchBits[0]! += value > 0 === direction > 0 ? 1n : -1n
  return scratch[0]!
}

/** The inclusive bounds of the numbers that an ordering operator accepts; null for other operators. */
const boundsOf = ({ operator, operands }: ValueCondition): readonly [low: number, high: number] | null => {
  const numbers = operands.map(numberOf).filter((number) => number !== null)
  const [low, high] = [Math.min(...numbers), Math.max(...numbers)]
  switch (operator) {
    case "greaterThanOrEqual":
      return [low, Infinity]
    case "lessThanOrEqual":
      return [-Infinity, high]
    case "greaterThan":
      return numbers.length === 0 ? [Infinity, -Infinity] : [nextAfter(low, 1), Infinity]
    case "lessThan":
      return numbers.length === 0 ? [Infinity, -Infinity] : [-Infinity, nextAfter(high, -1)]
    case "between": {
      const [first, second] = operands.map(numberOf)
      return first === undefined || first === null || second === undefined || second === null
        ? [Infinity, -Infinity]
        : [first, second]
    }
    default:
      return null
  }
}

const refineNumbers = (values: Float64Array, condition: ValueCondition): Refine => {
  const bounds = boundsOf(condition)
  if (bounds !== null) return byRange(values, bounds[0], bounds[1])
  const test = elementTest(condition.operator, condition.operands)
  const isMissingKept = test([])
  const known = new Map<number, boolean>()
  return byNumber(values, (value) => {
    if (Number.isNaN(value)) return isMissingKept
    let holds = known.get(value)
    if (holds === undefined) {
      holds = test([value])
      if (known.size < 100_000) known.set(value, holds)
    }
    return holds
  })
}

const refineCodes = ({ codes, dictionary }: Codes, test: (elements: ReadonlyArray<Scalar>) => boolean): Refine => {
  const holds = new Uint8Array(dictionary.count + 1)
  holds[0] = test([]) ? 1 : 0
  for (let index = 0; index < dictionary.count; index++)
    holds[index + 1] = test(elementsOf(dictionary.value(index))) ? 1 : 0
  return byCode(codes, holds)
}

const refineColumn = (column: Column | undefined, condition: ValueCondition): Refine => {
  const test = elementTest(condition.operator, condition.operands)
  if (column === undefined) return test([]) ? every : none
  return column.type === "codes" ? refineCodes(column, test) : refineNumbers(column.values, condition)
}

const refineUnits = (units: Uint32Array, members: Uint8Array, isIn: boolean): Refine => {
  const wanted = isIn ? 1 : 0
  return (rows, count) => {
    let kept = 0
    for (let index = 0; index < count; index++) {
      const row = rows[index]!
      rows[kept] = row
      kept += Number(members[units[row]!] === wanted)
    }
    return kept
  }
}

/** Binds a condition to the rows of one block. */
export const refineBy = (block: RowBlock, condition: FilterCondition, membership: Membership): Refine =>
  "isIn" in condition
    ? refineUnits(block.units(), membership(condition), condition.isIn)
    : refineColumn(block.column(columnOf(condition)), condition)

/** Keeps rows that have a position. */
export const refinePlaced = (block: RowBlock): Refine => {
  const column = block.column(columnName.x)
  return column === undefined ? none : byRange(numbersColumn(column, block.rows), -Infinity, Infinity)
}

/** Keeps rows of the types that are wanted, in a block of several types. */
export const refineTypes = (block: RowBlock, isWanted: (type: string) => boolean): Refine => {
  const column = block.column(columnName.type)
  if (column === undefined || column.type === "numbers") return none
  const { codes, dictionary } = column
  const holds = Uint8Array.from({ length: dictionary.count + 1 }, (_, code) =>
    code > 0 && isWanted(String(dictionary.value(code - 1))) ? 1 : 0
  )
  return byCode(codes, holds)
}

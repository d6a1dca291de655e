import { crc32 } from "node:zlib"

/** A row as the driver gives it, with the names of its columns in camelCase. */
export type SummedRow = Readonly<Record<string, unknown>>

/** A table whose rows carry a checksum of their values, in the column `row_sum`. */
export interface SummedTable {
  readonly name: string
  /** The columns that name a row. */
  readonly key: ReadonlyArray<string>
  /** The columns that the checksum covers, in this order; any other may change without it. */
  readonly columns: ReadonlyArray<string>
  /** A column whose integer is added to the checksum, so that one statement can change both without reading the row. */
  readonly added?: string
  /** A long column with a checksum of its own, which stands among `columns` for it, so that rows can be checked without it. */
  readonly apart?: { readonly column: string; readonly sum: string }
}

const written = (value: unknown): string => {
  if (typeof value === "string") return `${value.length}:${value}`
  return value === null || value === undefined ? "-" : `#${String(value)}`
}

/** CRC-32 of values of a row, so that no other values give the same text: 0 to 2^32 - 1. */
export const sumOfValues = (values: ReadonlyArray<unknown>): number => crc32(values.map(written).join(" "))

const addend = (value: unknown): number => (typeof value === "number" ? value : 0)

/** By byte, what it changes of a CRC-32 with the polynomial of zlib. */
const table = Int32Array.from({ length: 256 }, (_, byte) => {
  let rest = byte
  for (let bit = 0; bit < 8; bit++) rest = (rest & 1) === 1 ? (rest >>> 1) ^ 0xedb88320 : rest >>> 1
  return rest
})

const space = 0x20
const colon = 0x3a
const hashSign = 0x23
const minus = 0x2d
const digitZero = 0x30
const largestAscii = 0x7f
const billion = 1_000_000_000

const withByte = (sum: number, byte: number): number => (table[(sum ^ byte) & 0xff] ?? 0) ^ (sum >>> 8)

/** With so many digits of an integer from 0 to 999,999,999, the highest of which is of this divisor. */
const withDigits = (before: number, value: number, highest: number): number => {
  let [sum, rest] = [before, value]
  for (let divisor = highest; divisor >= 1; divisor /= 10) {
    const digit = (rest / divisor) | 0
    rest -= digit * divisor
    sum = withByte(sum, digitZero + digit)
  }
  return sum
}

const highestOf = (value: number): number => {
  let divisor = 1
  while (divisor * 10 <= value) divisor *= 10
  return divisor
}

/** With an integer from 0 to 2^53 in decimal digits. */
const withInteger = (sum: number, value: number): number => {
  if (value < billion) return withDigits(sum, value, highestOf(value))
  const high = Math.floor(value / billion)
  return withDigits(withDigits(sum, high, highestOf(high)), value - high * billion, billion / 10)
}

const withAscii = (before: number, text: string): number | null => {
  let sum = before
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code > largestAscii) return null
    sum = withByte(sum, code)
  }
  return sum
}

/** With a value as it is `written`; null where that is beyond ASCII. */
const withValue = (sum: number, value: unknown): number | null => {
  if (typeof value === "string") return withAscii(withByte(withInteger(sum, value.length), colon), value)
  if (typeof value === "number" && Number.isSafeInteger(value) && value >= 0)
    return withInteger(withByte(sum, hashSign), value)
  return value === null || value === undefined ? withByte(sum, minus) : withAscii(sum, written(value))
}

/**
 * The same of a row's columns, without texts in between that would be collected: every row that is stored or read is summed. A text beyond
 * ASCII, which has other bytes than characters, is left to zlib with its row.
 */
const sumOfColumns = (columns: ReadonlyArray<string>, row: SummedRow): number => {
  let sum = -1
  let isFirst = true
  for (const name of columns) {
    if (!isFirst) sum = withByte(sum, space)
    isFirst = false
    const next = withValue(sum, row[name])
    if (next === null) return sumOfValues(columns.map((each) => row[each]))
    sum = next
  }
  return ~sum >>> 0
}

/** The checksum that a row should have, given that of its long column. */
export const sumOf = ({ added, columns }: SummedTable, row: SummedRow): number =>
  sumOfColumns(columns, row) + (added === undefined ? 0 : addend(row[added]))

/** The checksums that a row should have, by column. */
export const sumsOf = (table: SummedTable, row: SummedRow): Readonly<Record<string, number>> => {
  const { apart } = table
  const own = apart === undefined ? {} : { [apart.sum]: sumOfValues([row[apart.column]]) }
  return { ...own, rowSum: sumOf(table, { ...row, ...own }) }
}

/** Whether a row has the checksums that it should have. Its long column is checked where it was read. */
export const isSound = (table: SummedTable, row: SummedRow): boolean => {
  const { apart } = table
  if (apart !== undefined && apart.column in row && row[apart.sum] !== sumOfValues([row[apart.column]])) return false
  return row["rowSum"] === sumOf(table, row)
}

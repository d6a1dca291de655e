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
const largestAscii = 0x7f

const withByte = (sum: number, byte: number): number => (table[(sum ^ byte) & 0xff] ?? 0) ^ (sum >>> 8)

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
    const text = written(row[name])
    for (let at = 0; at < text.length; at++) {
      const code = text.charCodeAt(at)
      if (code > largestAscii) return sumOfValues(columns.map((each) => row[each]))
      sum = withByte(sum, code)
    }
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

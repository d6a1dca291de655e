import { type TableCell, type TableColumn, instantText, type TableRow } from "./Table.ts"

/**
 * Spreadsheets calculate what begins with one of these, some of them also what begins with the full-width forms; the apostrophe makes it text
 * (OWASP, CSV Injection).
 */
const dangerous = /^[=+\-@\t\r\n＝＋－＠]/

/** A text as a cell. Programs also part cells at semicolons and tabs. */
export const quoted = (text: string): string => (/[",;\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)

const cellOf = (value: TableCell): string => {
  if (value === null) return ""
  if (typeof value !== "string") return String(value)
  return quoted(dangerous.test(value) ? `'${value}` : value)
}

const rowText = (cells: ReadonlyArray<string>): string => `${cells.join(",")}\r\n`

/** Rows as RFC 4180 writes them. Text that a spreadsheet would calculate begins with an apostrophe. */
export const csvOf = (rows: ReadonlyArray<TableRow>): string => rows.map((row) => rowText(row.map(cellOf))).join("")

/** The line of names that a CSV file begins with. */
export const csvHeading = (columns: ReadonlyArray<TableColumn>): string => csvOf([columns.map(({ name }) => name)])

/** Rows of a table as RFC 4180 writes them: instants as ISO 8601. */
export const csvRows = (columns: ReadonlyArray<TableColumn>, rows: ReadonlyArray<TableRow>): string => {
  const isInstant = columns.map(({ kind }) => kind === "instant")
  return rows
    .map((row) =>
      rowText(row.map((cell, at) => (isInstant[at] && typeof cell === "number" ? instantText(cell) : cellOf(cell))))
    )
    .join("")
}

/** Spreadsheets calculate what begins with one of these; the apostrophe makes it text. */
const dangerous = /^[=+\-@\t\r]/

/** What a field of a table holds; null is empty. */
export type Cell = string | number | null

const cellOf = (value: Cell): string => {
  if (value === null) return ""
  if (typeof value === "number") return String(value)
  const safe = dangerous.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** Rows as RFC 4180 writes them. */
export const csvOf = (rows: ReadonlyArray<ReadonlyArray<Cell>>): string =>
  rows.map((row) => `${row.map(cellOf).join(",")}\r\n`).join("")

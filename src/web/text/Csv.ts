/** Spreadsheets calculate what begins with one of these; the apostrophe makes it text. */
const dangerous = /^[=+\-@\t\r]/

const cellOf = (value: string | number | null): string => {
  if (value === null) return ""
  if (typeof value === "number") return String(value)
  const safe = dangerous.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** Rows as RFC 4180 writes them. */
export const csvOf = (rows: ReadonlyArray<ReadonlyArray<string | number | null>>): string =>
  rows.map((row) => `${row.map(cellOf).join(",")}\r\n`).join("")

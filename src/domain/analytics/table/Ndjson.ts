import { type TableCell, type TableColumn, type ColumnKind, instantText, type TableRow } from "./Table.ts"

const valueOf = (kind: ColumnKind, cell: TableCell): string => {
  if (cell === null) return "null"
  if (kind === "json") return String(cell)
  return JSON.stringify(kind === "instant" && typeof cell === "number" ? instantText(cell) : cell)
}

/** Rows of a table as JSON objects, one a line: instants as ISO 8601, JSON as itself and not as a text. */
export const ndjsonRows = (columns: ReadonlyArray<TableColumn>, rows: ReadonlyArray<TableRow>): string => {
  const keys = columns.map(({ name }) => JSON.stringify(name))
  return rows
    .map((row) => {
      const fields = columns.map(({ kind }, at) => `${keys[at]}:${valueOf(kind, row[at] ?? null)}`)
      return `{${fields.join(",")}}\n`
    })
    .join("")
}

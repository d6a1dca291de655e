import { type Cell, type Column, type ColumnKind, instantText, type Row } from "./Table.ts"

const valueOf = (kind: ColumnKind, cell: Cell): string => {
  if (cell === null) return "null"
  if (kind === "json") return String(cell)
  return JSON.stringify(kind === "instant" && typeof cell === "number" ? instantText(cell) : cell)
}

/** Rows of a table as JSON objects, one a line: instants as ISO 8601, JSON as itself and not as a text. */
export const ndjsonRows = (columns: ReadonlyArray<Column>, rows: ReadonlyArray<Row>): string => {
  const keys = columns.map(({ name }) => JSON.stringify(name))
  return rows
    .map((row) => {
      const fields = columns.map(({ kind }, at) => `${keys[at]}:${valueOf(kind, row[at] ?? null)}`)
      return `{${fields.join(",")}}\n`
    })
    .join("")
}

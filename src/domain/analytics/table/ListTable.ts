import { type Document, isObject, type Json } from "../../configuration/Document.ts"
import type { TableCell, TableColumn, ColumnKind, Table } from "./Table.ts"

/** Objects inside objects are columns of their own down to here; what lies deeper is JSON. */
const mostLevels = 2

const flatInto = (row: Map<string, Json>, prefix: string, value: Document, depth: number): void => {
  for (const [key, inner] of Object.entries(value)) {
    const name = `${prefix}${key}`
    if (isObject(inner) && depth < mostLevels && Object.keys(inner).length > 0)
      flatInto(row, `${name}.`, inner, depth + 1)
    else row.set(name, inner)
  }
}

const flat = (item: Json): ReadonlyMap<string, Json> => {
  const row = new Map<string, Json>()
  if (isObject(item)) flatInto(row, "", item, 0)
  else row.set("value", item)
  return row
}

const kindOf = (value: Json): ColumnKind => {
  if (typeof value === "number") return Number.isSafeInteger(value) ? "integer" : "number"
  if (typeof value === "boolean") return "boolean"
  return typeof value === "string" ? "text" : "json"
}

/** The kind that holds both. */
const united = (left: ColumnKind | undefined, right: ColumnKind): ColumnKind => {
  if (left === undefined || left === right) return right
  return [left, right].every((kind) => kind === "integer" || kind === "number") ? "number" : "json"
}

const cellOf = (kind: ColumnKind, value: Json | undefined): TableCell => {
  if (value === undefined || value === null) return null
  if (kind === "json" || typeof value === "object") return JSON.stringify(value)
  return value
}

/**
 * A list of JSON objects as a table: a column for each name, in the order in which they appear, `outer.inner` for those of objects within.
 * Lists, and names that hold values of several kinds, are JSON.
 */
export const listTable = (items: ReadonlyArray<Json>): Table => {
  const rows = items.map(flat)
  const kinds = new Map<string, ColumnKind | undefined>()
  for (const row of rows)
    for (const [name, value] of row)
      kinds.set(name, value === null ? kinds.get(name) : united(kinds.get(name), kindOf(value)))
  const columns: ReadonlyArray<TableColumn> = [...kinds].map(([name, kind]) => ({ name, kind: kind ?? "text" }))
  return { columns, rows: rows.map((row) => columns.map(({ name, kind }) => cellOf(kind, row.get(name)))) }
}

/** What a field of a table holds; null is empty. Instants are epoch ms, JSON is its text. */
export type TableCell = string | number | boolean | null

export type ColumnKind = "text" | "integer" | "number" | "boolean" | "instant" | "json"

export interface TableColumn {
  readonly name: string
  readonly kind: ColumnKind
}

export type TableRow = ReadonlyArray<TableCell>

/** Rows with one cell for each column. */
export interface Table {
  readonly columns: ReadonlyArray<TableColumn>
  readonly rows: ReadonlyArray<TableRow>
}

/** The columns of names, in the order of the object. */
export const columnsOf = (kinds: Readonly<Record<string, ColumnKind>>): ReadonlyArray<TableColumn> =>
  Object.entries(kinds).map(([name, kind]) => ({ name, kind }))

/** The instant as ISO 8601 in UTC; one that no calendar holds stays the number that it is. */
export const instantText = (millis: number): string => {
  const date = new Date(millis)
  return Number.isNaN(date.getTime()) ? String(millis) : date.toISOString()
}

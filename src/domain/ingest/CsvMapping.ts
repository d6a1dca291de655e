import { Schema } from "effect"
import { dayMillis } from "../Durations.ts"
import { isLongNumber } from "./ExactJson.ts"

const Column = Schema.Struct({
  column: Schema.String,
  as: Schema.optional(Schema.Literal("string", "number", "boolean"))
})

const Source = Schema.Union(Schema.String, Schema.Number, Schema.Boolean, Column)

const Sources = Schema.Record({ key: Schema.String, value: Source })

/** How the rows of a CSV file become markers. A text source may contain `{column}` anywhere. */
export const CsvMapping = Schema.Struct({
  markers: Schema.NonEmptyArray(
    Schema.Struct({
      type: Schema.String,
      unitId: Schema.optional(Source),
      sessionId: Schema.optional(Source),
      /** An instant in any form that the ingest route accepts, or a number of days before the import. */
      timestamp: Schema.Union(Source, Schema.Struct({ daysAgo: Schema.NonNegative })),
      /** If given, only rows whose column has this text (ignoring case) give this marker. */
      when: Schema.optional(Schema.Struct({ column: Schema.String, equals: Schema.String })),
      arguments: Schema.optionalWith(Sources, { default: () => ({}) }),
      properties: Schema.optionalWith(Sources, { default: () => ({}) })
    })
  )
}).annotations({ identifier: "CsvMapping" })
export type CsvMapping = typeof CsvMapping.Type

type Source = typeof Source.Type
export type CsvRow = Readonly<Record<string, string>>

/** Cells that are no row: they are not as many as the columns, so nobody knows which column each of them belongs to. */
export type LooseCells = ReadonlyArray<string>

/** Whether the cells of a line do not fit its columns, so that it is no row. */
export const isLoose = (row: CsvRow | LooseCells): row is LooseCells => Array.isArray(row)

const byName = (columns: ReadonlyArray<string>, cells: ReadonlyArray<string>): CsvRow =>
  Object.fromEntries(cells.slice(0, columns.length).map((cell, i) => [columns[i] ?? "", cell]))

/** How a program writes a table as text. */
export interface CsvForm {
  /** Whether quotes may surround a cell. */
  readonly hasQuotes: boolean
  /** The cells of a line by the names of their columns. */
  readonly rowOf: (columns: ReadonlyArray<string>, cells: ReadonlyArray<string>) => CsvRow | LooseCells
}

/** The usual form. A line may have fewer cells than columns; cells beyond them have to be blank. */
export const quotedCsv: CsvForm = {
  hasQuotes: true,
  rowOf: (columns, cells) =>
    cells.slice(columns.length).some((cell) => cell.trim() !== "") ? cells : byName(columns, cells)
}

/** Without quotes a comma within a text divides it, and moves all cells behind it: only a line with a cell for each column is a row. */
export const unquotedCsv: CsvForm = {
  hasQuotes: false,
  rowOf: (columns, cells) => (cells.length === columns.length ? byName(columns, cells) : cells)
}

const typed = (text: string, as: "string" | "number" | "boolean"): string | number | boolean | undefined => {
  if (as === "string") return text
  if (text.trim() === "") return undefined
  if (as === "boolean") return /^(true|1|yes)$/i.test(text)
  if (isLongNumber(text.trim())) return text.trim()
  return Number.isFinite(Number(text)) ? Number(text) : undefined
}

const read = (source: Source, row: CsvRow): string | number | boolean | undefined => {
  if (typeof source === "string") return source.replace(/\{([^{}]+)\}/g, (_, column: string) => row[column] ?? "")
  if (typeof source !== "object") return source
  const text = row[source.column]
  return text === undefined ? undefined : typed(text, source.as ?? "string")
}

const readAll = (sources: Readonly<Record<string, Source>>, row: CsvRow) =>
  Object.fromEntries(
    Object.entries(sources).flatMap(([name, source]) => {
      const value = read(source, row)
      return value === undefined ? [] : [[name, value]]
    })
  )

/** Digits alone in a text are a number, as the cells of epoch times are. */
const timestampIn = (source: Source, row: CsvRow): string | number | boolean | undefined => {
  const value = read(source, row)
  return typeof value === "string" && /^\s*\d+(\.\d+)?\s*$/.test(value) ? Number(value) : value
}

/** The markers of one row, in the ingest route's third dialect; `now` (epoch milliseconds) is when the import began. */
export const markersOf = (
  mapping: CsvMapping,
  row: CsvRow,
  now: number
): ReadonlyArray<Readonly<Record<string, unknown>>> =>
  mapping.markers
    .filter(({ when }) => when === undefined || row[when.column]?.trim().toLowerCase() === when.equals.toLowerCase())
    .map((marker) => ({
      type: marker.type,
      value: readAll(marker.arguments, row),
      properties: readAll(marker.properties, row),
      timestamp:
        typeof marker.timestamp === "object" && "daysAgo" in marker.timestamp
          ? now - marker.timestamp.daysAgo * dayMillis
          : timestampIn(marker.timestamp, row),
      ...(marker.unitId === undefined ? {} : { userId: read(marker.unitId, row) }),
      ...(marker.sessionId === undefined ? {} : { sessionId: read(marker.sessionId, row) })
    }))

/** Columns that the mapping uses but the file lacks. */
export const missingColumns = (mapping: CsvMapping, columns: ReadonlyArray<string>): ReadonlyArray<string> => {
  const named = (source: unknown): ReadonlyArray<string> => {
    if (typeof source === "string") return [...source.matchAll(/\{([^{}]+)\}/g)].map(([, column = ""]) => column)
    if (typeof source !== "object" || source === null) return []
    return "column" in source && typeof source.column === "string" ? [source.column] : []
  }
  const used = mapping.markers.flatMap((marker) => [
    ...[marker.unitId, marker.sessionId, marker.timestamp, marker.when].flatMap(named),
    ...Object.values(marker.arguments).flatMap(named),
    ...Object.values(marker.properties).flatMap(named)
  ])
  return [...new Set(used)].filter((column) => !columns.includes(column))
}

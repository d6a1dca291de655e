import type { Dimension } from "../../../../domain/analytics/filter/Breakdown.ts"
import type { StoredEvent, Value } from "../../../../domain/analytics/markers/Event.ts"
import { type Column, valueAt } from "../format/Column.ts"
import { columnName } from "../format/ColumnName.ts"
import type { UnitTrack } from "./GatheredRows.ts"
import type { UnitRows } from "./UnitRows.ts"

interface Wanted {
  readonly source: "argument" | "property"
  readonly name: string
  /** The column of each block, in the order of the blocks; undefined where it has no values. */
  readonly columns: ReadonlyArray<Column | undefined>
}

const none: Record<string, Value> = {}

const valuesOf = (
  wanted: ReadonlyArray<Wanted>,
  { blocks, rows }: UnitTrack,
  at: number
): Readonly<Record<string, Value>> => {
  if (wanted.length === 0) return none
  const values: Array<readonly [string, Value]> = []
  for (const { name, columns } of wanted) {
    const column = columns[blocks[at]!]
    const value = column === undefined ? undefined : valueAt(column, rows[at]!)
    if (value !== undefined) values.push([name, value])
  }
  return values.length === 0 ? none : Object.fromEntries(values)
}

/** Turns a unit's rows into markers that hold only the values that the question's dimensions read. */
export class PartialEvents {
  private readonly arguments: ReadonlyArray<Wanted>
  private readonly properties: ReadonlyArray<Wanted>

  constructor(rows: UnitRows, dimensions: ReadonlyArray<Dimension>) {
    const wanted = dimensions.flatMap(({ source, name }): ReadonlyArray<Wanted> => {
      if (source !== "argument" && source !== "property") return []
      const key = source === "argument" ? columnName.argument(name) : columnName.property(name)
      return [{ source, name, columns: rows.blocks.map((block) => block.column(key)) }]
    })
    this.arguments = wanted.filter(({ source }) => source === "argument")
    this.properties = wanted.filter(({ source }) => source === "property")
  }

  /** The unit's markers, whose type `typeAt` gives. */
  of(unitId: string, track: UnitTrack, typeAt: (at: number) => string = () => ""): ReadonlyArray<StoredEvent> {
    return Array.from({ length: track.length }, (_, at) => ({
      sequence: track.sequences[at]!,
      markerId: null,
      type: typeAt(at),
      unitId,
      sessionId: null,
      serverId: null,
      timestamp: track.times[at]!,
      receivedAt: 0,
      clamped: false,
      arguments: valuesOf(this.arguments, track, at),
      properties: valuesOf(this.properties, track, at),
      position: null
    }))
  }
}

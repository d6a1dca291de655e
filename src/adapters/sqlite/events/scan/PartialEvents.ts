import type { Dimension } from "../../../../domain/analytics/filter/Breakdown.ts"
import type { StoredEvent, Value } from "../../../../domain/analytics/markers/Event.ts"
import { type Column, valueAt } from "../format/Column.ts"
import { columnName } from "../format/ColumnName.ts"
import type { UnitRows, UnitTrack } from "./UnitRows.ts"

interface Wanted {
  readonly source: "argument" | "property"
  readonly name: string
  /** The column of each block, in the order of the blocks; undefined where it has no values. */
  readonly columns: ReadonlyArray<Column | undefined>
}

/** Turns a unit's rows into markers that hold only the values that the question's dimensions read. */
export class PartialEvents {
  private readonly wanted: ReadonlyArray<Wanted>

  constructor(rows: UnitRows, dimensions: ReadonlyArray<Dimension>) {
    this.wanted = dimensions.flatMap(({ source, name }) => {
      if (source !== "argument" && source !== "property") return []
      const key = source === "argument" ? columnName.argument(name) : columnName.property(name)
      return [{ source, name, columns: rows.blocks.map((block) => block.column(key)) }]
    })
  }

  of(unitId: string, track: UnitTrack): ReadonlyArray<StoredEvent> {
    return Array.from({ length: track.length }, (_, at) => ({
      sequence: track.sequences[at]!,
      markerId: null,
      type: "",
      unitId,
      sessionId: null,
      serverId: null,
      timestamp: track.times[at]!,
      receivedAt: 0,
      clamped: false,
      arguments: this.values("argument", track, at),
      properties: this.values("property", track, at),
      position: null
    }))
  }

  private values(source: Wanted["source"], track: UnitTrack, at: number): Record<string, Value> {
    const values: Array<readonly [string, Value]> = []
    for (const wanted of this.wanted) {
      const column = wanted.source === source ? wanted.columns[track.blocks[at]!] : undefined
      const value = column === undefined ? undefined : valueAt(column, track.rows[at]!)
      if (value !== undefined) values.push([wanted.name, value])
    }
    return Object.fromEntries(values)
  }
}

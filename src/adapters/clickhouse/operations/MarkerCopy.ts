import { Effect } from "effect"
import { type Catalogue, increase } from "../../../domain/analytics/markers/Catalogue.ts"
import type { StoredEvent } from "../../../domain/analytics/markers/Event.ts"
import { catalogueLines } from "../CatalogueRows.ts"
import { ClickHouse } from "../ClickHouse.ts"
import { lineOf, unnumberedLine } from "../MarkerLines.ts"
import { eventOfRow, markerColumns, type MarkerRow } from "../MarkerRows.ts"
import { tableNames } from "../Tables.ts"

/** The id of a marker whose own is forgotten. */
const nobodysId = "00000000-0000-0000-0000-000000000000"

/** That a unit entered or left a cohort at an instant (epoch ms). */
interface Move {
  readonly unit: string
  readonly at: number
  readonly entered: boolean
}

/** A stored marker as a line of the table. */
export const storedLine = (environment: number, event: StoredEvent): string =>
  lineOf(
    unnumberedLine(environment, event.receivedAt, { ...event, markerId: event.markerId ?? nobodysId }),
    event.sequence
  )

const bytesOf = (lines: ReadonlyArray<string>): ReadonlyArray<Uint8Array> => [Buffer.from(lines.join("\n"))]

/** Markers of one UTC day and type: their number, the sum of their sequences, of their milliseconds of the day, and how many have a unit. */
export type CountedGroup = readonly [
  type: string,
  day: number,
  count: number,
  sequences: string,
  millis: number,
  units: number
]

/** What a catalogue counts, by kind of its rows. */
export const catalogueSums = (catalogue: Catalogue): ReadonlyMap<string, number> => {
  const sums = new Map<string, number>()
  for (const { days } of catalogue.types.values())
    increase(
      sums,
      "type",
      [...days.values()].reduce((sum, n) => sum + n, 0)
    )
  for (const { kinds, values } of catalogue.names.values()) {
    increase(sums, "name", kinds.string + kinds.number + kinds.boolean + kinds.array)
    for (const n of values.values()) increase(sums, "value", n)
  }
  return sums
}

/** Writes what comes from elsewhere than the log. Whatever is repeated under the same token is stored once. */
export const makeMarkerCopy = Effect.map(ClickHouse, ({ rows, insert }) => {
  /** The first table that has rows, or undefined. */
  const filled = Effect.gen(function* () {
    const names = yield* rows<readonly [string]>("select name from system.tables where database = currentDatabase()")
    const present = new Set(names.map(([name]) => name))
    for (const table of tableNames) {
      if (!present.has(table)) continue
      const [found] = yield* rows<readonly [number]>(`select count() from ${table}`)
      if (found?.[0] !== 0) return table
    }
    return undefined
  })

  const saveLines = (lines: ReadonlyArray<string>, token: string) => insert("marker", bytesOf(lines), token)

  const saveCatalogue = (environment: number, catalogue: Catalogue, token: string) => {
    const lines = catalogueLines(environment, catalogue)
    return lines.length === 0 ? Effect.void : insert("catalogue", bytesOf(lines), token)
  }

  const saveMoves = (environment: number, cohort: number, moves: ReadonlyArray<Move>, token: string) =>
    insert(
      "stay",
      bytesOf(
        moves.map(({ unit, at, entered }) =>
          JSON.stringify({ environment, cohort, unit: unit.toWellFormed(), at, entered })
        )
      ),
      token
    )

  /** The markers of an environment, counted. */
  const groups = (environment: number) =>
    rows<CountedGroup>(
      `select type, intDiv(at, 86400000) as day, count(), toString(sum(sequence)), sum(at % 86400000), countIf(hasUnit)
        from marker where environment = ${environment} group by type, day order by type, day`
    )

  /** The markers with these sequences as lines; ids received before `idsFrom` (epoch ms) are left out. */
  const lines = (environment: number, sequences: ReadonlyArray<number>, idsFrom: number) =>
    Effect.map(
      rows<MarkerRow>(
        `select ${markerColumns} from marker where environment = ${environment} and sequence in (${sequences.join(", ")})`
      ),
      (found) => new Map(found.map((row) => [row[5], storedLine(environment, eventOfRow(row, idsFrom))]))
    )

  /** How often units entered or left cohorts, and by kind what the catalogue of an environment counts. */
  const sums = (environment: number) =>
    Effect.gen(function* () {
      const [stays] = yield* rows<readonly [number]>(`select count() from stay where environment = ${environment}`)
      const seen = yield* rows<readonly [kind: string, n: number]>(
        `select kind, sum(n) from catalogue where environment = ${environment} group by kind`
      )
      return { moves: stays?.[0] ?? 0, catalogue: new Map(seen) }
    })

  return { filled, saveLines, saveCatalogue, saveMoves, groups, lines, sums }
})

export type MarkerCopy = Effect.Effect.Success<typeof makeMarkerCopy>

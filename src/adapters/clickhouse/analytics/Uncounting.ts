import { Effect } from "effect"
import { createHash } from "node:crypto"
import { Catalogue } from "../../../domain/analytics/markers/Catalogue.ts"
import { type CatalogueKey, catalogueLines, nothingLeftQuery, rowsOfKeys } from "../CatalogueRows.ts"
import { ClickHouse } from "../ClickHouse.ts"
import { textLiteral } from "../Literals.ts"
import { makeRestate } from "./TypesLeft.ts"
import { eventOfRow, markerColumns, type MarkerRow } from "../MarkerRows.ts"

/** Waits until the rows are gone from every part of the table. */
export const deletion = (table: string, where: string): string =>
  `alter table ${table} delete where ${where} settings mutations_sync = 2`

/** Markers that are read at once. */
const portion = 10_000

/** Takes the markers of a unit from what the catalogue counts, before they are removed. */
export const makeUncount = Effect.gen(function* () {
  const { rows, run, insert } = yield* ClickHouse
  const restate = yield* makeRestate

  const seenOf = (where: string) =>
    Effect.gen(function* () {
      const catalogue = new Catalogue()
      const sequences: Array<number> = []
      for (let after = -1; ;) {
        const found = yield* rows<MarkerRow>(
          `select ${markerColumns} from marker where ${where} and sequence > ${after} order by sequence limit ${portion}`
        )
        for (const row of found) {
          const event = eventOfRow(row, 0)
          catalogue.add(event)
          sequences.push(event.sequence)
          after = event.sequence
        }
        if (found.length < portion) return { catalogue, sequences }
      }
    })

  /**
   * Waits for removals of markers that are under way, of which an earlier attempt may be one: some of its markers are gone and others are
   * not. A removal ends after all that were begun before it.
   */
  const removalsDone = Effect.gen(function* () {
    const [pending] = yield* rows<readonly [number]>(
      `select count() from system.mutations where database = currentDatabase() and table = 'marker' and not is_done`
    )
    if (pending?.[0] !== 0) yield* run(deletion("marker", "false"))
  })

  /**
   * Takes a unit's markers out of the catalogue's counts. Only markers up to the sequence `flushed` are surely counted; those of a block
   * that was cut off on its way may not be, and are left alone. The insertion has a token of these markers, so that an erasure which is
   * repeated before they are gone takes them out once.
   */
  return (environment: number, unitId: string, flushed: number) =>
    Effect.gen(function* () {
      const unit = `unit = ${textLiteral(unitId)} and hasUnit`
      yield* removalsDone
      const { catalogue, sequences } = yield* seenOf(
        `environment = ${environment} and ${unit} and sequence <= ${flushed}`
      )
      if (sequences.length === 0) return
      const token = createHash("sha256")
        .update(JSON.stringify([unitId, sequences]))
        .digest("hex")
      const lines = catalogueLines(environment, catalogue, -1)
      yield* insert("catalogue", [Buffer.from(lines.join("\n"))], `${environment}:erased:${token}`)
      const keys = yield* rows<CatalogueKey>(nothingLeftQuery(environment))
      if (keys.length > 0) yield* run(deletion("catalogue", rowsOfKeys(environment, keys)))
      yield* restate(environment, catalogue, `not (${unit}) and sequence <= ${flushed}`)
    })
})

import { Catalogue, countValue, type Source } from "../../domain/analytics/markers/Catalogue.ts"
import type { DataType } from "../../domain/analytics/question/Question.ts"
import type { Scalar } from "../../domain/analytics/markers/Event.ts"

const kinds: ReadonlyArray<DataType> = ["string", "number", "boolean", "array"]

/** The lines of the table that add what the catalogue of some markers says. */
export const catalogueLines = (environment: number, catalogue: Catalogue): ReadonlyArray<string> => {
  const lines: Array<string> = []
  const row = { environment, source: "", name: "", type: "", value: "", day: 0, n: 0, firstAt: 0, lastAt: 0 }
  const add = (columns: Partial<typeof row> & { readonly kind: string }) =>
    lines.push(JSON.stringify({ ...row, ...columns }))
  for (const [type, { firstSeenAt, lastSeenAt, days }] of catalogue.types)
    for (const [day, n] of days) add({ kind: "type", type, day, n, firstAt: firstSeenAt, lastAt: lastSeenAt })
  for (const { source, name, type, kinds: counts, lastSeenAt, values, firstSights } of catalogue.names.values()) {
    for (const kind of kinds)
      if (counts[kind] > 0) add({ kind: "name", source, name, type, value: kind, n: counts[kind], lastAt: lastSeenAt })
    for (const [value, n] of values) {
      const seenAt = firstSights?.get(value) ?? 0
      // Of versions that were seen before their first sights were kept, none is known: they come first.
      const firstAt = Number.isFinite(seenAt) ? seenAt : 0
      add({ kind: "value", source, name, type, value: JSON.stringify(value), n, firstAt })
    }
  }
  return lines
}

/** A row of the table, summed up, as `catalogueColumns` selects it. */
export type CatalogueRow = readonly [
  kind: string,
  source: Source,
  name: string,
  type: string,
  value: string,
  day: number,
  n: number,
  first: number,
  last: number
]

/** What is selected, for `catalogueOf`; to be grouped by `catalogueKeys`. */
export const catalogueKeys = "kind, source, name, type, value, day"
export const catalogueColumns = `${catalogueKeys}, sum(n), min(firstAt), max(lastAt)`

/** A value as it is stored. */
export const storedValue = (text: string): Scalar => JSON.parse(text)

/** The catalogue that the rows add up to. */
export const catalogueOf = (rows: Iterable<CatalogueRow>): Catalogue => {
  const catalogue = new Catalogue()
  for (const [kind, source, name, type, value, day, n, first, last] of rows) {
    if (kind === "type") {
      catalogue.type(type, first, last, day, n)
      continue
    }
    const facts = catalogue.name(source, name, type)
    if (kind === "value") {
      countValue(facts, storedValue(value), n, first)
      continue
    }
    const dataType = kinds.find((each) => each === value)
    if (dataType !== undefined) facts.kinds[dataType] += n
    facts.lastSeenAt = Math.max(facts.lastSeenAt, last)
  }
  return catalogue
}

import { Catalogue, countValue, type Source } from "../../domain/analytics/markers/Catalogue.ts"
import type { DataType } from "../../domain/analytics/question/Question.ts"
import type { Scalar } from "../../domain/analytics/markers/Event.ts"

const kinds: ReadonlyArray<DataType> = ["string", "number", "boolean", "array"]

/** The lines of the table that add what the catalogue of some markers says. What a line leaves out is "" or 0. */
export const catalogueLines = (environment: number, catalogue: Catalogue): ReadonlyArray<string> => {
  const lines: Array<string> = []
  for (const [type, { firstSeenAt, lastSeenAt, days }] of catalogue.types) {
    const start = `{"environment":${environment},"kind":"type","type":${JSON.stringify(type)}`
    for (const [day, n] of days)
      lines.push(`${start},"day":${day},"n":${n},"firstAt":${firstSeenAt},"lastAt":${lastSeenAt}}`)
  }
  for (const { source, name, type, kinds: counts, lastSeenAt, values, firstSights } of catalogue.names.values()) {
    const named = `"source":"${source}","name":${JSON.stringify(name)},"type":${JSON.stringify(type)}`
    for (const kind of kinds)
      if (counts[kind] > 0)
        lines.push(
          `{"environment":${environment},"kind":"name",${named},"value":"${kind}","n":${counts[kind]},"lastAt":${lastSeenAt}}`
        )
    const start = `{"environment":${environment},"kind":"value",${named},"value":`
    for (const [value, n] of values) {
      const seenAt = firstSights?.get(value) ?? 0
      // Of versions that were seen before their first sights were kept, none is known: they come first.
      const firstAt = Number.isFinite(seenAt) ? seenAt : 0
      lines.push(
        `${start}${JSON.stringify(JSON.stringify(value))},"n":${n}${firstAt === 0 ? "" : `,"firstAt":${firstAt}`}}`
      )
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

import { Catalogue, countValue, type FieldSource } from "../../domain/analytics/markers/Catalogue.ts"
import { dataTypes } from "../../domain/analytics/question/Question.ts"
import type { Scalar } from "../../domain/analytics/markers/Event.ts"
import { textLiteral } from "./Literals.ts"

/**
 * The lines of the table that add what a catalogue of markers counts. With the sign -1 they take it away again, and leave the instants as
 * they are. A column that a line leaves out is "" or 0.
 */
export const catalogueLines = (environment: number, catalogue: Catalogue, sign: 1 | -1 = 1): ReadonlyArray<string> => {
  const lines: Array<string> = []
  for (const [type, { firstSeenAt, lastSeenAt, days }] of catalogue.types) {
    const start = `{"environment":${environment},"kind":"type","type":${JSON.stringify(type)}`
    for (const [day, n] of days)
      lines.push(`${start},"day":${day},"n":${sign * n},"firstAt":${firstSeenAt},"lastAt":${lastSeenAt}}`)
  }
  for (const { source, name, type, kinds: counts, lastSeenAt, values, firstSights } of catalogue.names.values()) {
    const named = `"source":"${source}","name":${JSON.stringify(name)},"type":${JSON.stringify(type)}`
    for (const kind of dataTypes)
      if (counts[kind] > 0)
        lines.push(
          `{"environment":${environment},"kind":"name",${named},"value":"${kind}","n":${sign * counts[kind]},"lastAt":${lastSeenAt}}`
        )
    const start = `{"environment":${environment},"kind":"value",${named},"value":`
    for (const [value, n] of values) {
      const seenAt = firstSights?.get(value) ?? 0
      // A version whose first sight is not known, because it was seen before first sights were kept, comes before all others.
      const firstAt = Number.isFinite(seenAt) ? seenAt : 0
      lines.push(
        `${start}${JSON.stringify(JSON.stringify(value))},"n":${sign * n}${firstAt === 0 ? "" : `,"firstAt":${firstAt}`}}`
      )
    }
  }
  return lines
}

/** A row of the table, summed up, as `catalogueQuery` selects it. */
export type CatalogueRow = readonly [
  kind: string,
  source: FieldSource,
  name: string,
  type: string,
  value: string,
  day: number,
  n: number,
  first: number,
  last: number
]

const keys = "kind, source, name, type, value, day"

/** The query of the rows of an environment that a condition selects, for `catalogueOf`. Rows that count no marker any more are left out. */
export const catalogueQuery = (environment: number, where: string): string =>
  `select ${keys}, sum(n), min(firstAt), max(lastAt) from catalogue
    where environment = ${environment} and ${where} group by ${keys} having sum(n) > 0`

/** The columns that tell what a row counts. */
export type CatalogueKey = readonly [
  kind: string,
  source: string,
  name: string,
  type: string,
  value: string,
  day: number
]

/** The query of the keys of an environment's rows that count no marker any more. */
export const nothingLeftQuery = (environment: number): string =>
  `select ${keys} from catalogue where environment = ${environment} group by ${keys} having sum(n) <= 0`

/** Selects the rows with these keys. */
export const rowsOfKeys = (environment: number, found: ReadonlyArray<CatalogueKey>): string => {
  const tuples = found.map(([kind, source, name, type, value, day]) =>
    [...[kind, source, name, type, value].map(textLiteral), day].join(", ")
  )
  return `environment = ${environment} and (${keys}) in (${tuples.map((tuple) => `(${tuple})`).join(", ")})`
}

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
    const dataType = dataTypes.find((each) => each === value)
    if (dataType !== undefined) facts.kinds[dataType] += n
    facts.lastSeenAt = Math.max(facts.lastSeenAt, last)
  }
  return catalogue
}

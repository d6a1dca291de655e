import { DateTime } from "effect"
import { groupBy } from "../filter/Grouping.ts"
import type { ArgumentMetadata, MarkerMetadata } from "./MarkerMetadata.ts"
import type { DataType, SeenName, SeenType } from "../question/Question.ts"
import type { TypeCounts } from "./TypeCounts.ts"

/** A marker type, as observed and as described by people. */
export interface MarkerType {
  readonly name: string
  readonly description: string | null
  readonly displayName: string | null
  readonly status: "active" | "pending" | "hidden"
  readonly isBuiltin: boolean
  readonly firstSeenAt: DateTime.Utc | null
  readonly lastSeenAt: DateTime.Utc | null
  readonly count30d: number
  /** Markers of each of the last local days, today last; none where it is not known of all of them. */
  readonly perDay30: ReadonlyArray<number>
  readonly arguments: number
}

/** How many days `perDay30` has. */
export const countedDays = 30

const silence: ReadonlyArray<number> = Array.from({ length: countedDays }, () => 0)

/** An argument or property of one type, or of all types that have it. */
export interface MarkerField {
  readonly name: string
  readonly dataType: DataType
  readonly markerTypes: ReadonlyArray<string>
  readonly description: string | null
  readonly unit: string | null
  readonly decimals: number | null
  readonly lastSeenAt: DateTime.Utc | null
}

const byName = (a: { readonly name: string }, b: { readonly name: string }): number => (a.name < b.name ? -1 : 1)

const namesOf = (seen: ReadonlyArray<SeenType>, metadata: MarkerMetadata) =>
  new Set([
    ...seen.map(({ name }) => name),
    ...metadata.types.map(({ name }) => name),
    ...metadata.arguments.map(({ type }) => type)
  ])

/**
 * All types that were observed or described (by themselves or by an argument), by name. A type that was never observed
 * is pending; hiding applies to either. Names of built-in types start with `$`. `days` has the counts of `countedDays` days; null where some markers of
 * these days cannot be read.
 */
export const markerTypes = (
  seen: ReadonlyArray<SeenType>,
  days: ReadonlyArray<TypeCounts> | null,
  metadata: MarkerMetadata
): ReadonlyArray<MarkerType> => {
  const daysOf = new Map(days?.map(({ name, counts }) => [name, counts]))
  const seenBy = new Map(seen.map((each) => [each.name, each]))
  const described = new Map(metadata.types.map((each) => [each.name, each]))
  return [...namesOf(seen, metadata)]
    .map((name): MarkerType => {
      const facts = seenBy.get(name)
      const { displayName = null, description = null, hidden = false } = described.get(name) ?? {}
      return {
        name,
        description,
        displayName,
        status: hidden ? "hidden" : facts === undefined ? "pending" : "active",
        isBuiltin: name.startsWith("$"),
        firstSeenAt: facts === undefined ? null : DateTime.unsafeMake(facts.firstSeenAt),
        lastSeenAt: facts === undefined ? null : DateTime.unsafeMake(facts.lastSeenAt),
        count30d: facts?.count30d ?? 0,
        perDay30: days === null ? [] : (daysOf.get(name) ?? silence),
        arguments: facts?.arguments ?? 0
      }
    })
    .sort(byName)
}

/** The value on which all non-null entries agree; null if they differ or there are none. */
const agreed = <A>(said: ReadonlyArray<A | null>): A | null => {
  const [first = null, ...others] = new Set(said.filter((each) => each !== null))
  return others.length === 0 ? first : null
}

/**
 * The expected type of an argument that was never observed: a number if it has a unit or decimals, otherwise a string.
 */
const expectedType = (described: ReadonlyArray<ArgumentMetadata>): DataType =>
  described.some(({ unit, decimals }) => unit !== null || decimals !== null) ? "number" : "string"

/**
 * All arguments that were observed or described, of one type or (null) of all types, by name. Across types, a
 * description, unit or number of decimals is shown if all types that have one agree.
 */
export const markerFields = (
  seen: ReadonlyArray<SeenName>,
  metadata: ReadonlyArray<ArgumentMetadata>,
  type: string | null
): ReadonlyArray<MarkerField> => {
  const seenBy = new Map(seen.map((each) => [each.name, each]))
  const described = groupBy(
    metadata.filter((each) => type === null || each.type === type),
    ({ name }) => name
  )
  return [...new Set([...seenBy.keys(), ...described.keys()])]
    .map((name): MarkerField => {
      const facts = seenBy.get(name)
      const words = described.get(name) ?? []
      return {
        name,
        dataType: facts?.dataType ?? expectedType(words),
        markerTypes: [...new Set([...(facts?.types ?? []), ...words.map((each) => each.type)])].sort(),
        description: agreed(words.map(({ description }) => description)),
        unit: agreed(words.map(({ unit }) => unit)),
        decimals: agreed(words.map(({ decimals }) => decimals)),
        lastSeenAt: facts === undefined ? null : DateTime.unsafeMake(facts.lastSeenAt)
      }
    })
    .sort(byName)
}

import { DateTime } from "effect"
import { groupBy } from "../filter/Grouping.ts"
import type { ArgumentMetadata, MarkerMetadata } from "./MarkerMetadata.ts"
import type { DataType, SeenName, SeenType } from "../question/Question.ts"

/** A marker type as it was seen and as people describe it. */
export interface MarkerType {
  readonly name: string
  readonly description: string | null
  readonly displayName: string | null
  readonly status: "active" | "pending" | "hidden"
  readonly isBuiltin: boolean
  readonly firstSeenAt: DateTime.Utc | null
  readonly lastSeenAt: DateTime.Utc | null
  readonly count30d: number
  readonly arguments: number
}

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
 * Every type that was seen or described, by itself or by an argument, in order of name. A hidden type is hidden whether it was seen
 * or not; one that was never seen is pending. The names of built-in types start with `$`.
 */
export const markerTypes = (seen: ReadonlyArray<SeenType>, metadata: MarkerMetadata): ReadonlyArray<MarkerType> => {
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
        arguments: facts?.arguments ?? 0
      }
    })
    .sort(byName)
}

/** What all that say something agree on; null when they differ or none does. */
const agreed = <A>(said: ReadonlyArray<A | null>): A | null => {
  const [first = null, ...others] = new Set(said.filter((each) => each !== null))
  return others.length === 0 ? first : null
}

/** An argument that was never seen is a number when it was given a unit or decimals, else a string. */
const expectedType = (described: ReadonlyArray<ArgumentMetadata>): DataType =>
  described.some(({ unit, decimals }) => unit !== null || decimals !== null) ? "number" : "string"

/**
 * Every argument that was seen or described, of one type or (null) of all, in order of name. Of all types, a description, unit or
 * number of decimals counts where the types that have one agree on it.
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

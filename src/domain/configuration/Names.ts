import type { Document, Json } from "./Document.ts"
import { isObject } from "./Document.ts"

/** What an id stands for; groups are written as `Experiment/Group`. */
export type NamedKind = "configurations" | "cohorts" | "queries" | "experiments" | "groups" | "heatmaps"

/** Finds the id of a name, or the name of an id; undefined where there is none, or it is not one thing's alone. */
export type NameLookup = (kind: NamedKind, value: string | number) => string | number | undefined

interface Reference {
  readonly kind: NamedKind
  readonly idKey: string
  readonly nameKey: string
  /** Whether an object holds such a reference. */
  readonly isIn: (value: Document, parent: string | undefined) => boolean
}

const has = (value: Document, key: string, text: string) => value[key] === text

const always = () => true

const references: ReadonlyArray<Reference> = [
  {
    kind: "configurations",
    idKey: "configurationId",
    nameKey: "configuration",
    isIn: (_, parent) => parent === "$link"
  },
  { kind: "cohorts", idKey: "cohortId", nameKey: "cohort", isIn: (value) => has(value, "type", "cohort") },
  { kind: "cohorts", idKey: "value", nameKey: "value", isIn: (value) => has(value, "source", "cohort") },
  { kind: "groups", idKey: "value", nameKey: "value", isIn: (value) => has(value, "source", "experiment") },
  { kind: "groups", idKey: "groupId", nameKey: "group", isIn: (value) => has(value, "type", "experiment") },
  {
    kind: "experiments",
    idKey: "experimentId",
    nameKey: "experiment",
    isIn: (value) => has(value, "type", "experiment")
  },
  { kind: "queries", idKey: "queryId", nameKey: "query", isIn: always },
  { kind: "heatmaps", idKey: "id", nameKey: "id", isIn: (_, parent) => parent === "heatmapData" }
]

const found = (kind: NamedKind, value: Json, lookup: NameLookup): Json => {
  if (Array.isArray(value)) return value.map((item: Json) => found(kind, item, lookup))
  return typeof value === "string" || typeof value === "number" ? (lookup(kind, value) ?? value) : value
}

type Direction = readonly [from: "idKey" | "nameKey", to: "idKey" | "nameKey"]

const rewritten = (
  value: Json,
  parent: string | undefined,
  rules: ReadonlyArray<Reference>,
  way: Direction,
  lookup: NameLookup
): Json => {
  if (Array.isArray(value)) return value.map((item: Json) => rewritten(item, parent, rules, way, lookup))
  if (!isObject(value)) return value
  const [from, to] = way
  const own = rules.filter(({ isIn }) => isIn(value, parent))
  return Object.fromEntries(
    Object.entries(value).map(([key, item]): [string, Json] => {
      const reference = own.find((each) => each[from] === key)
      if (reference === undefined) return [key, rewritten(item, key, rules, way, lookup)]
      const other = found(reference.kind, item, lookup)
      return [other === item && from === "idKey" ? key : reference[to], other]
    })
  )
}

/** In documents of configurations only links are references: all other keys are the game's own. */
const rulesFor = (isDocument: boolean) => references.filter(({ kind }) => isDocument === (kind === "configurations"))

/** The value with names in the place of ids. An id without a name stays. */
export const withNames = (value: Json, isDocument: boolean, nameOf: NameLookup): Json =>
  rewritten(value, undefined, rulesFor(isDocument), ["idKey", "nameKey"], nameOf)

/** The value with ids in the place of names. A name without an id stays as it is. */
export const withIds = (value: Json, isDocument: boolean, idOf: NameLookup): Json =>
  rewritten(value, undefined, rulesFor(isDocument), ["nameKey", "idKey"], idOf)

/** Every name that the value refers to, with its kind, each time it occurs. */
export const namesIn = (value: Json, isDocument: boolean) => {
  const names: Array<{ readonly kind: NamedKind; readonly name: string }> = []
  withIds(value, isDocument, (kind, name) => {
    if (typeof name === "string") names.push({ kind, name })
    return undefined
  })
  return names
}

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
  /** Whether the id is written as a text. A text of digits that nothing is called is an id then. */
  readonly isText?: true
}

const has = (value: Document, key: string, text: string) => value[key] === text

const always = () => true

const digits = /^\d+$/

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
  {
    kind: "experiments",
    idKey: "name",
    nameKey: "name",
    isIn: (value) => has(value, "source", "experiment"),
    isText: true
  },
  // A breakdown by a cohort names it; the name of a filter, whose value has the cohorts, is a label.
  {
    kind: "cohorts",
    idKey: "name",
    nameKey: "name",
    isIn: (value) => has(value, "source", "cohort") && !Object.hasOwn(value, "operator"),
    isText: true
  },
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

type ReferenceLookup = (...asked: [...Parameters<NameLookup>, Reference]) => ReturnType<NameLookup>

const found = (reference: Reference, value: Json, lookup: ReferenceLookup): Json => {
  if (Array.isArray(value)) return value.map((item: Json) => found(reference, item, lookup))
  if (typeof value !== "string" && typeof value !== "number") return value
  const other = lookup(reference.kind, value, reference) ?? value
  return reference.isText === true ? String(other) : other
}

type Direction = readonly [from: "idKey" | "nameKey", to: "idKey" | "nameKey"]

const rewritten = (
  value: Json,
  parent: string | undefined,
  rules: ReadonlyArray<Reference>,
  way: Direction,
  lookup: ReferenceLookup
): Json => {
  if (Array.isArray(value)) return value.map((item: Json) => rewritten(item, parent, rules, way, lookup))
  if (!isObject(value)) return value
  const [from, to] = way
  const own = rules.filter(({ isIn }) => isIn(value, parent))
  return Object.fromEntries(
    Object.entries(value).map(([key, item]): [string, Json] => {
      const reference = own.find((each) => each[from] === key)
      if (reference === undefined) return [key, rewritten(item, key, rules, way, lookup)]
      const other = found(reference, item, lookup)
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
  rewritten(value, undefined, rulesFor(isDocument), ["nameKey", "idKey"], (kind, name, { isText }) => {
    const isId = isText === true && digits.test(String(name))
    if (typeof name === "string" && !isId) names.push({ kind, name })
    return undefined
  })
  return names
}

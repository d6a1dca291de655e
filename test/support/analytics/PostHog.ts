import { Either } from "effect"
import type { Dimension } from "../../../src/domain/analytics/filter/Breakdown.ts"
import type { Scalar, StoredEvent, Value, Values } from "../../../src/domain/analytics/markers/Event.ts"
import type { FilterCondition, Filter, Operator } from "../../../src/domain/analytics/filter/Filter.ts"
import { unfiltered } from "../../../src/domain/analytics/filter/Filter.ts"
import type { Selector } from "../../../src/domain/analytics/filter/Selector.ts"
import { marker } from "./Markers.ts"

type Json = string | number | boolean | null | ReadonlyArray<Json> | { readonly [key: string]: Json }
type Properties = Readonly<Record<string, Json>>

export interface Leaf {
  readonly type: string
  readonly key?: string
  readonly op: string
  readonly value?: Json
  readonly cohort?: Where
}

export interface Where {
  readonly name?: string
  readonly and?: ReadonlyArray<Leaf | Where>
  readonly or?: ReadonlyArray<Leaf | Where>
}

export interface Entity {
  readonly anyOf: ReadonlyArray<{ readonly event: string | null; readonly where?: Where }>
}

export interface Case<Query, Expected> {
  readonly id: string
  readonly actors: ReadonlyArray<{ readonly id: string; readonly properties?: Properties }>
  readonly events: ReadonlyArray<{
    readonly actor: string
    readonly event: string
    readonly timestamp: string
    readonly properties: Properties
  }>
  readonly query: Query
  readonly expected: Expected
}

export interface File<Query, Expected> {
  readonly cases: ReadonlyArray<Case<Query, Expected>>
}

/** Right, or the reason why a case cannot be said in our terms. */
export type Mapped<A> = Either.Either<A, string>

const operators: Readonly<Record<string, Operator>> = {
  exact: "is",
  is_not: "isNot",
  icontains: "contains",
  not_icontains: "notContains",
  gt: "greaterThan",
  gte: "greaterThanOrEqual",
  lt: "lessThan",
  lte: "lessThanOrEqual",
  is_set: "isSet",
  is_not_set: "isNotSet"
}

const scalars = (value: Json | undefined): ReadonlyArray<Scalar> =>
  (Array.isArray(value) ? value : [value]).filter(
    (one): one is Scalar => one !== null && one !== undefined && typeof one !== "object"
  )

const valueOf = (json: Json): Value => {
  if (Array.isArray(json)) return scalars(json)
  return typeof json === "object" ? JSON.stringify(json) : (json as Scalar)
}

const values = (properties: Properties | undefined): Values =>
  Object.fromEntries(
    Object.entries(properties ?? {})
      .filter(([, json]) => json !== null)
      .map(([key, json]) => [key, valueOf(json)])
  )

/** A person's properties become properties of each of the person's markers, an event's own become arguments. */
export const markersOf = ({ events, actors }: Case<unknown, unknown>): ReadonlyArray<StoredEvent> => {
  const persons = new Map(actors.map(({ id, properties }) => [id, values(properties)]))
  return events.map(({ actor, event, timestamp, properties }, sequence) =>
    marker(sequence, actor, event, timestamp, {
      arguments: values(properties),
      properties: persons.get(actor) ?? {}
    })
  )
}

const isLeaf = (node: Leaf | Where): node is Leaf => "type" in node

const leafCondition = (leaf: Leaf, markers: ReadonlyArray<StoredEvent>): Mapped<FilterCondition> => {
  if (leaf.type === "cohort") {
    if (leaf.cohort === undefined || !["in", "not_in"].includes(leaf.op)) return Either.left(`cohort ${leaf.op}`)
    return Either.map(membersOf(leaf.cohort, markers), (units) => ({
      source: "cohort",
      members: { key: leaf.cohort?.name ?? "cohort", units },
      isIn: leaf.op === "in"
    }))
  }
  const operator = operators[leaf.op]
  if (operator === undefined) return Either.left(`the operator ${leaf.op}`)
  if (leaf.type !== "event" && leaf.type !== "person") return Either.left(`a filter of ${leaf.type}`)
  const operands = operator === "isSet" || operator === "isNotSet" ? [] : scalars(leaf.value)
  const source = leaf.type === "event" ? "argument" : "property"
  return Either.right({ source, name: leaf.key ?? "", operator, operands })
}

const holds = (node: Leaf | Where, properties: Values): boolean => {
  if (!isLeaf(node)) {
    return node.or === undefined
      ? (node.and ?? []).every((child) => holds(child, properties))
      : node.or.some((child) => holds(child, properties))
  }
  return (
    node.op === "exact" && scalars(node.value).some((value) => String(value) === String(properties[node.key ?? ""]))
  )
}

const leaves = (node: Leaf | Where): ReadonlyArray<Leaf> =>
  isLeaf(node) ? [node] : [...(node.and ?? []), ...(node.or ?? [])].flatMap(leaves)

const membersOf = (cohort: Where, markers: ReadonlyArray<StoredEvent>): Mapped<ReadonlySet<string>> => {
  const strange = leaves(cohort).find(({ type, op }) => type !== "person" || op !== "exact")
  if (strange !== undefined) return Either.left(`a cohort by ${strange.type} ${strange.op}`)
  return Either.right(
    new Set(markers.flatMap(({ unitId, properties }) => (unitId !== null && holds(cohort, properties) ? [unitId] : [])))
  )
}

/** One level of and / or; a level that holds a single node is that node. */
export const filterOf = (where: Where | undefined, markers: ReadonlyArray<StoredEvent>): Mapped<Filter> => {
  const children = where?.and ?? where?.or ?? []
  const [only] = children
  if (children.length === 1 && only !== undefined && !isLeaf(only)) return filterOf(only, markers)
  if (!children.every(isLeaf)) return Either.left("and and or nested in one filter")
  return Either.map(Either.all(children.map((leaf) => leafCondition(leaf, markers))), (conditions) =>
    conditions.length === 0 ? unfiltered : { match: where?.or === undefined ? "all" : "any", conditions }
  )
}

/** An entity is a selector when its alternatives share one filter; any event is every type that occurs. */
export const selectorOf = ({ anyOf }: Entity, markers: ReadonlyArray<StoredEvent>): Mapped<Selector> => {
  const [first] = anyOf
  const where = JSON.stringify(first?.where)
  if (anyOf.some((one) => JSON.stringify(one.where) !== where))
    return Either.left("alternatives with filters of their own")
  const types = anyOf.flatMap(({ event }) => (event === null ? [...new Set(markers.map(({ type }) => type))] : [event]))
  const [head = "no marker", ...tail] = types
  return Either.map(filterOf(first?.where, markers), (filter) => ({ types: [head, ...tail], filter }))
}

export const dimensionsOf = (type: string, keys: ReadonlyArray<string>): Mapped<ReadonlyArray<Dimension>> => {
  if (type !== "event" && type !== "person") return Either.left(`a breakdown by ${type}`)
  return Either.right(keys.map((name) => ({ source: type === "event" ? "argument" : "property", name })))
}

/** The first key of a query that the mapping does not read. */
export const unreadKey = (query: object, known: ReadonlyArray<string>): string | undefined =>
  Object.keys(query).find((key) => !known.includes(key))

/** Their `to` is inside the range. */
export const rangeOf = ({ from, to }: { readonly from: string; readonly to: string }) => ({
  from: Date.parse(from),
  to: Date.parse(to) + 1
})

import { dayOf } from "../builder/Period.ts"
import type { FilterState } from "../builder/Filters.ts"
import { operatorOf } from "../builder/Filters.ts"
import { conditionBody } from "./DefinitionOf.ts"
import type { RuleCondition, Definition, DefinitionNode, ConditionGroup, Marked, Rule, RuleWindow } from "./Rules.ts"
import { freshCondition, freshKey } from "./Rules.ts"

type StoredCondition = Exclude<DefinitionNode, { readonly op: unknown }>
type StoredMarked = Extract<StoredCondition, { readonly type: "firstTime" }>
type StoredWindow = StoredMarked["window"]
type StoredFilter = NonNullable<StoredMarked["filters"]>[number]

const textsOf = (value: unknown): ReadonlyArray<string> =>
  value === undefined ? [] : Array.isArray(value) ? value.map(String) : [String(value)]

const filterStateOf = ({ source, name, operator, ...rest }: StoredFilter): FilterState => ({
  // Filters by experiments are not edited here: what they become does not lead back to them, so they stay as they are.
  source: source === "experiment" ? "property" : source,
  name,
  operator: operatorOf(operator).value,
  values: textsOf("value" in rest ? rest.value : undefined)
})

const markedOf = ({
  marker,
  filters = [],
  match = "all"
}: Pick<StoredMarked, "marker" | "filters" | "match">): Marked => ({
  names: typeof marker === "string" ? [marker] : marker,
  filters: filters.map(filterStateOf),
  match
})

const windowOf = (window: StoredWindow, timeZone: string): RuleWindow => {
  if ("last" in window) return { kind: "last", span: { amount: String(window.last), unit: window.unit } }
  if ("sinceFirstSeen" in window) {
    const [from, to] = window.sinceFirstSeen
    return { kind: "firstSeen", from: String(from), to: String(to) }
  }
  const lastInstant = Date.parse(window.to) - 1
  return { kind: "dates", from: dayOf(Date.parse(window.from), timeZone), to: dayOf(lastInstant, timeZone) }
}

const spanOf = ({ value, unit }: Extract<StoredCondition, { readonly type: "stopped" }>["quietFor"]) => ({
  amount: String(value),
  unit
})

const conditionOf = (node: StoredCondition, timeZone: string): RuleCondition => {
  const fresh = freshCondition()
  switch (node.type) {
    case "behaviour": {
      const { did = true, measure, argument = "", operator, value } = node
      const [low, high] = typeof value === "number" ? [value, undefined] : value
      return {
        ...fresh,
        kind: did ? "did" : "didNot",
        marked: markedOf(node),
        measure,
        argument,
        comparison: operator,
        value: String(low),
        high: high === undefined ? "" : String(high),
        window: windowOf(node.window, timeZone)
      }
    }
    case "firstTime":
      return { ...fresh, kind: "firstTime", marked: markedOf(node), window: windowOf(node.window, timeZone) }
    case "stopped":
    case "restarted":
      return {
        ...fresh,
        kind: node.type,
        marked: markedOf(node),
        window: windowOf(node.window, timeZone),
        span: spanOf(node.quietFor)
      }
    case "sequence":
      return {
        ...fresh,
        kind: "sequence",
        marked: markedOf(node.first),
        next: markedOf(node.then),
        window: windowOf(node.window, timeZone),
        span: spanOf(node.within)
      }
    case "property": {
      const { name, operator, value } = node
      const property = {
        source: "property" as const,
        name,
        operator: operatorOf(operator).value,
        values: textsOf(value)
      }
      return { ...fresh, kind: "property", property }
    }
    case "cohort":
      return { ...fresh, kind: "cohort", referred: node.cohortId, isIn: node.in ?? true }
    case "experiment":
      return {
        ...fresh,
        kind: "experiment",
        referred: node.experimentId,
        groupId: node.groupId ?? null,
        isIn: node.in ?? true
      }
  }
}

const isLeftOut = (name: string, value: unknown): boolean =>
  ((name === "did" || name === "in") && value === true) ||
  (name === "filters" && Array.isArray(value) && value.length === 0) ||
  (name === "match" && value === "all") ||
  value === undefined

/** The same whatever the order of fields is, and whether defaults are written out. */
const plain = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(plain)
  if (typeof value !== "object" || value === null) return value
  const fields = Object.entries(value).filter(([name, each]) => !isLeftOut(name, each))
  return Object.fromEntries(fields.sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, each]) => [name, plain(each)]))
}

const isSame = (left: unknown, right: unknown): boolean => JSON.stringify(plain(left)) === JSON.stringify(plain(right))

const ruleOf = (node: DefinitionNode, timeZone: string): Rule => {
  if ("op" in node) return groupOf(node, timeZone)
  const condition = conditionOf(node, timeZone)
  return isSame(conditionBody(condition, timeZone), node) ? condition : { type: "foreign", key: freshKey(), node }
}

/** A definition as these pages edit it. What they could not write again exactly as it is stays as it is. */
export const groupOf = ({ op, negate = false, children }: Definition, timeZone: string): ConditionGroup => ({
  type: "group",
  key: freshKey(),
  op,
  negate,
  children: children.map((child) => ruleOf(child, timeZone))
})

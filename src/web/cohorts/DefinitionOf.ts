import { dayStart } from "../builder/Period.ts"
import { filterBody, isFinished } from "../builder/Filters.ts"
import type {
  RuleCondition,
  Definition,
  DefinitionNode,
  ConditionGroup,
  Marked,
  Rule,
  RuleSpan,
  RuleWindow
} from "./Rules.ts"
import { needsArgument } from "./Rules.ts"

const mostOfSpan = 1_000_000
const mostDays = 10_000

const wholeOf = (text: string, low: number, high: number): number | null => {
  const number = Number(text)
  return text.trim() !== "" && Number.isInteger(number) && number >= low && number <= high ? number : null
}

const numberOf = (text: string): number | null => {
  const number = Number(text)
  return text.trim() !== "" && Number.isFinite(number) ? number : null
}

const spanBody = ({ amount, unit }: RuleSpan) => {
  const value = wholeOf(amount, 1, mostOfSpan)
  return value === null ? null : { value, unit }
}

const windowBody = (window: RuleWindow, timeZone: string) => {
  if (window.kind === "last") {
    const span = spanBody(window.span)
    return span === null ? null : { last: span.value, unit: span.unit }
  }
  if (window.kind === "firstSeen") {
    const [from, to] = [wholeOf(window.from, 0, mostDays), wholeOf(window.to, 0, mostDays)]
    return from === null || to === null || from > to ? null : { sinceFirstSeen: [from, to] as const }
  }
  const { from, to } = window
  return from === "" || to === "" || from > to
    ? null
    : { from: dayStart(from, timeZone), to: dayStart(to, timeZone, 1) }
}

const markedBody = ({ names, filters, match }: Marked) => {
  const [first, ...others] = names
  if (first === undefined || !filters.every(isFinished)) return null
  const marker = others.length === 0 ? first : ([first, ...others] as const)
  return filters.length === 0 ? { marker } : { marker, filters: filters.map(filterBody), match }
}

const behaviourBody = (condition: RuleCondition, timeZone: string): DefinitionNode | null => {
  const { kind, measure, argument, comparison } = condition
  const marked = markedBody(condition.marked)
  const window = windowBody(condition.window, timeZone)
  const [low, high] = [numberOf(condition.value), numberOf(condition.high)]
  if (marked === null || window === null || low === null) return null
  if (needsArgument(measure) && argument === "") return null
  if (comparison === "between" && (high === null || high < low)) return null
  return {
    type: "behaviour",
    ...(kind === "didNot" ? { did: false } : {}),
    ...marked,
    measure,
    ...(needsArgument(measure) ? { argument } : {}),
    operator: comparison,
    value: comparison === "between" && high !== null ? [low, high] : low,
    window
  }
}

const markedBodyOf = (condition: RuleCondition, timeZone: string): DefinitionNode | null => {
  const { kind } = condition
  const marked = markedBody(condition.marked)
  const window = windowBody(condition.window, timeZone)
  const span = spanBody(condition.span)
  if (marked === null || window === null) return null
  if (kind === "firstTime") return { type: "firstTime", ...marked, window }
  if (span === null) return null
  if (kind === "stopped" || kind === "restarted") return { type: kind, ...marked, window, quietFor: span }
  const next = markedBody(condition.next)
  // oxlint-disable-next-line unicorn/no-thenable -- the API calls the second marker so
  return next === null ? null : { type: "sequence", first: marked, then: next, within: span, window }
}

/** The condition as the API takes it; null while a part of it is missing. */
export const conditionBody = (condition: RuleCondition, timeZone: string): DefinitionNode | null => {
  const { kind, property, referred, groupId, isIn } = condition
  switch (kind) {
    case "did":
    case "didNot":
      return behaviourBody(condition, timeZone)
    case "property": {
      if (!isFinished(property)) return null
      const { source: _, ...comparison } = filterBody(property)
      return { type: "property", ...comparison }
    }
    case "cohort":
      return referred === null ? null : { type: "cohort", cohortId: referred, ...(isIn ? {} : { in: false }) }
    case "experiment":
      return referred === null
        ? null
        : {
            type: "experiment",
            experimentId: referred,
            ...(groupId === null ? {} : { groupId }),
            ...(isIn ? {} : { in: false })
          }
    default:
      return markedBodyOf(condition, timeZone)
  }
}

const nodeOf = (rule: Rule, timeZone: string): DefinitionNode | null =>
  rule.type === "group"
    ? definitionBody(rule, timeZone)
    : rule.type === "foreign"
      ? rule.node
      : conditionBody(rule, timeZone)

/** The rules as the API takes them; null while there are none, or one of them is not finished. */
export const definitionBody = ({ op, negate, children }: ConditionGroup, timeZone: string): Definition | null => {
  const nodes = children.flatMap((child) => nodeOf(child, timeZone) ?? [])
  return nodes.length === 0 || nodes.length < children.length
    ? null
    : { op, ...(negate ? { negate: true } : {}), children: nodes }
}

import { filterWords, isFinished } from "../builder/Filters.ts"
import { numberText } from "../text/Numbers.ts"
import type { RuleCondition, ConditionGroup, Marked, Rule, RuleSpan, RuleWindow } from "./Rules.ts"
import { comparisons } from "./Rules.ts"

/** Names of what conditions refer to; null where it is not known. */
export interface Names {
  readonly cohort: (id: number) => string | null
  readonly experiment: (id: number) => string | null
  readonly group: (experimentId: number, groupId: number) => string | null
}

const gap = "…"

const spanWords = ({ amount, unit }: RuleSpan): string =>
  `${amount === "" ? gap : amount} ${unit}${amount === "1" ? "" : "s"}`

const windowWords = (window: RuleWindow): string => {
  if (window.kind === "last") {
    const { amount, unit } = window.span
    return amount === "1" ? `in the last ${unit}` : `in the last ${spanWords(window.span)}`
  }
  const [from, to] = [window.from || gap, window.to || gap]
  return window.kind === "dates" ? `from ${from} to ${to}` : `on days ${from} to ${to} after they were first seen`
}

const markedWords = ({ names, filters, match }: Marked): string => {
  const marker = names.length === 0 ? gap : names.join(" or ")
  const said = filters.filter(isFinished).map(filterWords)
  return said.length === 0 ? marker : `${marker} (${said.join(match === "all" ? " and " : " or ")})`
}

const amountText = (text: string): string => (text.trim() === "" ? gap : numberText(Number(text)))

const measureNames = { sum: "sum", average: "average", min: "lowest", max: "highest" } as const

/** How often or how much: empty for once or more, which goes without saying. */
const quantityWords = ({ measure, argument, comparison, value, high }: RuleCondition): string => {
  const number = comparison === "between" ? `${amountText(value)} and ${amountText(high)}` : amountText(value)
  const compared = `${comparisons.find((each) => each.value === comparison)?.label ?? comparison} ${number}`
  const one = value === "1" && comparison !== "between"
  if (measure === "count")
    return comparison === "greaterThanOrEqual" && one ? "" : `${compared} ${one ? "time" : "times"}`
  if (measure === "distinctDays") return `on ${compared} ${one ? "day" : "different days"}`
  return `with ${argument === "" ? gap : argument} of ${compared} as ${measureNames[measure]}`
}

const joined = (...parts: ReadonlyArray<string>): string => parts.filter((part) => part !== "").join(" ")

/** The condition after the word "players": `who did LevelCompleted at least 2 times in the last 7 days`. */
export const conditionWords = (condition: RuleCondition, names: Names): string => {
  const { kind, isIn, referred, groupId, property } = condition
  const marked = markedWords(condition.marked)
  const window = windowWords(condition.window)
  const span = spanWords(condition.span)
  switch (kind) {
    case "did":
      return joined("who did", marked, quantityWords(condition), window)
    case "didNot":
      return joined("who did not do", marked, quantityWords(condition), window)
    case "firstTime":
      return joined("who did", marked, "for the first time", window)
    case "sequence":
      return joined("who did", marked, "and then", markedWords(condition.next), "within", span, window)
    case "stopped":
      return joined("who did", marked, window, `but not in the last ${span}`)
    case "restarted":
      return joined("who went back to", marked, window, `after ${span} without it`)
    case "property":
      return property.name === "" ? `whose property ${gap}` : `whose ${filterWords(property)}`
    case "cohort": {
      const name = referred === null ? gap : (names.cohort(referred) ?? `number ${referred}`)
      return `who are ${isIn ? "" : "not "}in the cohort ${name}`
    }
    case "experiment": {
      const name = referred === null ? gap : (names.experiment(referred) ?? `number ${referred}`)
      const group =
        referred === null || groupId === null ? "" : `in the group ${names.group(referred, groupId) ?? groupId}`
      return joined(isIn ? "who take part in" : "who do not take part in", `the experiment ${name}`, group)
    }
  }
}

/** "who did this and who did that" needs the second "who" as little as people do. */
const withoutRepeated = (words: string, index: number, all: ReadonlyArray<string>): string =>
  index > 0 && words.startsWith("who ") && all[index - 1]?.startsWith("who ") === true
    ? words.slice("who ".length)
    : words

const joinedBy = ({ op, children }: ConditionGroup, names: Names): string =>
  children
    .map((child) => ruleWords(child, names))
    .map(withoutRepeated)
    .join(` ${op} `)

const ruleWords = (rule: Rule, names: Names): string => {
  if (rule.type === "group") return `${rule.negate ? "not those " : ""}(${joinedBy(rule, names)})`
  return rule.type === "condition" ? conditionWords(rule, names) : "who meet a condition made through the API"
}

/** The rules in one sentence. */
export const sentenceOf = (group: ConditionGroup, names: Names): string => {
  const words = group.children.length === 0 ? `who ${gap}` : joinedBy(group, names)
  return group.negate ? `All players but those ${words}` : `Players ${words}`
}

import type { Answer } from "../api/Wire.ts"
import { joinParts, splitParts } from "../url/Parts.ts"
import type { FieldSource } from "./Filters.ts"

/** What a question is broken down by. */
export interface Breakdown {
  readonly source: FieldSource
  readonly name: string
}

/** Groups that stand for themselves; the rest is merged as Other. */
export const mostGroups = 8

/** `property:platform`; null where the text names nothing that a question can be broken down by. */
export const breakdownOf = (text: string | null): Breakdown | null => {
  const [source, name = ""] = splitParts(text ?? "")
  return (source === "argument" || source === "property") && name !== "" ? { source, name } : null
}

export const breakdownText = ({ source, name }: Breakdown): string => joinParts([source, name])

/** The breakdown as the API takes it. */
export const breakdownBody = (by: Breakdown | null) => ({
  breakdowns: by === null ? [] : [by],
  breakdownLimit: mostGroups
})

type Labels = Answer<"queries.insights">["series"][number]["breakdown"]

/** Values in words: `ios`, `not set · 3`. Empty where there are none. */
const inWords = (labels: Labels, text: (value: string) => string): string =>
  labels
    .map(({ value }) => (value === null ? "not set" : typeof value === "string" ? text(value) : String(value)))
    .join(" · ")

/**
 * Groups in words, each empty where there is no breakdown. Where two would read the same, as the number 29 and the text of a game's older version
 * do, texts stand in quotes.
 */
export const groupNames = (all: ReadonlyArray<Labels>): ReadonlyArray<string> => {
  const words = all.map((labels) => inWords(labels, (value) => (value === "" ? "empty" : value)))
  const meant = new Map<string, string>()
  const mistakable = new Set<string>()
  for (const [index, name] of words.entries()) {
    const told = JSON.stringify(all[index])
    if ((meant.get(name) ?? told) !== told) mistakable.add(name)
    meant.set(name, told)
  }
  return words.map((name, index) => (mistakable.has(name) ? inWords(all[index] ?? [], JSON.stringify) : name))
}

/** Whether the group may be the one that merges the rest. */
export const isOther = (breakdown: Labels): boolean => breakdown.some(({ value }) => value === "Other")

/** How the server is told the group at `index` of `all`: one may be called Other too, and comes before the one that merges the rest. */
export const chosenGroup = (all: ReadonlyArray<Labels>, index: number): Labels | "other" => {
  const own = all[index] ?? []
  const told = JSON.stringify(own)
  return all.slice(0, index).some((other) => JSON.stringify(other) === told) ? "other" : own
}

/** Looks that series are told apart by: each colour of the theme once plain, and once hollow with other dashes. */
export const looks = 16

/**
 * The look of each series, null for the rest and for those that are too many. `known` remembers looks, so that a series keeps its own when
 * its rank changes; one that is not there any more leaves its look to the next that comes.
 */
export const colorsOf = (
  known: Map<string, number>,
  series: ReadonlyArray<{ readonly key: string; readonly breakdown: Labels }>
): ReadonlyArray<number | null> => {
  const own = new Set(series.filter(({ breakdown }) => !isOther(breakdown)).map(({ key }) => key))
  const taken = new Set([...own].flatMap((key) => known.get(key) ?? []))
  const free = Array.from({ length: looks }, (_, look) => look).filter((look) => !taken.has(look))
  for (const key of own) {
    const look = known.has(key) ? undefined : free.shift()
    if (look === undefined) continue
    for (const [other, others] of known) if (others === look) known.delete(other)
    known.set(key, look)
  }
  return series.map(({ key }) => (own.has(key) ? (known.get(key) ?? null) : null))
}

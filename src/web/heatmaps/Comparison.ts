import { joinParts, splitParts } from "../url/Parts.ts"

/** Something with a name: a cohort, an experiment, a group of it. */
export interface Named {
  readonly id: number
  readonly name: string
}

/** What an answer is compared with. */
export type HeatmapComparison =
  /** The period of the same length before. */
  | { readonly kind: "period" }
  /** A cohort and another one, or everybody else where `second` is null. */
  | { readonly kind: "cohorts"; readonly first: Named; readonly second: Named | null }
  /** Two groups of an experiment. */
  | { readonly kind: "groups"; readonly experiment: Named; readonly first: Named; readonly second: Named }

/** The side that is compared, and the one it is compared with. */
export type Side = "first" | "second"

const namedOf = (id: string | undefined, name: string | undefined): Named | null =>
  id !== undefined && /^[1-9]\d{0,14}$/.test(id) && name !== undefined && name !== "" ? { id: Number(id), name } : null

const parts = ({ id, name }: Named): ReadonlyArray<string> => [String(id), name]

/** `period`, `cohorts:12:Whales`, `cohorts:12:Whales:13:Minnows` or `groups:3:Prices:7:Control:8:Cheaper`. */
export const comparisonText = (comparison: HeatmapComparison): string => {
  switch (comparison.kind) {
    case "period":
      return "period"
    case "cohorts":
      return joinParts([
        "cohorts",
        ...parts(comparison.first),
        ...(comparison.second === null ? [] : parts(comparison.second))
      ])
    case "groups":
      return joinParts([
        "groups",
        ...parts(comparison.experiment),
        ...parts(comparison.first),
        ...parts(comparison.second)
      ])
  }
}

/** The comparison that a text says; null where it says none. */
export const comparisonOf = (text: string): HeatmapComparison | null => {
  const [kind, ...rest] = splitParts(text)
  if (kind === "period") return { kind }
  const [one, two, three] = [namedOf(rest[0], rest[1]), namedOf(rest[2], rest[3]), namedOf(rest[4], rest[5])]
  if (one === null) return null
  if (kind === "cohorts") return rest.length > 2 && two === null ? null : { kind, first: one, second: two }
  return kind === "groups" && two !== null && three !== null
    ? { kind, experiment: one, first: two, second: three }
    : null
}

const members = (source: "cohort" | "experiment", name: string, operator: "isIn" | "isNotIn", id: number) => ({
  source,
  name,
  operator,
  value: [id] as const
})

/** The condition on the players of a side; none where both sides are about the same players. */
export const sideFilters = (comparison: HeatmapComparison, side: Side) => {
  switch (comparison.kind) {
    case "period":
      return []
    case "cohorts": {
      const { first, second } = comparison
      if (side === "first") return [members("cohort", first.name, "isIn", first.id)]
      return second === null
        ? [members("cohort", first.name, "isNotIn", first.id)]
        : [members("cohort", second.name, "isIn", second.id)]
    }
    case "groups":
      return [members("experiment", String(comparison.experiment.id), "isIn", comparison[side].id)]
  }
}

/** The side in words. */
export const sideWords = (comparison: HeatmapComparison, side: Side): string => {
  switch (comparison.kind) {
    case "period":
      return side === "first" ? "this period" : "the period before"
    case "cohorts":
      return side === "first" ? comparison.first.name : (comparison.second?.name ?? "everybody else")
    case "groups":
      return comparison[side].name
  }
}

/** The comparison in words, as the end of a sentence. */
export const comparisonWords = (comparison: HeatmapComparison): string => {
  const sides = `${sideWords(comparison, "first")} against ${sideWords(comparison, "second")}`
  return comparison.kind === "groups" ? `${sides} of ${comparison.experiment.name}` : sides
}

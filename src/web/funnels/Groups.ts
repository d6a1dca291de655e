import type { Answer } from "../api/Wire.ts"
import { chosenGroup, colorsOf, groupNames } from "../builder/Breakdown.ts"
import type { ChartNumber } from "../who/Number.ts"

export type FunnelAnswer = Answer<"queries.funnels">
type Series = FunnelAnswer["series"][number]
export type FunnelSteps = Series["steps"]
export type TimeToConvert = NonNullable<Series["timeToConvert"]>

/** A number of the answer, as the server takes it back. */
export type Selected = Extract<ChartNumber, { readonly queryType: "funnel" }>["select"]

/** A series of a funnel as it is drawn. Without a breakdown the only one has no name. */
export interface FunnelGroup {
  readonly key: string
  readonly name: string
  /** Index of its colour; null for the grey of the rest. */
  readonly color: number | null
  readonly isHidden: boolean
  readonly breakdown: Exclude<Selected["breakdown"], null | undefined>
  readonly series: Series
}

/** Groups as they are drawn. `known` remembers colours, so that a group keeps its own when its rank changes. */
export const funnelGroups = (
  { series }: Pick<FunnelAnswer, "series">,
  hidden: ReadonlyArray<string>,
  known: Map<string, number>
): ReadonlyArray<FunnelGroup> => {
  const all = series.map(({ breakdown }) => breakdown)
  const names = groupNames(all)
  const named = series.map((each, index) => {
    const breakdown = chosenGroup(all, index)
    const name = names[index] ?? ""
    return { key: breakdown === "other" ? `${name} *` : name, name, breakdown, series: each }
  })
  const colors = colorsOf(
    known,
    named.map(({ key }, index) => ({ key, breakdown: all[index] ?? [] }))
  )
  return named.map((group, index) => ({
    ...group,
    color: colors[index] ?? null,
    isHidden: hidden.includes(group.key)
  }))
}

export const stepName = (name: FunnelSteps[number]["name"]): string =>
  typeof name === "string" ? name : name.join(" or ")

/** Percent of `of`; nothing of nothing is 0. */
export const share = (count: number, of: number): number => (of === 0 ? 0 : (count / of) * 100)

/** The steps of all groups together. A player is in one group only, so that counts add up; times do not. */
export const together = (
  groups: ReadonlyArray<FunnelGroup>
): ReadonlyArray<Pick<FunnelSteps[number], "name" | "count">> =>
  (groups[0]?.series.steps ?? []).map(({ name }, index) => ({
    name,
    count: groups.reduce((sum, { series }) => sum + (series.steps[index]?.count ?? 0), 0)
  }))

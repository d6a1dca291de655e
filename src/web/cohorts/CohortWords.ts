import { countText } from "../text/Numbers.ts"
import type { Cohort, Usage } from "./CohortQueries.ts"
import type { ConditionGroup, Rule } from "./Rules.ts"
import { groupOf } from "./RulesOf.ts"

export const kindWords: Readonly<Record<Cohort["kind"], string>> = { dynamic: "by what they do", static: "by a list" }

/** What a cohort is about to show: `collecting` until its first members are complete. */
export const stateOf = ({ status, computedAt }: Cohort): "ready" | "computing" | "collecting" | "failed" =>
  status === "computing" && computedAt === null ? "collecting" : status

export const stateWords = {
  ready: "up to date",
  computing: "being computed",
  collecting: "collecting its first members",
  failed: "failed"
} as const

const refersTo = (rule: Rule | ConditionGroup, id: number): boolean =>
  rule.type === "group"
    ? rule.children.some((child) => refersTo(child, id))
    : rule.type === "condition" && rule.kind === "cohort" && rule.referred === id

/** The other cohorts whose rules name this one. */
export const referringTo = (cohorts: ReadonlyArray<Cohort>, id: number, timezone: string): ReadonlyArray<Cohort> =>
  cohorts.filter(({ definition }) => definition !== null && refersTo(groupOf(definition, timezone), id))

/** Experiments that still may enrol by the cohort keep it from being deleted. */
export const enrolling = ({ experiments }: Usage): Usage["experiments"] =>
  experiments.filter(({ status }) => ["scheduled", "active", "paused"].includes(status))

/** Who uses a cohort, in a few words. */
export const usageWords = (
  { experiments, queries }: Pick<Usage, "experiments" | "queries">,
  referring: number
): string => {
  const parts = [
    ...(experiments.length > 0 ? [countText(experiments.length, "experiment")] : []),
    ...(queries.length > 0 ? [countText(queries.length, "question")] : []),
    ...(referring > 0 ? [countText(referring, "cohort")] : [])
  ]
  return parts.length === 0 ? "nobody yet" : parts.join(", ")
}

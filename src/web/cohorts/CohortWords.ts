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

type Experiments = Pick<Usage, "experiments" | "metricExperiments">

/** Experiments that are not aimed at the cohort, but have a metric that is filtered by it. */
export const measuringAlone = ({ experiments, metricExperiments }: Experiments): Usage["metricExperiments"] => {
  const aimed = new Set(experiments.map(({ id }) => id))
  return metricExperiments.filter(({ id }) => !aimed.has(id))
}

/** Who uses a cohort, in a few words. */
export const usageWords = (use: Experiments & Pick<Usage, "queries">, referring: number): string => {
  const { experiments, queries } = use
  const count = experiments.length + measuringAlone(use).length
  const parts = [
    ...(count > 0 ? [countText(count, "experiment")] : []),
    ...(queries.length > 0 ? [countText(queries.length, "question")] : []),
    ...(referring > 0 ? [countText(referring, "cohort")] : [])
  ]
  return parts.length === 0 ? "nobody yet" : parts.join(", ")
}

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

const referredIn = (rule: Rule | ConditionGroup): ReadonlyArray<number> => {
  if (rule.type === "group") return rule.children.flatMap(referredIn)
  return rule.type === "condition" && rule.kind === "cohort" && rule.referred !== null ? [rule.referred] : []
}

/** For each cohort that rules of others name, by its id, these others. Rules are read once for all of them. */
export const referringTo = <Each extends Pick<Cohort, "definition">>(
  cohorts: ReadonlyArray<Each>,
  timezone: string
): ReadonlyMap<number, ReadonlyArray<Each>> => {
  const found = new Map<number, Array<Each>>()
  for (const cohort of cohorts) {
    if (cohort.definition === null) continue
    for (const id of new Set(referredIn(groupOf(cohort.definition, timezone)))) {
      const others = found.get(id)
      if (others === undefined) found.set(id, [cohort])
      else others.push(cohort)
    }
  }
  return found
}

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

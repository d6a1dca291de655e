import type { AnyExperiment } from "../../api/Started.ts"
import { dayOf } from "../../builder/Period.ts"
import { valueWords } from "./PlanBody.ts"
import type { KeptMetric, MetricDraft, Operation, PlanDraft } from "./PlanDraft.ts"
import { freshKey, freshMetric, freshPlan } from "./PlanDraft.ts"

const daysOf = (withinDays: number | undefined): string => (withinDays === undefined ? "" : String(withinDays))

const hasFilters = ({ filters, match }: { readonly filters?: ReadonlyArray<unknown>; readonly match?: string }) =>
  (filters ?? []).length > 0 || (match !== undefined && match !== "all")

/** The fields that say the metric; null where they cannot say all of it. */
const fieldsOf = (metric: KeptMetric): Partial<MetricDraft> | null => {
  if (metric.type === "funnel") return metric.marker === undefined ? { kind: "funnel", queryId: metric.queryId } : null
  const { marker } = metric
  if (typeof marker !== "string" || hasFilters(metric)) return null
  switch (metric.type) {
    case "retention":
      return { kind: "retention", marker, days: String(metric.day) }
    case "proportion":
      return { kind: "proportion", marker, days: daysOf(metric.withinDays) }
    case "mean": {
      const kind = metric.aggregation === "sum" ? "sum" : "count"
      if (kind === "count" && metric.argument !== undefined) return null
      return { kind, marker, argument: metric.argument ?? "", days: daysOf(metric.withinDays) }
    }
    case "ratio": {
      const { denominator, argument, aggregation, withinDays } = metric
      const { marker: perMarker } = denominator
      if (typeof perMarker !== "string" || hasFilters(denominator)) return null
      if ((aggregation === "sum") !== (argument !== undefined)) return null
      const per = { perMarker, perArgument: denominator.argument ?? "" }
      return { kind: "ratio", marker, argument: argument ?? "", ...per, days: daysOf(withinDays) }
    }
  }
}

/** The fields of a metric that there is: under its id, so that what has been measured stays with it. */
const metricDraftOf = (metric: KeptMetric, role: MetricDraft["role"]): MetricDraft => {
  const { id, name, direction } = metric
  const fields = fieldsOf(metric) ?? { kind: "kept", kept: metric }
  return { ...freshMetric(role), ...fields, id, name, direction }
}

export const metricDraftsOf = ({ goals, guardrails }: AnyExperiment["metrics"]): ReadonlyArray<MetricDraft> => [
  ...goals.map((metric) => metricDraftOf(metric, "goal")),
  ...guardrails.map((metric) => metricDraftOf(metric, "guardrail"))
]

/** The fields of a draft that the server keeps. Days are those of the project's zone. */
export const planOfRecord = (record: AnyExperiment, timezone: string): PlanDraft => ({
  ...freshPlan(record.targeting.cohortIds),
  name: record.name,
  hypothesis: record.hypothesis ?? "",
  description: record.description ?? "",
  unitType: record.unitType,
  assignmentMode: record.assignmentMode,
  autoAssignment: record.autoAssignment,
  permanentEnrollment: record.permanentEnrollment,
  holdout: String(record.holdoutPercent),
  baseId: record.baseConfigurationId,
  groups: record.groups.map(({ name, label, weight, isControl, changeset }) => ({
    key: freshKey(),
    name,
    label: label ?? "",
    percent: String(weight / 100),
    isControl,
    operations: changeset.operations.map((each): Operation =>
      each.op === "delete" ? { op: "delete", path: each.path } : { op: "set", path: each.path, value: each.value }
    )
  })),
  conditions: record.targeting.conditions.map((condition) => ({
    key: freshKey(),
    property: condition.property,
    operator: condition.operator,
    value: valueWords(condition.value),
    kept: condition
  })),
  newUsersOnly: record.targeting.newUsersOnly,
  percent: String(record.rollout.percent),
  steps: record.rollout.steps,
  layer: record.exclusionLayer ?? "",
  metrics: metricDraftsOf(record.metrics),
  startDay: record.startsAt === null ? "" : dayOf(Date.parse(record.startsAt), timezone),
  endDay: record.endsAt === null ? "" : dayOf(Date.parse(record.endsAt), timezone),
  startsAt: record.startsAt,
  endsAt: record.endsAt,
  basedOn: record.updatedAt
})

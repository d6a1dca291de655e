import type { BodyOf } from "../../api/Endpoints.ts"
import { dayStart } from "../../builder/Period.ts"
import type { ConditionDraft, MetricDraft, PlanDraft } from "./PlanDraft.ts"

type Body = BodyOf<"experiments.create">
type MetricBody = NonNullable<BodyOf<"experiments.estimate">["metrics"]>[number]
type Targeting = NonNullable<Body["targeting"]>
type ConditionBody = NonNullable<Targeting["conditions"]>[number]
type FilterBody = NonNullable<BodyOf<"experiments.estimate">["filters"]>[number]

/** What is known of a property that the game sends. */
export type DataTypes = ReadonlyMap<string, "string" | "number" | "boolean" | "array">

/** Properties of a player's context are named with this before them. */
export const section = "properties."

/** What the metric is called where nobody has named it. */
export const defaultName = ({ kind, marker, argument, days }: MetricDraft): string => {
  const what = marker === "" ? "…" : marker
  const within = days === "" ? "" : ` within ${days} ${days === "1" ? "day" : "days"}`
  switch (kind) {
    case "proportion":
      return `Players with ${what}${within}`
    case "count":
      return `${what} per player${within}`
    case "sum":
      return `${argument === "" ? "…" : argument} of ${what} per player${within}`
    case "retention":
      return `${what} on day ${days === "" ? "…" : days}`
    case "funnel":
      return "Players who finish"
  }
}

const isDays = (text: string): boolean => /^[1-9]\d{0,2}$/.test(text) && Number(text) <= 365

/** What the metric lacks before it can be asked for, in words; null where it lacks nothing. */
export const lackOf = ({ kind, marker, argument, days, queryId }: MetricDraft): string | null => {
  if (kind === "funnel") return queryId === "" ? "Choose a saved question" : null
  if (marker === "") return "Choose a marker"
  if (kind === "sum" && argument === "") return "Choose what is added up"
  if (kind === "retention" && !isDays(days)) return "Say which day, from 1 to 365"
  return days === "" || isDays(days) ? null : "Days are whole, from 1 to 365"
}

const idOf = (name: string, place: number): string => {
  const letters = name.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-")
  return `${letters.replaceAll(/^-+|-+$/g, "").slice(0, 40)}-${place + 1}`.replace(/^-/, "")
}

/** The metric as the API takes it; null while it lacks something. */
const metricBody = (metric: MetricDraft, place: number): MetricBody | null => {
  if (lackOf(metric) !== null) return null
  const { kind, marker, argument, days, queryId, direction } = metric
  const name = (metric.name.trim() === "" ? defaultName(metric) : metric.name.trim()).slice(0, 100)
  const common = { id: idOf(name, place), name, direction }
  const counted = { ...common, marker, ...(days === "" ? {} : { withinDays: Number(days) }) }
  switch (kind) {
    case "proportion":
      return { type: "proportion", ...counted }
    case "count":
      return { type: "mean", ...counted, aggregation: "count" }
    case "sum":
      return { type: "mean", ...counted, aggregation: "sum", argument }
    case "retention":
      return { type: "retention", ...common, marker, day: Number(days) }
    case "funnel":
      return { type: "funnel", ...common, queryId }
  }
}

export interface Asked {
  readonly key: string
  readonly role: MetricDraft["role"]
  readonly body: MetricBody
}

/** The metrics that can be asked for. */
export const askedMetrics = (metrics: ReadonlyArray<MetricDraft>): ReadonlyArray<Asked> =>
  metrics.flatMap((metric, place) => {
    const body = metricBody(metric, place)
    return body === null ? [] : [{ key: metric.key, role: metric.role, body }]
  })

const scalarOf = (text: string, type: string | undefined): string | number | boolean => {
  const trimmed = text.trim()
  if (type === "boolean" && /^(true|false)$/.test(trimmed)) return trimmed === "true"
  return type === "number" && trimmed !== "" && Number.isFinite(Number(trimmed)) ? Number(trimmed) : trimmed
}

const isNumeric = (operator: ConditionDraft["operator"]): boolean =>
  operator === "greaterThanOrEqual" || operator === "lessThanOrEqual"

/** Whether the condition says something. */
export const isCondition = ({ property, operator, value }: ConditionDraft): boolean => {
  if (property.trim() === "") return false
  if (operator === "isSet" || operator === "isNotSet") return true
  return isNumeric(operator) ? value.trim() !== "" && Number.isFinite(Number(value)) : value.trim() !== ""
}

const compared = ({ property, operator, value }: ConditionDraft, types: DataTypes) => {
  if (operator === "isSet" || operator === "isNotSet") return { operator }
  if (isNumeric(operator)) return { operator, value: Number(value) }
  const values = value
    .split(",")
    .filter((each) => each.trim() !== "")
    .map((each) => scalarOf(each, types.get(property.trim())))
  const [first = ""] = values
  return { operator, value: values.length > 1 ? values : first }
}

const conditionBody = (condition: ConditionDraft, types: DataTypes): ConditionBody => ({
  property: condition.property.trim(),
  ...compared(condition, types)
})

/** Who may come in, as filters on markers: only cohorts and what markers carry as properties can be counted before. */
export const countedFilters = (
  { cohortIds, conditions }: Pick<PlanDraft, "cohortIds" | "conditions">,
  known: ReadonlySet<string>,
  types: DataTypes
): ReadonlyArray<FilterBody> => {
  const [first, ...others] = cohortIds
  const ofProperties = conditions.filter(isCondition).flatMap((condition): ReadonlyArray<FilterBody> => {
    const name = condition.property.trim().slice(section.length)
    return condition.property.trim().startsWith(section) && known.has(name)
      ? [{ source: "property", name, ...compared(condition, types) }]
      : []
  })
  return first === undefined
    ? ofProperties
    : [{ source: "cohort", name: "targeted", operator: "isIn", value: [first, ...others] }, ...ofProperties]
}

/** The experiment as the API takes it. */
export const planBody = (draft: PlanDraft, timezone: string, types: DataTypes): Body => {
  const metrics = askedMetrics(draft.metrics)
  const ofRole = (role: MetricDraft["role"]) => metrics.filter((each) => each.role === role).map(({ body }) => body)
  const [hypothesis, layer] = [draft.hypothesis.trim(), draft.layer.trim()]
  return {
    name: draft.name.trim(),
    ...(hypothesis === "" ? {} : { hypothesis }),
    unitType: "user",
    assignmentMode: "weightedHash",
    baseConfigurationId: draft.baseId ?? 0,
    groups: draft.groups.map(({ name, percent, isControl, operations }) => ({
      name: name.trim(),
      weight: Math.round(Number(percent) * 100),
      isControl,
      changeset: { operations }
    })),
    targeting: {
      cohortIds: draft.cohortIds,
      conditions: draft.conditions.filter(isCondition).map((condition) => conditionBody(condition, types)),
      newUsersOnly: draft.newUsersOnly
    },
    ...(layer === "" ? {} : { exclusionLayer: layer }),
    rollout: { percent: Number(draft.percent), steps: draft.steps },
    metrics: { goals: ofRole("goal"), guardrails: ofRole("guardrail") },
    ...(draft.startDay === "" ? {} : { startsAt: dayStart(draft.startDay, timezone) }),
    ...(draft.endDay === "" ? {} : { endsAt: dayStart(draft.endDay, timezone) })
  }
}

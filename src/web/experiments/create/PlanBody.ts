import { firstCharacters } from "../../../domain/Characters.ts"
import type { BodyOf } from "../../api/Endpoints.ts"
import { dayOf, dayStart } from "../../builder/Period.ts"
import type { ConditionBody, ConditionDraft, MetricBody, MetricDraft, PlanBody, PlanDraft } from "./PlanDraft.ts"

type FilterBody = NonNullable<BodyOf<"experiments.estimate">["filters"]>[number]

/** What is known of a property that the game sends. */
export type DataTypes = ReadonlyMap<string, "string" | "number" | "boolean" | "array">

/** Properties of a player's context are named with this before them. */
export const section = "properties."

/** What the metric is called where nobody has named it. */
export const defaultName = ({ kind, marker, argument, perMarker, perArgument, days, kept }: MetricDraft): string => {
  const what = marker === "" ? "…" : marker
  const within = days === "" ? "" : ` within ${days} ${days === "1" ? "day" : "days"}`
  switch (kind) {
    case "proportion":
      return `Players with ${what}${within}`
    case "count":
      return `${what} per player${within}`
    case "sum":
      return `${argument === "" ? "…" : argument} of ${what} per player${within}`
    case "ratio":
      return `${argument === "" ? what : argument} per ${perArgument === "" ? perMarker || "…" : perArgument}${within}`
    case "kept":
      return kept?.name ?? ""
    case "retention":
      return `${what} on day ${days === "" ? "…" : days}`
    case "funnel":
      return "Players who finish"
  }
}

const isDays = (text: string): boolean => /^[1-9]\d{0,2}$/.test(text) && Number(text) <= 365

/** What the metric lacks before it can be asked for, in words; null where it lacks nothing. */
export const lackOf = ({ kind, marker, argument, perMarker, days, queryId }: MetricDraft): string | null => {
  if (kind === "kept") return null
  if (kind === "funnel") return queryId === "" ? "Choose a saved question" : null
  if (marker === "") return "Choose a marker"
  if (kind === "sum" && argument === "") return "Choose what is added up"
  if (kind === "ratio" && perMarker === "") return "Choose the marker that it is divided by"
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
  const { kind, marker, argument, perMarker, perArgument, days, queryId, direction, kept } = metric
  const name = firstCharacters(metric.name.trim() === "" ? defaultName(metric) : metric.name.trim(), 100)
  const common = { id: metric.id === "" ? idOf(name, place) : metric.id, name, direction }
  const counted = { ...common, marker, ...(days === "" ? {} : { withinDays: Number(days) }) }
  switch (kind) {
    case "proportion":
      return { type: "proportion", ...counted }
    case "count":
      return { type: "mean", ...counted, aggregation: "count" }
    case "sum":
      return { type: "mean", ...counted, aggregation: "sum", argument }
    case "ratio":
      return {
        type: "ratio",
        ...counted,
        ...(argument === "" ? { aggregation: "count" } : { aggregation: "sum", argument }),
        denominator: { marker: perMarker, ...(perArgument === "" ? {} : { argument: perArgument }) }
      }
    case "kept":
      return kept === null ? null : { ...kept, ...common }
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
export const askedMetrics = (metrics: ReadonlyArray<MetricDraft>): ReadonlyArray<Asked> => {
  const taken = new Set(metrics.map(({ id }) => id))
  // A place that no metric has makes an id that is taken by nobody.
  const free = (metric: MetricDraft, place: number): MetricBody | null => {
    const body = metricBody(metric, place)
    return body === null || metric.id !== "" || !taken.has(body.id) ? body : free(metric, place + metrics.length)
  }
  return metrics.flatMap((metric, place) => {
    const body = free(metric, place)
    return body === null ? [] : [{ key: metric.key, role: metric.role, body }]
  })
}

const scalarOf = (text: string, type: string | undefined): string | number | boolean => {
  const trimmed = text.trim()
  if (type === "boolean" && /^(true|false)$/.test(trimmed)) return trimmed === "true"
  return type === "number" && trimmed !== "" && Number.isFinite(Number(trimmed)) ? Number(trimmed) : trimmed
}

const numeric: ReadonlySet<ConditionDraft["operator"]> = new Set([
  ...(["equal", "notEqual", "greaterThan", "greaterThanOrEqual", "lessThan", "lessThanOrEqual"] as const)
])

const listed: ReadonlySet<ConditionDraft["operator"]> = new Set(["isIn", "isNotIn"])

const isNumber = (text: string): boolean => text.trim() !== "" && Number.isFinite(Number(text))

/** Whether the condition says something. */
export const isCondition = ({ property, operator, value }: ConditionDraft): boolean => {
  if (property.trim() === "") return false
  if (operator === "isSet" || operator === "isNotSet") return true
  if (operator === "between") return value.split(",").length === 2 && value.split(",").every(isNumber)
  return numeric.has(operator) ? isNumber(value) : value.trim() !== ""
}

/** The values of a condition as they are typed. */
export const valueWords = (value: ConditionBody["value"]): string =>
  value === undefined ? "" : Array.isArray(value) ? value.join(", ") : String(value)

const compared = ({ property, operator, value, kept }: ConditionDraft, types: DataTypes) => {
  if (operator === "isSet" || operator === "isNotSet") return { operator }
  if (kept?.operator === operator && kept.value !== undefined && valueWords(kept.value) === value)
    return { operator, value: kept.value }
  if (operator === "between") return { operator, value: value.split(",").map(Number) }
  if (numeric.has(operator)) return { operator, value: Number(value) }
  const values = value
    .split(",")
    .filter((each) => each.trim() !== "")
    .map((each) => scalarOf(each, types.get(property.trim())))
  const [first = ""] = values
  return { operator, value: values.length > 1 || listed.has(operator) ? values : first }
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

/** When a day begins, or the instant that it was read from. */
const instantOf = (day: string, kept: string | null, timezone: string): string =>
  kept !== null && dayOf(Date.parse(kept), timezone) === day ? kept : dayStart(day, timezone)

/** The experiment as the API takes it. */
export const planBody = (draft: PlanDraft, timezone: string, types: DataTypes): PlanBody => {
  const metrics = askedMetrics(draft.metrics)
  const ofRole = (role: MetricDraft["role"]) => metrics.filter((each) => each.role === role).map(({ body }) => body)
  const [hypothesis, description, layer] = [draft.hypothesis.trim(), draft.description.trim(), draft.layer.trim()]
  return {
    name: draft.name.trim(),
    ...(hypothesis === "" ? {} : { hypothesis }),
    ...(description === "" ? {} : { description }),
    unitType: draft.unitType,
    assignmentMode: draft.assignmentMode,
    autoAssignment: draft.autoAssignment,
    permanentEnrollment: draft.permanentEnrollment,
    holdoutPercent: Number(draft.holdout),
    baseConfigurationId: draft.baseId ?? 0,
    groups: draft.groups.map(({ name, label, percent, isControl, operations }) => ({
      name: name.trim(),
      ...(label.trim() === "" ? {} : { label: label.trim() }),
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
    ...(draft.startDay === "" ? {} : { startsAt: instantOf(draft.startDay, draft.startsAt, timezone) }),
    ...(draft.endDay === "" ? {} : { endsAt: instantOf(draft.endDay, draft.endsAt, timezone) })
  }
}

import { Either } from "effect"
import { planOperands, planSelector } from "../analytics/filter/FilterRequest.ts"
import { type Checked, problem } from "../analytics/question/QueryProblem.ts"
import type { Asking } from "../analytics/time/TimeQuery.ts"
import type { CohortCondition, CohortDefinition, CohortMarker, CohortWindow, Duration } from "./CohortDefinition.ts"
import type { CohortGroup, PlannedCondition, PlannedWindow } from "./CohortPlan.ts"
import { dayMillis, unitMillis } from "../Durations.ts"

/** The circumstances in which a definition is planned. */
export type CohortAsking = Pick<Asking, "now" | "zone">

const lengthOf = ({ value, unit }: Duration): number => value * unitMillis[unit]

const planWindow = (window: CohortWindow, now: number, path: string): Checked<PlannedWindow> => {
  if ("last" in window)
    return Either.right({
      since: "epoch",
      from: now - lengthOf({ value: window.last, unit: window.unit }),
      to: now
    })
  if ("sinceFirstSeen" in window) {
    const [first, last] = window.sinceFirstSeen
    return first > last
      ? problem("invalid", `${path}.window.sinceFirstSeen: the first day lies after the last`)
      : Either.right({ since: "firstSeen", from: first * dayMillis, to: (last + 1) * dayMillis })
  }
  const [from, to] = [window.from.epochMillis, window.to.epochMillis]
  return from < to
    ? Either.right({ since: "epoch", from, to })
    : problem("timeRange", `${path}.window.to: must lie after from`)
}

const planMarker = ({ marker, filters, match }: CohortMarker, path: string) =>
  planSelector({ name: marker, filters, match }, `${path}.`)

const planBehaviour = (
  condition: Extract<CohortCondition, { readonly type: "behaviour" }>,
  { now, zone }: CohortAsking,
  path: string
): Checked<PlannedCondition> => {
  const { type, did, measure, argument = "", operator, value } = condition
  const [low, high] = typeof value === "number" ? [value, value] : value
  if (low > high)
    return problem("invalid", `${path}.value: between needs the value [low, high], and low is at most high`)
  return Either.gen(function* () {
    const selector = yield* planMarker(condition, path)
    const window = yield* planWindow(condition.window, now, path)
    return { type, did, selector, measure, argument, zone, operator, value: [low, high] as const, window }
  })
}

const planMarked = (
  condition: Extract<CohortCondition, { readonly type: "firstTime" | "stopped" | "restarted" }>,
  { now }: CohortAsking,
  path: string
): Checked<PlannedCondition> =>
  Either.gen(function* () {
    const selector = yield* planMarker(condition, path)
    const window = yield* planWindow(condition.window, now, path)
    const { type } = condition
    if (type === "firstTime") return { type, selector, window }
    const quietFor = lengthOf(condition.quietFor)
    return type === "stopped"
      ? { type, selector, window, quietFrom: now - quietFor }
      : { type, selector, window, quietFor }
  })

const planCondition = (condition: CohortCondition, asking: CohortAsking, path: string): Checked<PlannedCondition> => {
  switch (condition.type) {
    case "property": {
      const { type, name, operator } = condition
      return Either.map(planOperands(condition, path), (operands) => ({
        type,
        comparison: { source: "property", name, operator, operands }
      }))
    }
    case "behaviour":
      return planBehaviour(condition, asking, path)
    case "sequence":
      return Either.gen(function* () {
        const { type, within } = condition
        const first = yield* planMarker(condition.first, `${path}.first`)
        const next = yield* planMarker(condition.next, `${path}.then`)
        const window = yield* planWindow(condition.window, asking.now, path)
        return { type, first, next, within: lengthOf(within), window }
      })
    case "cohort": {
      const { type: source, cohortId, in: isIn } = condition
      return Either.right({ type: "reference", reference: { source, cohortIds: [cohortId], isIn } })
    }
    case "experiment": {
      const { type: source, experimentId, groupId, in: isIn } = condition
      const groupIds = groupId === undefined ? [] : [groupId]
      return Either.right({ type: "reference", reference: { source, experimentId, groupIds, isIn } })
    }
    default:
      return planMarked(condition, asking, path)
  }
}

const planGroup = (
  { op, negate, children }: CohortDefinition,
  asking: CohortAsking,
  path: string
): Checked<CohortGroup> =>
  Either.map(
    Either.all(
      children.map((child, index): Checked<CohortGroup | PlannedCondition> => {
        const place = `${path}children.${index}`
        return "op" in child ? planGroup(child, asking, `${place}.`) : planCondition(child, asking, place)
      })
    ),
    (planned) => ({ op, negate, children: planned })
  )

/** Plans a definition: relative windows end now, durations become ms, days are those of the project's zone. */
export const planCohort = (definition: CohortDefinition, asking: CohortAsking): Checked<CohortGroup> =>
  planGroup(definition, asking, "definition.")

import { Either } from "effect"
import { planOperands, planSelector } from "../analytics/filter/FilterRequest.ts"
import { type Checked, eachOf, problem, together } from "../analytics/question/QueryProblem.ts"
import type { Asking } from "../analytics/time/TimeQuery.ts"
import type { CohortCondition, CohortDefinition, CohortMarker, CohortWindow, Duration } from "./CohortDefinition.ts"
import type { BehaviourCondition, CohortGroup, PlannedCondition, PlannedWindow } from "./CohortPlan.ts"
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
  const bounds: Checked<BehaviourCondition["value"]> =
    low > high
      ? problem("invalid", `${path}.value: between needs the value [low, high], and low is at most high`)
      : Either.right([low, high])
  const parts = together({
    value: bounds,
    selector: planMarker(condition, path),
    window: planWindow(condition.window, now, path)
  })
  return Either.map(parts, (planned) => ({ type, did, measure, argument, zone, operator, ...planned }))
}

const planMarked = (
  condition: Extract<CohortCondition, { readonly type: "firstTime" | "stopped" | "restarted" }>,
  { now }: CohortAsking,
  path: string
): Checked<PlannedCondition> =>
  Either.map(
    together({ selector: planMarker(condition, path), window: planWindow(condition.window, now, path) }),
    (parts): PlannedCondition => {
      if (condition.type === "firstTime") return { type: condition.type, ...parts }
      const quietFor = lengthOf(condition.quietFor)
      return condition.type === "stopped"
        ? { type: condition.type, ...parts, quietFrom: now - quietFor }
        : { type: condition.type, ...parts, quietFor }
    }
  )

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
      return Either.map(
        together({
          first: planMarker(condition.first, `${path}.first`),
          next: planMarker(condition.next, `${path}.then`),
          window: planWindow(condition.window, asking.now, path)
        }),
        (parts) => ({ type: condition.type, ...parts, within: lengthOf(condition.within) })
      )
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
    eachOf(
      children.map((child, index): Checked<CohortGroup | PlannedCondition> => {
        const place = `${path}children.${index}`
        return "op" in child ? planGroup(child, asking, `${place}.`) : planCondition(child, asking, place)
      })
    ),
    (planned) => ({ op, negate, children: planned })
  )

/**
 * Plans a definition: relative windows end now, durations become ms, days are those of the project's zone. Where it cannot be planned, the
 * problem names all that is wrong with it, by paths such as `definition.children.0.value`.
 */
export const planCohort = (definition: CohortDefinition, asking: CohortAsking): Checked<CohortGroup> =>
  planGroup(definition, asking, "definition.")

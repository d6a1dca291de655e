import type { CohortGroup, CohortPlan, PlannedCondition } from "../../../../../src/domain/cohorts/CohortPlan.ts"
import { day, origin } from "./Insights.ts"
import { all, cohortIds, common, inCohort, inExperiment, of, where } from "./Selectors.ts"
import type { Reference } from "../../../../../src/domain/analytics/filter/Filter.ts"

const window = { since: "epoch", from: origin + day, to: origin + 5 * day } as const

/** The compiler asks for a condition that is missing. */
const conditions: {
  readonly [Type in PlannedCondition["type"]]: Extract<PlannedCondition, { readonly type: Type }>
} = {
  property: { type: "property", comparison: where("country", "is", ["DE"], "property") },
  behaviour: {
    type: "behaviour",
    did: true,
    selector: common,
    measure: "sum",
    argument: "level",
    zone: "UTC",
    operator: "greaterThan",
    value: [40, 40],
    window
  },
  firstTime: { type: "firstTime", selector: of("Purchase"), window },
  sequence: { type: "sequence", first: of("a"), next: of("b", all(inExperiment(true))), within: day, window },
  stopped: { type: "stopped", selector: of("Purchase"), window, quietFrom: origin + 4 * day },
  restarted: { type: "restarted", selector: of("a"), window, quietFor: day },
  reference: { type: "reference", reference: inCohort(true, cohortIds) as Reference }
}

const group = (op: "and" | "or", ...children: CohortGroup["children"]): CohortPlan => ({ op, negate: false, children })

export const cohortPlans: Readonly<Record<string, CohortPlan>> = {
  ...Object.fromEntries(Object.values(conditions).map((condition) => [condition.type, group("and", condition)])),
  "several, negated": {
    op: "and",
    negate: true,
    children: [
      group("or", conditions.reference, conditions.property),
      Object.assign({}, conditions.behaviour, { measure: "distinctDays", operator: "between", value: [2, 5] }),
      Object.assign({}, conditions.behaviour, {
        did: false,
        measure: "count",
        operator: "greaterThanOrEqual",
        value: [3, 3],
        window: { since: "firstSeen", from: 0, to: 3 * day }
      })
    ]
  }
}

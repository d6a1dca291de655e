import type { Dimension } from "../../../../../src/domain/analytics/filter/Breakdown.ts"
import {
  type FilterCondition,
  unfiltered,
  type Filter,
  type Operator,
  type ValueCondition
} from "../../../../../src/domain/analytics/filter/Filter.ts"
import type { Selector } from "../../../../../src/domain/analytics/filter/Selector.ts"
import { exposureType } from "../../../../../src/domain/analytics/filter/Memberships.ts"
import { CohortId, ExperimentGroupId, ExperimentId } from "../../../../../src/domain/Ids.ts"

export const all = (...conditions: ReadonlyArray<FilterCondition>): Filter => ({ match: "all", conditions })
export const any = (...conditions: ReadonlyArray<FilterCondition>): Filter => ({ match: "any", conditions })

export const where = (
  name: string,
  operator: Operator,
  operands: ReadonlyArray<string | number | boolean> = [],
  source: "argument" | "property" = "argument"
): ValueCondition => ({ source, name, operator, operands })

export const of = (type: string, filter: Filter = unfiltered): Selector => ({ types: [type], filter })

/** Types that have segments of their own, that share one, and that exist in the tail alone or not at all. */
export const common: Selector = { types: ["a", "b", "c"], filter: unfiltered }
export const rare: Selector = {
  types: ["Kauf €", "x".repeat(300), exposureType, "Purchase", "never"],
  filter: unfiltered
}

export const cohortIds = [1, 2, 3].map((id) => CohortId.make(id))
export const [firstCohort, secondCohort, thirdCohort] = [CohortId.make(1), CohortId.make(2), CohortId.make(3)]
export const experimentId = ExperimentId.make(1)
export const groupIds = [1, 2, 3].map((id) => ExperimentGroupId.make(id))

export const inCohort = (isIn: boolean, ids: ReadonlyArray<CohortId> = [firstCohort]): FilterCondition => ({
  source: "cohort",
  cohortIds: ids,
  isIn
})
export const inExperiment = (isIn: boolean, ids: ReadonlyArray<ExperimentGroupId> = []): FilterCondition => ({
  source: "experiment",
  experimentId,
  groupIds: ids,
  isIn
})

/** A condition for each operator, over columns of every encoding. The compiler asks for those that are missing. */
export const byOperator: { readonly [Each in Operator]: ReadonlyArray<ValueCondition> } = {
  is: [where("a", "is", ["x", "1"]), where("p", "is", [""], "property"), where("won", "is", ["true"])],
  isNot: [where("a", "isNot", ["x"]), where("country", "isNot", ["DE"], "property")],
  contains: [where("name", "contains", ["É"]), where("tags", "contains", ["z"])],
  notContains: [where("name", "notContains", ["long"])],
  equal: [where("large", "equal", [2 ** 40]), where("a", "equal", ["3"]), where("huge", "equal", [1e300])],
  notEqual: [where("level", "notEqual", [3])],
  greaterThan: [where("share", "greaterThan", [0.5]), where("negative", "greaterThan", [-10])],
  greaterThanOrEqual: [where("wide", "greaterThanOrEqual", [2 ** 30])],
  lessThan: [where("large", "lessThan", [0]), where("price", "lessThan", [1])],
  lessThanOrEqual: [where("price", "lessThanOrEqual", [4.99])],
  between: [where("price", "between", [4.99, 19.99]), where("level", "between", [2, 5])],
  isSet: [where("mixed", "isSet"), where("p", "isSet", [], "property")],
  isNotSet: [where("receipt", "isNotSet"), where("constant", "isNotSet")],
  isIn: [where("mixed", "isIn", ["1", false]), where("item", "isIn", ["b8b5f3c4-0000-4000-8000-000000000000"])],
  isNotIn: [where("tags", "isNotIn", ["x"])]
}

/** Everything that a question can be broken down by. */
export const dimensions: Readonly<Record<string, ReadonlyArray<Dimension>>> = {
  nothing: [],
  "a whole number": [{ source: "argument", name: "level" }],
  "a list": [{ source: "argument", name: "tags" }],
  "an id": [{ source: "argument", name: "item" }],
  "a property": [{ source: "property", name: "country" }],
  "values of every kind, and a truth": [
    { source: "argument", name: "a" },
    { source: "argument", name: "won" }
  ],
  "a cohort": [{ source: "cohort", name: "1", cohortId: firstCohort }],
  "an experiment": [{ source: "experiment", name: "1", experimentId }],
  "given groups": [
    {
      source: "experiment",
      name: "given",
      groups: {
        key: "given",
        groups: new Map([
          ["u0", "left"],
          ["プレイヤー", "right"]
        ]),
        otherwise: null
      }
    }
  ]
}

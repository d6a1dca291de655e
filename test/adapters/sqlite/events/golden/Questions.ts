import { unfiltered } from "../../../../../src/domain/analytics/filter/Filter.ts"
import type { ListingPlan, ValuesPlan } from "../../../../../src/domain/analytics/question/Question.ts"
import type { PlayersPlan } from "../../../../../src/domain/analytics/players/PlayersPlan.ts"
import type { CohortAnswers, StoreAnswers } from "../../../../../src/adapters/sqlite/events/cohorts/CohortQuestion.ts"
import { packNames } from "../../../../../src/adapters/sqlite/events/cohorts/CohortQuestion.ts"
import { cohortPlans } from "./CohortPlans.ts"
import { day, insights, origin, range } from "./Insights.ts"
import { funnels, funnelUnits, retentions } from "./Journeys.ts"
import { heatmaps, scorecards } from "./Scorecards.ts"
import { heatmapUnitsPlans, insightUnitsPlans, retentionUnitsPlans } from "./Units.ts"
import { all, common, firstCohort, of, rare, secondCohort, thirdCohort, where } from "./Selectors.ts"

const listing = (changes: Partial<ListingPlan>): ListingPlan => ({
  range,
  types: null,
  unitId: null,
  filter: unfiltered,
  limit: 4,
  after: null,
  ...changes
})

const players = (changes: Partial<PlayersPlan>): PlayersPlan => ({
  prefix: "",
  who: { op: "and", negate: false, children: [] },
  properties: [],
  sort: "lastSeen",
  direction: "descending",
  limit: 5,
  after: null,
  ...changes
})

const values = (source: ValuesPlan["source"], name: string, changes: Partial<ValuesPlan> = {}): ValuesPlan => ({
  source,
  name,
  type: null,
  search: null,
  limit: 20,
  ...changes
})

const unitIds = ["u0", "u1", "u2", "u3", "Zoë", "プレイヤー", "without markers", "nobody", "erased-unit"]

const cohortOf = {
  1: firstCohort,
  2: secondCohort,
  3: thirdCohort
}

const instants = { now: null, before: origin + 2 * day - 1, "on the second day": origin + 2 * day }

const everyCohort = <Plan>(planOf: (cohortId: typeof firstCohort, at: number | null) => Plan) =>
  Object.fromEntries(
    Object.entries(cohortOf).flatMap(([name, cohortId]) =>
      Object.entries(instants).map(([when, at]) => [`${name} ${when}`, planOf(cohortId, at)] as const)
    )
  )

const cohorts: { readonly [Kind in keyof CohortAnswers]: Readonly<Record<string, CohortAnswers[Kind]["plan"]>> } = {
  cohortChange: {
    "to a plan": { cohortId: 1, wanted: cohortPlans["behaviour"]!, now: origin + 9 * day },
    "to names": { cohortId: 2, wanted: packNames(["u0", "u1", "u3", "somebody"]), now: origin + 9 * day },
    "of one that was interrupted": { cohortId: 3, wanted: packNames(["u1"]), now: origin + 9 * day }
  },
  cohortUnits: Object.fromEntries(Object.entries(cohortPlans).map(([name, plan]) => [name, { plan, limit: 20 }])),
  cohortMembers: everyCohort((cohortId, at) => ({ cohortId, at, after: null, limit: 10 })),
  cohortCount: everyCohort((cohortId, at) => ({ cohortId, at })),
  cohortStays: everyCohort((cohortId, at) => ({ cohortId, at, unitIds })),
  cohortsOfUnit: Object.fromEntries(unitIds.map((unitId) => [unitId, { unitId }]))
}

/** Plans of questions by kind and name. The compiler asks for a kind that is missing. */
export const questions: {
  readonly [Kind in keyof StoreAnswers]: Readonly<Record<string, StoreAnswers[Kind]["plan"]>>
} = {
  ...cohorts,
  insight: insights,
  funnel: funnels,
  funnelUnits,
  funnelNext: Object.fromEntries(Object.entries(funnelUnits).map(([name, units]) => [name, { units, types: 3 }])),
  insightUnits: insightUnitsPlans,
  retentionUnits: retentionUnitsPlans,
  heatmapUnits: heatmapUnitsPlans,
  heatmapArguments: Object.fromEntries(
    Object.entries(heatmapUnitsPlans).map(([name, { heatmap, area }]) => [name, { heatmap, area, names: 4, values: 4 }])
  ),
  retention: retentions,
  heatmap: heatmaps,
  scorecard: scorecards,
  listing: {
    newest: listing({}),
    "of a unit": listing({ unitId: "プレイヤー", limit: 4 }),
    "of two types, filtered": listing({
      types: ["Purchase", "Kauf €"],
      filter: all(where("country", "isSet", [], "property"))
    }),
    "going on": listing({ after: { timestamp: origin + 3 * day, sequence: 400, asOf: 700 } })
  },
  types: { now: { now: origin + 9 * day }, "a month later": { now: origin + 33 * day } },
  typeCounts: {
    "by day": { boundaries: Array.from({ length: 10 }, (_, index) => origin + index * day) },
    "by uneven time": { boundaries: [origin + 1, origin + day / 3, origin + 7 * day + 1] }
  },
  names: {
    arguments: { source: "argument", type: null },
    properties: { source: "property", type: null },
    "of a type": { source: "argument", type: "b" }
  },
  versions: { "of all time": { range } },
  values: {
    a: values("argument", "a"),
    "a of a type": values("argument", "a", { type: "Level Start" }),
    tags: values("argument", "tags"),
    large: values("argument", "large"),
    names: values("argument", "name", { search: "É", limit: 5 }),
    countries: values("property", "country")
  },
  countedUnits: {
    common: { selector: common, range, minimum: 1, maximum: null, limit: 100 },
    "rare, between": { selector: rare, range, minimum: 5, maximum: 25, limit: 3 },
    filtered: {
      selector: of("a", all(where("level", "greaterThan", [5]))),
      range: { from: origin + day, to: origin + 4 * day },
      minimum: 2,
      maximum: null,
      limit: 100
    }
  },
  revenue: {
    purchases: {
      argument: "revenue",
      purchase: { type: "Purchase", argument: "price" },
      units: unitIds.map((unitId, at) => ({ unitId, from: origin + at * 1000, to: origin + 5 * day }))
    },
    "shares of any type": {
      argument: "share",
      purchase: { type: "Purchase", argument: "price" },
      units: unitIds.slice(0, 4).map((unitId) => ({ unitId, from: -Infinity, to: Infinity }))
    }
  },
  players: {
    newest: players({}),
    "with a prefix, going on": players({
      prefix: "プ",
      sort: "unitId",
      direction: "ascending",
      after: { unitId: "プ", firstSeenAt: 0, lastSeenAt: 0, markerCount: 0 }
    }),
    "of a country, by markers": players({
      who: {
        op: "and",
        negate: false,
        children: [
          {
            type: "property",
            comparison: { source: "property", name: "country", operator: "isSet", operands: [] }
          }
        ]
      },
      sort: "markerCount",
      properties: ["country"]
    })
  },
  profile: Object.fromEntries(unitIds.map((unitId) => [unitId, { unitId }])),
  unit: Object.fromEntries(unitIds.map((unitId) => [unitId, { unitId }]))
}

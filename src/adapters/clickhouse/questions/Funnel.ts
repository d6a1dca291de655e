import { Effect } from "effect"
import type { Selector } from "../../../domain/analytics/filter/Selector.ts"
import { listedFunnel, listedUnits } from "../../../domain/analytics/funnel/Funnel.ts"
import { groupedFunnel } from "../../../domain/analytics/funnel/FunnelGroups.ts"
import type { FunnelPlan, FunnelUnitsPlan } from "../../../domain/analytics/funnel/FunnelPlan.ts"
import { funnelAnswer, type GroupedResult } from "../../../domain/analytics/funnel/FunnelResults.ts"
import { exclusionBits } from "../../../domain/analytics/funnel/FunnelTrack.ts"
import type { FunnelMarker } from "../../../domain/analytics/funnel/UnitFunnel.ts"
import type { StoredEvent } from "../../../domain/analytics/markers/Event.ts"
import { integerLiteral, textLiterals } from "../Literals.ts"
import { BeyondSql } from "./BeyondSql.ts"
import { scopes } from "./Scope.ts"
import { inSteps } from "./Steps.ts"
import type { Telling } from "./Telling.ts"

/** A unit's markers in order: their instants after the beginning of the range, and the steps and the exclusions that each matches, as bits. */
type Journey = readonly [
  unit: string,
  after: ReadonlyArray<number>,
  steps: ReadonlyArray<number>,
  exclusions: ReadonlyArray<number>
]

/** What a funnel needs of a marker: of two of the same instant only which came first. Written out, for there are many. */
const eventOf = (unitId: string, timestamp: number, sequence: number): StoredEvent => ({
  unitId,
  timestamp,
  sequence,
  markerId: null,
  type: "",
  sessionId: null,
  serverId: null,
  receivedAt: 0,
  clamped: false,
  arguments: {},
  properties: {},
  position: null
})

const markersOf = ([unitId, after, steps, exclusions]: Journey, from: number): ReadonlyArray<FunnelMarker> =>
  after.map((time, index) => ({
    event: eventOf(unitId, from + time, index),
    // Bits of 32 steps are a whole number with a sign in the domain.
    steps: (steps[index] ?? 0) | 0,
    exclusions: (exclusions[index] ?? 0) | 0
  }))

/** Which of the selectors a marker matches, as an expression of their bits together. */
const bitsOf = (selectors: ReadonlyArray<readonly [selector: Selector, bits: number]>, { conditions }: Telling) =>
  Effect.map(
    Effect.forEach(selectors, ([{ types, filter }, bits]) =>
      Effect.map(
        conditions.filter(filter),
        (passes) => `if(type in (${textLiterals(types)}) and ${passes}, toUInt32(${bits >>> 0}), toUInt32(0))`
      )
    ),
    (all) => all.reduce((sum, each) => `bitOr(${sum}, ${each})`, "toUInt32(0)")
  )

/** The results of all units, from their journeys: the markers that matter, in order, without what only a breakdown needs. */
const results = (plan: FunnelPlan, telling: Telling) =>
  Effect.gen(function* () {
    if (plan.breakdowns.length > 0 || plan.holdConstant.length > 0) return yield* new BeyondSql()
    const filter = yield* telling.conditions.filter(plan.filter)
    const steps = yield* bitsOf(
      plan.steps.map(({ selector }, index) => [selector, 1 << index] as const),
      telling
    )
    const exclusions = yield* bitsOf(
      plan.exclusions.map(({ selector, fromStep, toStep }) => [selector, exclusionBits(fromStep, toStep)] as const),
      telling
    )
    const matters = plan.order === "strict" ? "true" : "(steps != 0 or exclusions != 0)"
    // A first step is never optional: without one no unit enters, whatever else it did.
    const enters = plan.order === "unordered" ? "" : " having max(bitAnd(steps, 1)) = 1"
    const column = (index: number) => `arrayMap(each -> each.${index}, journey)`
    const from = Number.isSafeInteger(plan.range.from) ? plan.range.from : 0
    const journeys = yield* telling.rows<Journey>(
      `select unit, ${column(1)}, ${column(3)}, ${plan.exclusions.length === 0 ? "[]" : column(4)} from
        (select unit, arraySort(groupArray((at - ${integerLiteral(from)}, sequence, steps, exclusions))) as journey from
          (select unit, at, sequence, ${steps} as steps, ${exclusions} as exclusions from marker
            where ${telling.where(scopes.funnel(plan))} and hasUnit and ${filter})
          where ${matters} group by unit${enters})`
    )
    const run = groupedFunnel(plan)
    const found: Array<GroupedResult> = []
    yield* inSteps(journeys, (journey) => {
      for (const each of run(journey[0], markersOf(journey, from)))
        if (each.result.reached > 0 || each.result.buckets.size > 0) found.push(each)
    })
    return found
  })

/** Answers a funnel by the domain's function over the journeys of units that ClickHouse collects. */
export const funnelInSql = (plan: FunnelPlan, telling: Telling) =>
  Effect.map(results(plan, telling), (found) => funnelAnswer(plan, found))

/** Lists the units behind a number of a funnel. */
export const funnelUnitsInSql = (plan: FunnelUnitsPlan, telling: Telling) =>
  Effect.map(results(listedFunnel(plan), telling), (found) => listedUnits(plan, found))

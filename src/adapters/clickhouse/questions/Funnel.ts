import { Effect } from "effect"
import type { Dimension } from "../../../domain/analytics/filter/Breakdown.ts"
import { exposureType } from "../../../domain/analytics/filter/Memberships.ts"
import type { Selector } from "../../../domain/analytics/filter/Selector.ts"
import { listedFunnel, listedUnits } from "../../../domain/analytics/funnel/Funnel.ts"
import { groupedFunnel } from "../../../domain/analytics/funnel/FunnelGroups.ts"
import type { FunnelPlan, FunnelUnitsPlan } from "../../../domain/analytics/funnel/FunnelPlan.ts"
import { funnelAnswer, type GroupedResult } from "../../../domain/analytics/funnel/FunnelResults.ts"
import { exclusionBits } from "../../../domain/analytics/funnel/FunnelTrack.ts"
import { dependsOnReceipt, type FunnelMarker } from "../../../domain/analytics/funnel/UnitFunnel.ts"
import type { Scalar, StoredEvent } from "../../../domain/analytics/markers/Event.ts"
import { integerLiteral, textLiteral, textLiterals } from "../Literals.ts"
import { steppedResults } from "./FunnelSteps.ts"
import { keyOf } from "./InsightSources.ts"
import { groupOfKey } from "./Paths.ts"
import { scopes } from "./Scope.ts"
import { inSteps } from "./Steps.ts"
import type { Telling } from "./Telling.ts"

/**
 * A unit's markers in order: their instants after the beginning of the range, the steps and the exclusions that each matches, as bits, and
 * the keys of the groups that each is in.
 */
type Journey = readonly [
  unit: string,
  after: ReadonlyArray<number>,
  steps: ReadonlyArray<number>,
  exclusions: ReadonlyArray<number>,
  keys: ReadonlyArray<ReadonlyArray<string>>
]

/** The name under which a marker has the key of a dimension: the domain groups by what is told of it, wherever that came from. */
const told = (index: number): string => String(index)

const toldDimension = (_: Dimension, index: number): Dimension => ({ source: "argument", name: told(index) })

/** The plan with the dimensions that markers have in `markersOf`. */
const toldPlan = (plan: FunnelPlan): FunnelPlan => ({
  ...plan,
  breakdowns: plan.breakdowns.map(toldDimension),
  holdConstant: plan.holdConstant.map((each, index) => toldDimension(each, plan.breakdowns.length + index))
})

const argumentsOf = (keys: ReadonlyArray<string>): Readonly<Record<string, Scalar>> =>
  Object.fromEntries(
    keys.flatMap((key, index) => {
      const value = groupOfKey(key)
      return value === null ? [] : [[told(index), value] as const]
    })
  )

/** What a funnel needs of a marker: of two of the same instant only which came first. Written out, for there are many. */
const eventOf = (
  unitId: string,
  timestamp: number,
  sequence: number,
  keys: ReadonlyArray<string> | undefined
): StoredEvent => ({
  unitId,
  timestamp,
  sequence,
  markerId: null,
  type: "",
  sessionId: null,
  serverId: null,
  receivedAt: 0,
  clamped: false,
  arguments: keys === undefined ? {} : argumentsOf(keys),
  properties: {},
  position: null
})

const markersOf = ([unitId, after, steps, exclusions, keys]: Journey, from: number): ReadonlyArray<FunnelMarker> =>
  after.map((time, index) => ({
    event: eventOf(unitId, from + time, index, keys[index]),
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

/** The journeys of all units that entered. */
const journeysOf = (plan: FunnelPlan, telling: Telling) =>
  Effect.gen(function* () {
    const filter = yield* telling.conditions.filter(plan.filter)
    const steps = yield* bitsOf(
      plan.steps.map(({ selector }, index) => [selector, 1 << index] as const),
      telling
    )
    const exclusions = yield* bitsOf(
      plan.exclusions.map(({ selector, fromStep, toStep }) => [selector, exclusionBits(fromStep, toStep)] as const),
      telling
    )
    const keys = yield* Effect.forEach([...plan.breakdowns, ...plan.holdConstant], (each) => keyOf(each, telling))
    const isBetween = plan.order === "strict" ? `type != ${textLiteral(exposureType)}` : "false"
    const matters = `(steps != 0 or exclusions != 0 or ${isBetween})`
    // A first step is never optional: without one no unit enters, whatever else it did.
    const enters = plan.order === "unordered" ? "" : " having max(bitAnd(steps, 1)) = 1"
    const column = (index: number, isWanted = true) => (isWanted ? `arrayMap(each -> each.${index}, journey)` : "[]")
    const from = Number.isSafeInteger(plan.range.from) ? plan.range.from : 0
    const journeys = yield* telling.rows<Journey>(
      `select unit, ${column(1)}, ${column(3)}, ${column(4, plan.exclusions.length > 0)}, ${column(5, keys.length > 0)} from
        (select unit, arraySort(groupArray((at - ${integerLiteral(from)}, sequence, steps, exclusions${keys.length === 0 ? "" : ", keys"}))) as journey from
          (select unit, at, sequence, type, ${steps} as steps, ${exclusions} as exclusions, [${keys.join(", ")}]::Array(String) as keys from marker
            where ${telling.where(scopes.funnel(plan))} and hasUnit and ${filter})
          where ${matters} group by unit${enters})`
    )
    return { journeys, from }
  })

/** The results of units whose markers are told apart by more than their steps. */
const groupedResults = (plan: FunnelPlan, telling: Telling) =>
  Effect.gen(function* () {
    const { journeys, from } = yield* journeysOf(plan, telling)
    const run = groupedFunnel(toldPlan(plan))
    const found: Array<GroupedResult> = []
    let markers = 0
    yield* inSteps(journeys, (journey) => {
      markers += journey[1].length
      for (const each of run(journey[0], markersOf(journey, from)))
        if (each.result.reached > 0 || each.result.buckets.size > 0) found.push(each)
    })
    return { found, markers }
  })

/** The results of all units, from their journeys. */
const results = (plan: FunnelPlan, telling: Telling) =>
  dependsOnReceipt(plan) ? groupedResults(plan, telling) : steppedResults(plan, telling)

/** Answers a funnel by the domain's function over the journeys of units that ClickHouse collects. */
export const funnelInSql = (plan: FunnelPlan, telling: Telling) =>
  Effect.map(results(plan, telling), ({ found, markers }) => ({ answer: funnelAnswer(plan, found), markers }))

/** Lists the units behind a number of a funnel. */
export const funnelUnitsInSql = (plan: FunnelUnitsPlan, telling: Telling) =>
  Effect.map(results(listedFunnel(plan), telling), ({ found, markers }) => ({
    answer: listedUnits(plan, found),
    markers
  }))

import { Effect } from "effect"
import type { FunnelPlan } from "../../../domain/analytics/funnel/FunnelPlan.ts"
import type { GroupedResult } from "../../../domain/analytics/funnel/FunnelResults.ts"
import { funnelRun } from "../../../domain/analytics/funnel/TrackFunnel.ts"
import { integerLiteral, textLiterals } from "../Literals.ts"
import { scopes } from "./Scope.ts"
import { inSteps } from "./Steps.ts"
import type { Telling } from "./Telling.ts"

/** Numbers from 0 of which the place of a step is one. */
const places = 32

/** A unit with its markers in order, each as one number: milliseconds after the beginning of the range times `places`, and the step. */
type SteppedJourney = readonly [unit: string, markers: ReadonlyArray<number>]

/** The place of the one step that a marker may be, from 0; -1 where it is none. */
const stepOf = ({ steps }: FunnelPlan, { conditions }: Telling) =>
  Effect.map(
    Effect.forEach(steps, ({ selector: { types, filter } }, index) =>
      Effect.map(conditions.filter(filter), (passes) => `type in (${textLiterals(types)}) and ${passes}, ${index}`)
    ),
    (branches) => `multiIf(${branches.join(", ")}, -1)`
  )

/** The results of units in a funnel where every marker is one step at most and their order of receipt does not matter. */
export const steppedResults = (plan: FunnelPlan, telling: Telling) =>
  Effect.gen(function* () {
    const filter = yield* telling.conditions.filter(plan.filter)
    const step = yield* stepOf(plan, telling)
    const from = Number.isSafeInteger(plan.range.from) ? plan.range.from : 0
    // Who never was at the first step, which is never optional, has not entered.
    const journeys = yield* telling.rows<SteppedJourney>(
      `select unit, arraySort(groupArray((at - ${integerLiteral(from)}) * ${places} + step)) from
        (select unit, at, ${step} as step from marker where ${telling.where(scopes.funnel(plan))} and hasUnit and ${filter})
        where step >= 0 group by unit having min(step) = 0`
    )
    const run = funnelRun(plan)
    const found: Array<GroupedResult> = []
    let markers = 0
    yield* inSteps(journeys, ([unitId, journey]) => {
      const { length } = journey
      markers += length
      const times = journey.map((each) => from + Math.floor(each / places))
      const steps = journey.map((each) => 1 << (((each % places) + places) % places))
      const { reached, markers: path } = run(
        { length, times, steps, exclusions: new Uint8Array(length) },
        -Infinity,
        Infinity
      )
      if (reached === 0) return
      const reachedAt = Array.from(path, (index) => (index < 0 ? null : (times[index] ?? null)))
      found.push({ group: [], result: { unitId, reached, times: reachedAt, buckets: new Map() } })
    })
    return { found, markers }
  })

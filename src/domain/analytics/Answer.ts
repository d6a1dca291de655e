import { countedUnits } from "./CountedUnits.ts"
import type { StoredEvent } from "./Event.ts"
import { filterTest } from "./Filter.ts"
import { funnel, funnelUnits } from "./Funnel.ts"
import { heatmap } from "./Heatmap.ts"
import { insight } from "./Insight.ts"
import { profile } from "./Profile.ts"
import { retention } from "./Retention.ts"
import { revenue } from "./Revenue.ts"
import { listing } from "./Listing.ts"
import type { Answers, QuestionKind, QuestionOf, UnitSummary } from "./Question.ts"
import { Catalogue, seenNames, seenTypes, seenValues } from "./Catalogue.ts"

const summary = (events: ReadonlyArray<StoredEvent>, unitId: string): UnitSummary | null => {
  const own = events.filter((event) => event.unitId === unitId)
  if (own.length === 0) return null
  const times = own.map(({ timestamp }) => timestamp)
  const [firstSeenAt, lastSeenAt] = times.reduce(
    ([first, last], time) => [Math.min(first, time), Math.max(last, time)] as const,
    [Infinity, -Infinity] as const
  )
  return { unitId, firstSeenAt, lastSeenAt, events: own.length }
}

const catalogueOf = (events: ReadonlyArray<StoredEvent>): Catalogue => {
  const catalogue = new Catalogue()
  for (const event of events) catalogue.add(event)
  return catalogue
}

type Answerers = {
  readonly [Kind in QuestionKind]: (
    events: ReadonlyArray<StoredEvent>,
    plan: Answers[Kind]["plan"]
  ) => Answers[Kind]["answer"]
}

const answerers: Answerers = {
  insight,
  funnel,
  funnelUnits,
  retention,
  heatmap,
  listing: (events, plan) => listing(events, plan, filterTest(plan.filter)),
  countedUnits,
  profile: (events, { unitId }) => profile(events, unitId),
  revenue,
  unit: (events, { unitId }) => summary(events, unitId),
  types: (events, { now }) => seenTypes(catalogueOf(events), now),
  names: (events, { source, type }) => seenNames(catalogueOf(events), source, type),
  values: (events, plan) => seenValues(catalogueOf(events), plan)
}

/** The definition of every answer: the pure functions over all markers of one environment, in order of receipt. */
export const answerOf = <Kind extends QuestionKind>(
  events: ReadonlyArray<StoredEvent>,
  { kind, plan }: QuestionOf<Kind>
): Answers[Kind]["answer"] => answerers[kind](events, plan)

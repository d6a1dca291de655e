import { unitScorecard } from "../../experiments/results/UnitScorecard.ts"
import { countedUnits } from "../insight/CountedUnits.ts"
import type { StoredEvent } from "../markers/Event.ts"
import { filterTest } from "../filter/Filter.ts"
import { funnel, funnelUnits } from "../funnel/Funnel.ts"
import { funnelNext } from "../funnel/FunnelNext.ts"
import { heatmap } from "../heatmap/Heatmap.ts"
import { heatmapArguments } from "../heatmap/HeatmapArguments.ts"
import { heatmapUnits } from "../heatmap/HeatmapUnits.ts"
import { insight } from "../insight/Insight.ts"
import { insightUnits } from "../insight/InsightUnits.ts"
import { profile } from "../markers/Profile.ts"
import { players } from "../players/Players.ts"
import { retention } from "../retention/Retention.ts"
import { retentionUnits } from "../retention/RetentionUnits.ts"
import { revenue } from "../insight/Revenue.ts"
import { listing } from "../markers/Listing.ts"
import { typeCounts } from "../markers/TypeCounts.ts"
import { type Memberships, noMemberships } from "../filter/Memberships.ts"
import { type ReferringKind, resolving, type Rewriting, rewritten } from "./References.ts"
import type { Answers, QuestionKind, QuestionOf, UnitSummary } from "./Question.ts"
import { Catalogue, seenNames, seenTypes, seenValues } from "../markers/Catalogue.ts"
import { seenVersions } from "../markers/SeenVersions.ts"

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

type Answerer<Kind extends QuestionKind> = (
  events: ReadonlyArray<StoredEvent>,
  plan: Answers[Kind]["plan"],
  resolution: Rewriting,
  memberships: Memberships
) => Answers[Kind]["answer"]

type Answerers = { readonly [Kind in QuestionKind]: Answerer<Kind> }

const resolved =
  <Kind extends ReferringKind>(
    kind: Kind,
    answer: (events: ReadonlyArray<StoredEvent>, plan: Answers[Kind]["plan"]) => Answers[Kind]["answer"]
  ): Answerer<Kind> =>
  (events, plan, resolution) =>
    answer(events, rewritten[kind](plan, resolution))

const answerers: Answerers = {
  profile: (events, { unitId }) => profile(events, unitId),
  revenue,
  scorecard: resolved("scorecard", unitScorecard),
  insight: resolved("insight", insight),
  funnel: resolved("funnel", funnel),
  funnelUnits: resolved("funnelUnits", funnelUnits),
  funnelNext: resolved("funnelNext", funnelNext),
  retention: resolved("retention", retention),
  heatmap: resolved("heatmap", heatmap),
  insightUnits: resolved("insightUnits", insightUnits),
  retentionUnits: resolved("retentionUnits", retentionUnits),
  heatmapUnits: resolved("heatmapUnits", heatmapUnits),
  heatmapArguments: resolved("heatmapArguments", heatmapArguments),
  listing: resolved("listing", (events, plan) => listing(events, plan, filterTest(plan.filter))),
  countedUnits: resolved("countedUnits", countedUnits),
  unit: (events, { unitId }) => summary(events, unitId),
  typeCounts,
  players: (events, plan, _, memberships) => players(events, plan, memberships),
  types: (events, { now }) => seenTypes(catalogueOf(events), now),
  names: (events, { source, type }) => seenNames(catalogueOf(events), source, type),
  values: (events, plan) => seenValues(catalogueOf(events), plan),
  versions: (events, { range }) => seenVersions(catalogueOf(events), range)
}

/**
 * The definition of every answer: the pure functions on all markers of one environment, in order of receipt. Every
 * store must agree with it.
 */
export const answerOf = <Kind extends QuestionKind>(
  events: ReadonlyArray<StoredEvent>,
  { kind, plan }: QuestionOf<Kind>,
  memberships: Memberships = noMemberships
): Answers[Kind]["answer"] => answerers[kind](events, plan, resolving(memberships), memberships)

import { type StoredEvent, byTime } from "../../analytics/markers/Event.ts"
import { filterTest } from "../../analytics/filter/Filter.ts"
import { groupBy } from "../../analytics/filter/Grouping.ts"
import { numberOf } from "../../analytics/filter/Value.ts"
import { Roster } from "./Roster.ts"
import { exposureType } from "../../analytics/filter/Memberships.ts"
import type { ScorecardAnswer, ScorecardPlan } from "./ScorecardPlan.ts"
import { unitOutcome } from "./UnitOutcome.ts"

/** The ordinal of the group that a marker records an exposure to; -1 for any other marker. */
const exposedGroup = ({ experimentId, groupIds }: ScorecardPlan, event: StoredEvent): number => {
  if (event.type !== exposureType || numberOf(event.arguments["experimentId"]) !== experimentId) return -1
  const groupId = numberOf(event.arguments["groupId"])
  return groupIds.findIndex((id) => id === groupId)
}

/** Tells of a marker the ordinal of the group that it brings its unit to; -1 where it brings it to none. */
const entrance = (plan: ScorecardPlan): ((event: StoredEvent) => number) => {
  if (plan.entry === undefined) return (event) => exposedGroup(plan, event)
  const passes = filterTest(plan.entry)
  return (event) => (event.timestamp >= plan.range.from && passes(event) ? 0 : -1)
}

type Events = ReadonlyArray<StoredEvent>

const owned = (events: Events, ownerOf: (event: StoredEvent) => string | null): ReadonlyMap<string, Events> =>
  groupBy(
    events.filter((event) => ownerOf(event) !== null),
    (event) => ownerOf(event) ?? ""
  )

/** The definition of a scorecard's answer: from all markers of the environment, in any order. */
export const unitScorecard = (events: Events, plan: ScorecardPlan): ScorecardAnswer => {
  const roster = new Roster(plan)
  const groupOf = entrance(plan)
  const known = events.filter(({ timestamp }) => timestamp < plan.range.to)
  const exposures = owned(
    known.filter((event) => groupOf(event) >= 0),
    ({ unitId }) => unitId
  )
  const deeds = owned(known, ({ unitId, serverId }) => (plan.unitType === "server" ? serverId : unitId))
  const exposed = [...exposures].flatMap(([unitId, own]) => {
    const first = own.reduce((a, b) => (byTime(b, a) < 0 ? b : a))
    const group = groupOf(first)
    const isMultiple = own.some((event) => groupOf(event) !== group)
    const cell = roster.enrol(first.timestamp, group, isMultiple)
    return cell < 0 ? [] : [{ unitId, own: deeds.get(unitId) ?? [], cell, exposedAt: first.timestamp }]
  })
  return roster.answer((metric, add) => {
    const outcomeOf = unitOutcome(metric, plan)
    for (const { unitId, own, cell, exposedAt } of exposed) {
      const outcome = outcomeOf(unitId, own, exposedAt)
      if (outcome !== null) add(cell, outcome.values, outcome.hasPrior)
    }
  })
}

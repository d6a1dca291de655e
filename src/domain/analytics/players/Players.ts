import { cohortUnits } from "../../cohorts/CohortUnits.ts"
import { groupBy } from "../filter/Grouping.ts"
import type { Memberships } from "../filter/Memberships.ts"
import type { StoredEvent } from "../markers/Event.ts"
import { profile, profileOf } from "../markers/Profile.ts"
import { playerOrder } from "./PlayerOrder.ts"
import type { PlayerPlace, PlayersAnswer, PlayersPlan } from "./PlayersPlan.ts"

const placeOf = (unitId: string, events: ReadonlyArray<StoredEvent>): PlayerPlace => ({
  unitId,
  firstSeenAt: events.reduce((first, { timestamp }) => Math.min(first, timestamp), Infinity),
  lastSeenAt: events.reduce((last, { timestamp }) => Math.max(last, timestamp), -Infinity),
  markerCount: events.length
})

/** The places of one page in the plan's order, and its answer, given all markers of the units there. */
export const pageOfPlayers = (places: ReadonlyArray<PlayerPlace>, plan: PlayersPlan) => {
  const { after, limit, properties } = plan
  const compare = playerOrder(plan)
  const found = places.filter((place) => after === null || compare(place, after) > 0).sort(compare)
  const shown = found.slice(0, limit)
  const answer = (events: ReadonlyArray<StoredEvent>): PlayersAnswer => ({
    items: shown.map((place) => {
      const own = Object.entries(profile(events, place.unitId)).filter(([name]) => properties.includes(name))
      return { ...place, profile: profileOf(new Map(own)) }
    }),
    hasMore: found.length > limit
  })
  return { places: shown, answer }
}

/** One page of the units that the plan is about, in its order, from all markers of one environment in any order. */
export const players = (
  events: ReadonlyArray<StoredEvent>,
  plan: PlayersPlan,
  memberships: Memberships
): PlayersAnswer => {
  const { prefix } = plan
  const belonging = cohortUnits(events, plan.who, memberships)
  const places: Array<PlayerPlace> = []
  for (const [unitId, own] of groupBy(events, (event) => event.unitId))
    if (unitId !== null && belonging.has(unitId) && unitId.startsWith(prefix)) places.push(placeOf(unitId, own))
  return pageOfPlayers(places, plan).answer(events)
}

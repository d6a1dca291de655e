import { Effect } from "effect"
import type { Memberships } from "../../../domain/analytics/filter/Memberships.ts"
import { pageOfPlayers } from "../../../domain/analytics/players/Players.ts"
import type { PlayersPlan } from "../../../domain/analytics/players/PlayersPlan.ts"
import { cohortUnits } from "../../../domain/cohorts/CohortUnits.ts"
import { textLiteral } from "../Literals.ts"
import { type Chosen, relevantToCohort } from "./Relevant.ts"
import { whole } from "./Scope.ts"
import type { Telling } from "./Telling.ts"

type PlaceRow = readonly [unitId: string, firstSeenAt: number, lastSeenAt: number, markerCount: number]

/** The units that the list is about; null: all. */
const belonging = ({ who }: PlayersPlan, memberships: Memberships, chosen: Chosen) =>
  who.children.length === 0 && who.op === "and" && !who.negate
    ? Effect.succeed(null)
    : Effect.map(relevantToCohort(who, chosen), (events) => cohortUnits(events, who, memberships))

/** One page of players, from what ClickHouse sums up for each of them, and the markers of those on the page alone. */
export const playersInSql = (plan: PlayersPlan, { rows, where }: Telling, memberships: Memberships, chosen: Chosen) =>
  Effect.gen(function* () {
    const { prefix } = plan
    const members = yield* belonging(plan, memberships, chosen)
    const begins = prefix === "" || !prefix.isWellFormed() ? "true" : `startsWith(unit, ${textLiteral(prefix)})`
    const found = yield* rows<PlaceRow>(
      `select unit, min(at), max(at), count() from marker where ${where(whole)} and hasUnit and ${begins} group by unit`
    )
    const places = found.flatMap(([unitId, firstSeenAt, lastSeenAt, markerCount]) =>
      unitId.startsWith(prefix) && members?.has(unitId) !== false
        ? [{ unitId, firstSeenAt, lastSeenAt, markerCount }]
        : []
    )
    const page = pageOfPlayers(places, plan)
    const units = page.places.map(({ unitId }) => unitId)
    const own = plan.properties.length === 0 || units.length === 0 ? [] : yield* chosen({ ...whole, units }, "true")
    return { answer: page.answer(own), markers: found.reduce((sum, [, , , count]) => sum + count, 0) }
  })

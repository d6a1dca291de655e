import { profileOf } from "../../../../domain/analytics/markers/Profile.ts"
import type { Value, Values } from "../../../../domain/analytics/markers/Event.ts"
import type { PlayersAnswer, PlayersPlan } from "../../../../domain/analytics/players/PlayersPlan.ts"
import { CohortRows } from "../cohorts/CohortRows.ts"
import { scanGroup } from "../cohorts/CohortScan.ts"
import type { Snapshot } from "../read/Snapshot.ts"
import { latestValues } from "./LatestValues.ts"
import { pageOf } from "./PlayerPage.ts"
import { UnitTotals } from "./UnitTotals.ts"

/** By unit number, 1 for each unit with a marker that the plan is about. */
const flagsOf = ({ prefix, who }: PlayersPlan, { counts }: UnitTotals, snapshot: Snapshot): Uint8Array => {
  const flags = scanGroup(who, new CohortRows(snapshot))
  for (let unit = 0; unit < flags.length; unit++) if (counts[unit] === 0) flags[unit] = 0
  if (prefix === "") return flags
  const found = new Uint8Array(flags.length)
  for (const unit of snapshot.environment.unitsStarting(prefix)) found[unit] = flags[unit]!
  return found
}

const profilesOf = (properties: ReadonlyArray<string>, units: ReadonlyArray<number>, snapshot: Snapshot) => {
  const profiles = units.map(() => new Map<string, Value>())
  for (const name of new Set(properties))
    for (const [at, value] of latestValues(name, units, snapshot).entries())
      if (value !== undefined) profiles[at]!.set(name, value)
  return profiles.map((profile): Values => profileOf(profile))
}

/** One page of players. The totals of a sealed block's units are kept with its columns, so that they are counted once. */
export const scanPlayers = (plan: PlayersPlan, snapshot: Snapshot): PlayersAnswer => {
  const { limit, properties } = plan
  const totals = new UnitTotals(snapshot)
  const found = pageOf(plan, totals, flagsOf(plan, totals, snapshot), limit + 1, snapshot)
  const shown = found.slice(0, limit)
  const profiles = profilesOf(
    properties,
    shown.map(({ unit }) => unit),
    snapshot
  )
  const items = shown.map(({ unitId, firstSeenAt, lastSeenAt, markerCount }, at) => ({
    unitId,
    firstSeenAt,
    lastSeenAt,
    markerCount,
    profile: profiles[at]!
  }))
  return { items, hasMore: found.length > limit }
}

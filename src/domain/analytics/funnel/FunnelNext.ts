import { isDone } from "../filter/Memberships.ts"
import { byTime, type StoredEvent } from "../markers/Event.ts"
import { funnelUnits } from "./Funnel.ts"
import type { FunnelUnit, FunnelUnitsPlan } from "./FunnelPlan.ts"

/** What the units behind a number of a funnel did next. */
export interface FunnelNextPlan {
  /** Chooses the units; its page is ignored. */
  readonly units: FunnelUnitsPlan
  /** The most types to answer. */
  readonly types: number
}

/** Units by the type of their first marker after the last step that they reached. */
export interface FunnelNext {
  /** The most frequent first, ties by name (UTF-16 code units). */
  readonly types: ReadonlyArray<{ readonly name: string; readonly units: number }>
  /** Units that have done nothing since. */
  readonly nothing: number
  readonly total: number
}

/** The units of every page. */
export const everybodyOf = ({ units }: FunnelNextPlan): FunnelUnitsPlan => ({
  ...units,
  after: null,
  limit: Number.MAX_SAFE_INTEGER
})

/** Epoch ms of the last step that a unit reached, by the times of its steps. */
export const lastStepAt = (times: FunnelUnit["times"]): number =>
  times.reduce<number>((last, time) => Math.max(last, time ?? last), -Infinity)

/** The answer from the type of each unit's next marker; those that have none are left out. */
export const funnelNextOf = (next: Iterable<string>, total: number, types: number): FunnelNext => {
  const counts = new Map<string, number>()
  let found = 0
  for (const name of next) {
    counts.set(name, (counts.get(name) ?? 0) + 1)
    found++
  }
  const ranked = [...counts].sort(([a, many], [b, more]) => more - many || (a < b ? -1 : 1)).slice(0, types)
  return { types: ranked.map(([name, units]) => ({ name, units })), nothing: total - found, total }
}

/** What the units behind a number of a funnel did next, whatever its time and filters: the first marker after their last step that is no exposure. */
export const funnelNext = (events: ReadonlyArray<StoredEvent>, plan: FunnelNextPlan): FunnelNext => {
  const units = funnelUnits(events, everybodyOf(plan))
  const last = new Map(units.map(({ unitId, times }) => [unitId, lastStepAt(times)] as const))
  const next = new Map<string, StoredEvent>()
  for (const event of events) {
    const since = event.unitId === null ? undefined : last.get(event.unitId)
    if (event.unitId === null || since === undefined || event.timestamp <= since || !isDone(event.type)) continue
    const known = next.get(event.unitId)
    if (known === undefined || byTime(event, known) < 0) next.set(event.unitId, event)
  }
  return funnelNextOf(
    [...next.values()].map(({ type }) => type),
    units.length,
    plan.types
  )
}

import type { CohortId, ExperimentId } from "../../Ids.ts"
import type { StoredEvent } from "../markers/Event.ts"
import { byTime } from "../markers/Event.ts"
import { numberOf } from "./Value.ts"

/** Who is where: what references are resolved by. */
export interface Memberships {
  readonly cohort: (id: CohortId) => ReadonlySet<string>
  /** The group's id of each unit that was exposed to one group of the experiment, and to no other. */
  readonly experiment: (id: ExperimentId) => ReadonlyMap<string, number>
}

/** No cohort has members, no experiment units. */
export const nobody: Memberships = { cohort: () => new Set(), experiment: () => new Map() }

/** The marker that tells that a unit has met an experiment, by the arguments `experimentId` and `groupId`. */
export const exposureType = "$exposure"

/** The group each unit of an experiment was exposed to; units exposed to two groups are in none. */
export const exposedGroups = (events: ReadonlyArray<StoredEvent>, id: ExperimentId): ReadonlyMap<string, number> => {
  const groups = new Map<string, number | null>()
  for (const { type, unitId, arguments: values } of events.toSorted(byTime)) {
    if (type !== exposureType || unitId === null || numberOf(values["experimentId"]) !== id) continue
    const group = numberOf(values["groupId"])
    if (group === null) continue
    const known = groups.get(unitId)
    if (known === undefined) groups.set(unitId, group)
    else if (known !== group) groups.set(unitId, null)
  }
  return new Map([...groups].flatMap(([unitId, group]) => (group === null ? [] : [[unitId, group] as const])))
}

import type { CohortId, ExperimentId } from "../../Ids.ts"
import type { StoredEvent } from "../markers/Event.ts"
import { byTime } from "../markers/Event.ts"
import { numberOf } from "./Value.ts"

/** Resolves references: which units a cohort or an experiment has. */
export interface Memberships {
  /** The units that belong to the cohort when the question is asked. */
  readonly cohort: (id: CohortId) => ReadonlySet<string>
  /** For each unit exposed to exactly one group of the experiment, that group's id. */
  readonly experiment: (id: ExperimentId) => ReadonlyMap<string, number>
}

/** Memberships in which every cohort and experiment is empty. */
export const noMemberships: Memberships = { cohort: () => new Set(), experiment: () => new Map() }

/** The marker that records a unit's exposure to an experiment, in the arguments `experimentId` and `groupId`. */
export const exposureType = "$exposure"

/** Whether a marker of the type tells what a player did. The server notes exposures by itself, whatever the player does. */
export const isDone = (type: string): boolean => type !== exposureType

/** For each unit exposed to exactly one group of the experiment, that group's id. */
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

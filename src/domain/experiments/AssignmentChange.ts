import type { ExperimentGroupId } from "../Ids.ts"
import { groupIn, type StoredAssignment } from "./StoredAssignment.ts"

type Unit = Pick<StoredAssignment, "experimentId" | "unitType" | "distinctId">

/** A unit that changes groups counts as not yet exposed. */
const moved = (before: StoredAssignment, after: StoredAssignment, now: number): StoredAssignment => {
  const isElsewhere = groupIn(before) !== groupIn(after)
  if (!isElsewhere && before.status === after.status && before.overrideGroupId === after.overrideGroupId) return before
  const version = before.version + 1
  return isElsewhere ? { ...after, version, assignedAt: now, firstExposedAt: null } : { ...after, version }
}

/**
 * Assigns a unit to a group by hand, at `now` (epoch ms). Returns the same assignment if it is there by hand already.
 */
export const setByHand = (
  unit: Unit,
  before: StoredAssignment | null,
  overrideGroupId: ExperimentGroupId,
  now: number
): StoredAssignment => {
  const set = { overrideGroupId, status: "active", source: "manual" } as const
  return before === null
    ? { ...unit, ...set, automaticGroupId: null, version: 1, assignedAt: now, firstExposedAt: null }
    : moved(before, { ...before, ...set }, now)
}

/** Withdraws an assignment by hand: back to the automatic group. Null for a unit that never had one. */
export const clearOverride = (
  before: StoredAssignment,
  automatic: "weightedHash" | "roundRobin",
  now: number
): StoredAssignment | null =>
  before.automaticGroupId === null ? null : moved(before, { ...before, overrideGroupId: null, source: automatic }, now)

/** Takes a unit out of the experiment. A group given by hand becomes the one that it returns to. */
export const unenrol = (before: StoredAssignment, now: number): StoredAssignment =>
  moved(
    before,
    {
      ...before,
      status: "unenrolled",
      automaticGroupId: before.overrideGroupId ?? before.automaticGroupId,
      overrideGroupId: null
    },
    now
  )

/** Returns an unenrolled unit to its group. */
export const reactivate = (before: StoredAssignment, now: number): StoredAssignment =>
  moved(before, { ...before, status: "active" }, now)

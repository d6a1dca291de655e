import type { ExperimentGroupId } from "../Ids.ts"
import { groupIn, type StoredAssignment } from "./StoredAssignment.ts"

type Unit = Pick<StoredAssignment, "experimentId" | "unitType" | "distinctId">

/** A unit that comes to another group is exposed to it anew. */
const moved = (before: StoredAssignment, after: StoredAssignment, now: number): StoredAssignment => {
  const isElsewhere = groupIn(before) !== groupIn(after)
  if (!isElsewhere && before.status === after.status && before.overrideGroupId === after.overrideGroupId) return before
  const version = before.version + 1
  return isElsewhere ? { ...after, version, assignedAt: now, firstExposedAt: null } : { ...after, version }
}

/** Put into a group by hand; the very same assignment when it was there by hand before. `now` in epoch milliseconds. */
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

/** Back in the group it had by itself; null for a unit that never had one. */
export const clearOverride = (
  before: StoredAssignment,
  automatic: "weightedHash" | "roundRobin",
  now: number
): StoredAssignment | null =>
  before.automaticGroupId === null ? null : moved(before, { ...before, overrideGroupId: null, source: automatic }, now)

/** Taken out; what was given by hand becomes the group it comes back to. */
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

/** Back in the group it was taken out of. */
export const reactivate = (before: StoredAssignment, now: number): StoredAssignment =>
  moved(before, { ...before, status: "active" }, now)

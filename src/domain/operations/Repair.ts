import type { LostMarkers, RepairPlan, Stranger } from "./Reconciliation.ts"

/** Lost data stay a fault until a human has accepted them; what was set aside waits for the metadata that know it; the rest is done. */
export const repairKinds = ["lost", "setAside", "repaired"] as const

export type RepairKind = (typeof repairKinds)[number]

/** One thing that a start found and put right as far as that is possible. */
export interface Repair {
  readonly kind: RepairKind
  /** Null: it is not of one environment. */
  readonly environmentId: number | null
  /** In plain words, for the operator. */
  readonly text: string
}

const counted = (count: number, one: string, many: string): string => (count === 1 ? `1 ${one}` : `${count} ${many}`)

const timeOf = (instant: number): string => (instant > 0 ? new Date(instant).toISOString() : "an unknown time")

/** `newestReceipt` (epoch milliseconds) is that of the newest marker that is left; 0: not known. */
export const lostMarkers = ({ environmentId, noted, found }: LostMarkers, newestReceipt: number): Repair => ({
  kind: "lost",
  environmentId,
  text: `${counted(noted - found, "acknowledged marker", "acknowledged markers")} of environment ${environmentId} are missing: metadata.sqlite knows of ${noted}, events.sqlite ends at ${found}, received at ${timeOf(newestReceipt)}. events.sqlite is an older copy or has lost its end`
})

/** The metadata end at `notedAt`, the events go on until `until`; both in epoch milliseconds. */
export const olderMetadata = (notedAt: number, until: number): Repair => ({
  kind: "lost",
  environmentId: null,
  text: `metadata.sqlite is an older copy or has lost its end: what was changed between ${timeOf(notedAt)} and ${timeOf(until)} is missing (people, keys, projects, configurations, experiments, assignments), and keys that were revoked in that time are valid again`
})

export const strangerSetAside = ({ kind, id, environmentId }: Stranger): Repair => ({
  kind: "setAside",
  environmentId,
  text:
    kind === "environment"
      ? `events.sqlite holds environment ${id}, which metadata.sqlite has never seen: it is set aside, shown to nobody and kept until a metadata.sqlite that knows it is put back`
      : `events.sqlite holds members of cohort ${id}, which metadata.sqlite has never seen: they are set aside and belong to no cohort`
})

const repaired = (environmentId: number | null, text: string): Repair => ({ kind: "repaired", environmentId, text })

export const liftedCounters = (counters: RepairPlan["counters"]): Repair =>
  repaired(
    null,
    `ids that were given before are not given again: ${counters.map(([name, id]) => `${name} go on after ${id}`).join(", ")}`
  )

export const forgottenExposures = (environmentId: number, count: number): Repair =>
  repaired(
    environmentId,
    `${counted(count, "unit", "units")} of environment ${environmentId} will be exposed again, because the record of it is not in events.sqlite`
  )

export const reassignedUnits = (count: number): Repair =>
  repaired(null, `${counted(count, "unit", "units")} got back the group that events.sqlite says they were exposed to`)

/** `file` names the file whose copy was older than the erasures. */
export const erasedAgain = (environmentId: number, count: number, file: string): Repair =>
  repaired(
    environmentId,
    `${counted(count, "player", "players")} of environment ${environmentId}, erased after the copy of ${file} was made, were erased from it again`
  )

export const unerased = (environmentId: number, count: number): Repair => ({
  kind: "lost",
  environmentId,
  text: `${counted(count, "erasure", "erasures")} of environment ${environmentId} could not be done again in events.sqlite: the log says why, and the next start tries again`
})

export const unreadExposures: Repair = {
  kind: "lost",
  environmentId: null,
  text: "exposures could not be read from events.sqlite, so that players of experiments may change their groups: the log says why"
}

export const removedLeftover = ({ id, environmentId }: Stranger): Repair =>
  repaired(environmentId, `members of the removed cohort ${id} of environment ${environmentId} were removed`)

export const recountedCohort = ({
  id,
  environmentId,
  kind,
  recorded,
  memberCount
}: RepairPlan["cohorts"][number]): Repair => ({
  kind: kind === "static" && memberCount < recorded ? "lost" : "repaired",
  environmentId,
  text: `cohort ${id} of environment ${environmentId} has ${counted(memberCount, "member", "members")} in events.sqlite, not ${recorded}: ${
    kind === "static" ? "send its list of units again if any are missing" : "it is computed again"
  }`
})

/** The keys of an assignment as `…/assignments` answers it. */
export const assignmentKeys = [
  "assignedAt",
  "assignmentVersion",
  "automaticGroupId",
  "distinctId",
  "firstExposedAt",
  "groupId",
  "overrideGroupId",
  "source",
  "status",
  "unitType"
]

export const evenly = (weights: ReadonlyArray<number>) => weights.map((weight, at) => ({ name: `g${at}`, weight }))

export interface Told {
  readonly experimentId: number
  readonly groupId: number
  readonly status: string
}

export const groupsTold = (assignments: Record<string, ReadonlyArray<Told>>, experimentId: number) =>
  Object.fromEntries(
    Object.entries(assignments).flatMap(([unit, all]) =>
      all.filter((each) => each.experimentId === experimentId).map((each) => [unit, each.groupId] as const)
    )
  )

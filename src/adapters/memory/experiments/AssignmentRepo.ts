import { Effect, Layer, Option } from "effect"
import { byCodePoint } from "../../../domain/CodePointOrder.ts"
import { groupIn, type StoredAssignment } from "../../../domain/experiments/StoredAssignment.ts"
import type { EnvironmentId, ExperimentId } from "../../../domain/Ids.ts"
import { type AssignmentFilter, AssignmentRepo, type GroupTotal } from "../../../ports/experiments/AssignmentRepo.ts"
import { MemoryDb } from "../MemoryDb.ts"

const lowered = (text: string): string => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase())

const passes = (assignment: StoredAssignment, { search, source, status, groupId }: AssignmentFilter): boolean =>
  (search === null || lowered(assignment.distinctId).includes(lowered(search))) &&
  (source === null || assignment.source === source) &&
  (status === null || assignment.status === status) &&
  (groupId === null || groupIn(assignment) === groupId)

export const AssignmentRepoMemory = Layer.effect(
  AssignmentRepo,
  Effect.map(MemoryDb, ({ access, assignments }) => {
    const isOf =
      (environmentId: EnvironmentId, experimentId: ExperimentId, distinctId: string) =>
      (each: StoredAssignment & { readonly environmentId: EnvironmentId }) =>
        each.environmentId === environmentId && each.experimentId === experimentId && each.distinctId === distinctId
    const find = (environmentId: EnvironmentId, experimentId: ExperimentId, distinctId: string) =>
      assignments.rows.find(isOf(environmentId, experimentId, distinctId))
    const bare = ({ environmentId: _, ...assignment }: StoredAssignment & { readonly environmentId: EnvironmentId }) =>
      assignment
    const put = (environmentId: EnvironmentId, assignment: StoredAssignment) => {
      if (groupIn(assignment) === null) return
      assignments.remove(isOf(environmentId, assignment.experimentId, assignment.distinctId))
      assignments.insert({ environmentId, ...assignment })
    }
    return AssignmentRepo.of({
      ofUnits: (environmentId, unitType, distinctIds) =>
        access(() =>
          assignments.rows
            .filter(
              (each) =>
                each.environmentId === environmentId &&
                each.unitType === unitType &&
                distinctIds.includes(each.distinctId)
            )
            .toSorted((a, b) => byCodePoint(a.distinctId, b.distinctId) || a.experimentId - b.experimentId)
            .map(bare)
        ),
      find: (environmentId, experimentId, distinctId) =>
        access(() => Option.map(Option.fromNullable(find(environmentId, experimentId, distinctId)), bare)),
      enrol: (environmentId, wanted) =>
        access(() =>
          wanted.flatMap((assignment) => {
            const kept = find(environmentId, assignment.experimentId, assignment.distinctId)
            if (kept !== undefined) return [bare(kept)]
            put(environmentId, assignment)
            return groupIn(assignment) === null ? [] : [assignment]
          })
        ),
      put: (environmentId, wanted) => access(() => wanted.forEach((assignment) => put(environmentId, assignment))),
      remove: (environmentId, experimentId, distinctId) =>
        access(() => assignments.remove(isOf(environmentId, experimentId, distinctId))),
      page: (experimentId, filter, offset, limit) =>
        access(() => {
          const found = assignments.rows
            .filter((each) => each.experimentId === experimentId && passes(each, filter))
            .toSorted((a, b) => b.assignedAt - a.assignedAt || byCodePoint(a.distinctId, b.distinctId))
          return { items: found.slice(offset, offset + limit).map(bare), total: found.length }
        }),
      totals: (experimentId) =>
        access(() => {
          const totals: Array<{ -readonly [Key in keyof GroupTotal]: GroupTotal[Key] }> = []
          for (const assignment of assignments.rows) {
            const groupId = groupIn(assignment)
            if (assignment.experimentId !== experimentId || groupId === null) continue
            const { status } = assignment
            const known = totals.find((each) => each.groupId === groupId && each.status === status)
            if (known === undefined) totals.push({ groupId, status, count: 1 })
            else known.count++
          }
          return totals.toSorted((a, b) => a.groupId - b.groupId || byCodePoint(a.status, b.status))
        }),
      counts: (environmentId) =>
        access(() => {
          const counts = new Map<ExperimentId, number>()
          for (const each of assignments.rows)
            if (each.environmentId === environmentId)
              counts.set(each.experimentId, (counts.get(each.experimentId) ?? 0) + 1)
          return [...counts].sort(([a], [b]) => a - b).map(([experimentId, count]) => ({ experimentId, count }))
        }),
      eraseUnit: (environmentId, distinctId) =>
        access(() => {
          const before = assignments.rows.length
          assignments.remove((each) => each.environmentId === environmentId && each.distinctId === distinctId)
          return before - assignments.rows.length
        })
    })
  })
)

import { Effect, Layer } from "effect"
import { exposuresOf } from "../../../domain/experiments/EnrolmentExposures.ts"
import { groupIn, type StoredAssignment } from "../../../domain/experiments/StoredAssignment.ts"
import type { StoredExperiment } from "../../../domain/experiments/StoredExperiment.ts"
import type { EnvironmentId, ExperimentGroupId } from "../../../domain/Ids.ts"
import { AssignmentRepo } from "../../../ports/experiments/AssignmentRepo.ts"
import { type EnrolmentBatch, EnrolmentRepo } from "../../../ports/experiments/EnrolmentRepo.ts"
import { plainEnrolments } from "../../local/PlainEnrolments.ts"
import { OneStep, type StepStatement } from "../OneStep.ts"
import { RowGuard } from "../sums/RowGuard.ts"
import { assignments as summed } from "../sums/SummedTables.ts"
import { trustedRows } from "../Trusted.ts"
import { openRevisions } from "./OpenRevisions.ts"
import { type CountedRow, countInserted } from "./AssignmentTotals.ts"
import { noteUnits } from "./UnmarkedUnits.ts"

const revisions = openRevisions("?")

const insert = `insert into assignments (environment_id, group_id, experiment_id, unit_type, distinct_id, automatic_group_id,
  override_group_id, status, source, version, assigned_at, first_exposed_at, row_sum)
  values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) on conflict (environment_id, distinct_id, experiment_id) do nothing`

/** The assignments of a batch that are stored now; null where an experiment has been written since. */
type Stored = ReadonlySet<StoredAssignment> | null

type Statements = (sql: string) => StepStatement

/** Named one by one, so that all rows have one shape, of which the engine reads columns at once. */
const rowOf = (environmentId: EnvironmentId, groupId: ExperimentGroupId, assignment: StoredAssignment) => ({
  environmentId,
  groupId,
  experimentId: assignment.experimentId,
  unitType: assignment.unitType,
  distinctId: assignment.distinctId,
  automaticGroupId: assignment.automaticGroupId,
  overrideGroupId: assignment.overrideGroupId,
  status: assignment.status,
  source: assignment.source,
  version: assignment.version,
  assignedAt: assignment.assignedAt,
  firstExposedAt: assignment.firstExposedAt
})

/** In the order of the columns that are inserted. */
const valuesOf = (row: ReturnType<typeof rowOf>, rowSum: number | undefined): ReadonlyArray<unknown> => [
  row.environmentId,
  row.groupId,
  row.experimentId,
  row.unitType,
  row.distinctId,
  row.automaticGroupId,
  row.overrideGroupId,
  row.status,
  row.source,
  row.version,
  row.assignedAt,
  row.firstExposedAt,
  rowSum
]

/** One row a statement: a statement of many rows costs a quarter more. */
const store = ({ sumOf }: RowGuard["Type"], statement: Statements, batch: EnrolmentBatch): Stored => {
  const { environmentId, assignments } = batch
  const open = trustedRows<Pick<StoredExperiment, "id" | "revision">>(statement(revisions).all([environmentId]))
  const present = new Map(open.map(({ id, revision }) => [id, revision]))
  for (const [id, revision] of batch.revisions) if (present.get(id) !== revision) return null
  const inserting = statement(insert)
  const stored = new Set<StoredAssignment>()
  const inserted: Array<CountedRow> = []
  for (const assignment of assignments) {
    const groupId = groupIn(assignment)
    if (groupId === null) continue
    const row = rowOf(environmentId, groupId, assignment)
    const { rowSum } = sumOf(summed, row)
    if (inserting.change(valuesOf(row, rowSum)) === 0) continue
    stored.add(assignment)
    inserted.push(row)
  }
  countInserted(statement, inserted)
  noteUnits(statement, exposuresOf(environmentId, [...stored]))
  return stored
}

const keyOf = ({ experimentId, distinctId }: StoredAssignment): string => `${experimentId} ${distinctId}`

export const EnrolmentRepoSql = Layer.effect(
  EnrolmentRepo,
  Effect.gen(function* () {
    const step = yield* OneStep
    if (step === null) return yield* plainEnrolments
    const guard = yield* RowGuard
    const repo = yield* AssignmentRepo

    /** What is stored for the assignments of a batch, of which all are new, which is the rule, or some had been stored by then. */
    const keptOf = Effect.fnUntraced(function* ({ environmentId, assignments }: EnrolmentBatch, stored: Stored) {
      if (stored === null) return null
      if (stored.size === assignments.length) return assignments
      const others = assignments.filter((each) => !stored.has(each))
      const found = new Map<string, StoredAssignment>()
      for (const unitType of new Set(others.map((each) => each.unitType))) {
        const distinctIds = [...new Set(others.map(({ distinctId }) => distinctId))]
        for (const each of yield* repo.ofUnits(environmentId, unitType, distinctIds)) found.set(keyOf(each), each)
      }
      return assignments.flatMap((each) => (stored.has(each) ? [each] : (found.get(keyOf(each)) ?? [])))
    })

    return EnrolmentRepo.of({
      enrolAll: (batches) =>
        Effect.flatMap(
          Effect.orDie(step.transact((statement) => batches.map((batch) => store(guard, statement, batch)))),
          (stored) =>
            batches.every(({ assignments }, at) => stored[at]?.size === assignments.length)
              ? Effect.succeed(batches.map(({ assignments }) => assignments))
              : Effect.forEach(batches, (batch, at) => keptOf(batch, stored[at] ?? null))
        )
    })
  })
)

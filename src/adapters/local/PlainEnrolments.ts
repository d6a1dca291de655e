import { Effect } from "effect"
import { exposuresOf } from "../../domain/experiments/EnrolmentExposures.ts"
import { AssignmentRepo } from "../../ports/experiments/AssignmentRepo.ts"
import type { EnrolmentBatch, EnrolmentRepo } from "../../ports/experiments/EnrolmentRepo.ts"
import { ExperimentRepo } from "../../ports/experiments/ExperimentRepo.ts"
import { ExposureRepo } from "../../ports/experiments/ExposureRepo.ts"
import { Transaction } from "../../ports/operations/Transaction.ts"

/** Enrolments over the ports of what they consist of, for stores that gain nothing by a way of their own. */
export const plainEnrolments = Effect.gen(function* () {
  const assignments = yield* AssignmentRepo
  const experiments = yield* ExperimentRepo
  const exposures = yield* ExposureRepo
  const transaction = yield* Transaction

  const enrol = Effect.fnUntraced(function* ({ environmentId, revisions, assignments: wanted }: EnrolmentBatch) {
    const present = yield* experiments.revisions(environmentId)
    if ([...revisions].some(([id, revision]) => present.get(id) !== revision)) return null
    const isNew = new Set(wanted)
    const kept = yield* assignments.enrol(environmentId, wanted)
    const noted = exposuresOf(
      environmentId,
      kept.filter((each) => isNew.has(each))
    )
    if (noted.length > 0) yield* exposures.note(noted)
    return kept
  })

  return {
    enrolAll: (batches, locks) => transaction.run(Effect.forEach(batches, enrol), locks)
  } satisfies EnrolmentRepo["Type"]
})

import { Effect, Option } from "effect"
import { ReferenceInvalid } from "../../schema/AnalyticsErrors.ts"
import type { Answers } from "../domain/analytics/Question.ts"
import { ReferenceList, type ReferringKind, rewritten } from "../domain/analytics/References.ts"
import type { EnvironmentId, ExperimentGroupId, ExperimentId } from "../domain/Ids.ts"
import { CohortRepo } from "../ports/CohortRepo.ts"

const missing = (what: string, id: number) =>
  Effect.fail(new ReferenceInvalid({ message: `There is no ${what} ${id} in this environment` }))

/** The cohorts and experiments that questions name. Asks for no permission: its callers do. */
export class References extends Effect.Service<References>()("services/References", {
  effect: Effect.gen(function* () {
    const cohorts = yield* CohortRepo

    const groupsOf = Effect.fnUntraced(function* (_environmentId: EnvironmentId, _id: ExperimentId) {
      return yield* Effect.succeed(Option.none<ReadonlySet<ExperimentGroupId>>())
    })

    /** Refuses a plan that names a cohort, experiment or group which the environment does not have. */
    const check = Effect.fn("References.check")(function* <Kind extends ReferringKind>(
      environmentId: EnvironmentId,
      kind: Kind,
      plan: Answers[Kind]["plan"]
    ) {
      const list = new ReferenceList()
      rewritten[kind](plan, list.collecting)
      for (const id of list.cohorts)
        if (Option.isNone(yield* cohorts.find(environmentId, id))) yield* missing("cohort", id)
      for (const [id, named] of list.experiments) {
        const groups = yield* groupsOf(environmentId, id)
        if (Option.isNone(groups)) return yield* missing("experiment", id)
        for (const group of named) if (!groups.value.has(group)) yield* missing(`group of experiment ${id}:`, group)
      }
    })

    return { check } as const
  })
}) {}

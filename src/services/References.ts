import { Effect, Option } from "effect"
import { ReferenceInvalid } from "../../schema/AnalyticsErrors.ts"
import type { Answers } from "../domain/analytics/Question.ts"
import { ReferenceList, type ReferringKind, rewritten } from "../domain/analytics/References.ts"
import type { EnvironmentId } from "../domain/Ids.ts"
import { CohortRepo } from "../ports/CohortRepo.ts"
import { CohortUsers } from "./CohortUsers.ts"

const missing = (what: string, id: number) =>
  Effect.fail(new ReferenceInvalid({ message: `There is no ${what} ${id} in this environment` }))

/** The cohorts and experiments that questions name. Asks for no permission: its callers do. */
export class References extends Effect.Service<References>()("services/References", {
  effect: Effect.gen(function* () {
    const cohorts = yield* CohortRepo

    const users = yield* CohortUsers

    /** Refuses a cohort, experiment or group which the environment does not have. */
    const demand = Effect.fn("References.demand")(function* (environmentId: EnvironmentId, list: ReferenceList) {
      for (const id of list.cohorts)
        if (Option.isNone(yield* cohorts.find(environmentId, id))) return yield* missing("cohort", id)
      for (const [id, named] of list.experiments) {
        const groups = yield* users.groups(environmentId, id)
        if (Option.isNone(groups)) return yield* missing("experiment", id)
        const foreign = [...named].find((group) => !groups.value.includes(group))
        if (foreign !== undefined) return yield* missing(`group of experiment ${id}:`, foreign)
      }
    })

    /** Refuses a plan that names a cohort, experiment or group which the environment does not have. */
    const check = Effect.fn("References.check")(function* <Kind extends ReferringKind>(
      environmentId: EnvironmentId,
      kind: Kind,
      plan: Answers[Kind]["plan"]
    ) {
      const list = new ReferenceList()
      rewritten[kind](plan, list.collecting)
      yield* demand(environmentId, list)
    })

    return { check, demand } as const
  })
}) {}

import { Effect, Schema } from "effect"
import type { CohortUsage } from "../../../schema/cohorts/Cohorts.ts"
import type { SavedQuery, SavedQueryPlace } from "../../domain/analytics/question/SavedQuery.ts"
import { everySavedQuery } from "../../domain/analytics/question/SavedQuery.ts"
import { namesCohort } from "../../domain/cohorts/CohortUse.ts"
import type { ApplicationId, CohortId, EnvironmentId } from "../../domain/Ids.ts"
import { CohortRepo } from "../../ports/cohorts/CohortRepo.ts"
import { SavedQueryRepo } from "../../ports/analytics/SavedQueryRepo.ts"
import { Cohorts } from "./Cohorts.ts"
import { CohortUsers } from "./CohortUsers.ts"

const atATime = 500

const parse = Schema.decode(Schema.parseJson())

/** Who uses a cohort, and how its members came and went. */
export class CohortUsages extends Effect.Service<CohortUsages>()("services/cohorts/CohortUsages", {
  effect: Effect.gen(function* () {
    const cohorts = yield* Cohorts
    const repo = yield* CohortRepo
    const queries = yield* SavedQueryRepo
    const users = yield* CohortUsers

    const everyQuery = Effect.fnUntraced(function* (applicationId: ApplicationId) {
      const all: Array<SavedQuery> = []
      let after: SavedQueryPlace | null = null
      do {
        const page: ReadonlyArray<SavedQuery> = yield* queries.list(applicationId, everySavedQuery, after, atATime)
        all.push(...page)
        after = page.length < atATime ? null : (page.at(-1) ?? null)
      } while (after !== null)
      return all
    })

    const queriesNaming = Effect.fnUntraced(function* (applicationId: ApplicationId, cohortId: CohortId) {
      const naming = yield* Effect.filter(yield* everyQuery(applicationId), ({ definition }) =>
        Effect.map(Effect.orDie(parse(definition)), (query) => namesCohort(query, cohortId))
      )
      return naming.map(({ id, name }) => ({ id, name }))
    })

    const of = Effect.fn("CohortUsages.of")(function* (
      where: { readonly applicationId: ApplicationId; readonly environmentId: EnvironmentId },
      id: CohortId
    ) {
      const { applicationId, environmentId } = yield* cohorts.found(where, id)
      return {
        experiments: yield* users.targeting(environmentId, id),
        queries: yield* queriesNaming(applicationId, id),
        history: yield* repo.runs(id)
      } satisfies CohortUsage
    })

    return { of } as const
  })
}) {}

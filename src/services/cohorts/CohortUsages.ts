import { Clock, DateTime, Effect, Option } from "effect"
import type { CohortUsage, CohortUse } from "../../../schema/cohorts/CohortUsage.ts"
import type { SavedQuery, SavedQueryPlace } from "../../domain/analytics/question/SavedQuery.ts"
import { everySavedQuery } from "../../domain/analytics/question/SavedQuery.ts"
import { lastDays } from "../../domain/analytics/time/LastDays.ts"
import { dailySizes } from "../../domain/cohorts/DailySizes.ts"
import type { ApplicationId, CohortId, EnvironmentId } from "../../domain/Ids.ts"
import { zoneNamed } from "../../domain/Zone.ts"
import { CohortRepo } from "../../ports/cohorts/CohortRepo.ts"
import { SavedQueryRepo } from "../../ports/analytics/SavedQueryRepo.ts"
import { nextTurn } from "../../ports/operations/NextTurn.ts"
import { Policy } from "../access/Policy.ts"
import type { Where } from "../Where.ts"
import { Cohorts } from "./Cohorts.ts"
import { CohortUsers, namedIn } from "./CohortUsers.ts"

/** Saved queries that are read at once: each may have a megabyte. */
const atATime = 20

interface NamingQuery extends Pick<SavedQuery, "id" | "name"> {
  readonly cohorts: ReadonlySet<unknown>
}

const toldDays = 90

/** Who uses a cohort, and how its members came and went. */
export class CohortUsages extends Effect.Service<CohortUsages>()("services/cohorts/CohortUsages", {
  effect: Effect.gen(function* () {
    const cohorts = yield* Cohorts
    const policy = yield* Policy
    const repo = yield* CohortRepo
    const queries = yield* SavedQueryRepo
    const users = yield* CohortUsers

    /** Finds the saved queries that name a cohort, among those that the project has now. Of each it keeps what is told of it alone. */
    const queryFinder = Effect.fnUntraced(function* (applicationId: ApplicationId) {
      const all: Array<NamingQuery> = []
      let after: SavedQueryPlace | null = null
      do {
        const page: ReadonlyArray<SavedQuery> = yield* queries.list(applicationId, everySavedQuery, after, atATime)
        for (const { id, name, definition } of page) all.push({ id, name, cohorts: yield* namedIn(definition) })
        after = page.length < atATime ? null : (page.at(-1) ?? null)
      } while (after !== null)
      return (cohortId: CohortId) =>
        all.filter(({ cohorts }) => cohorts.has(cohortId)).map(({ id, name }) => ({ id, name }))
    })

    const of = Effect.fnUntraced(function* (
      where: { readonly applicationId: ApplicationId; readonly environmentId: EnvironmentId },
      id: CohortId
    ) {
      const { applicationId, environmentId } = yield* cohorts.found(where, id)
      return {
        ...(yield* users.finder(environmentId))(id),
        queries: (yield* queryFinder(applicationId))(id),
        history: yield* repo.runs(id)
      } satisfies CohortUsage
    })

    /** The same of every cohort of the environment, with its sizes day by day in place of its history. */
    const every = Effect.fnUntraced(function* (where: Where) {
      const { application, environment } = yield* policy.environment(
        "cohorts:read",
        where.applicationId,
        where.environmentId
      )
      const now = yield* Clock.currentTimeMillis
      const starts = Option.match(zoneNamed(application.timezone), {
        onNone: () => [],
        onSome: (zone) => lastDays(zone, now, toldDays)
      })
      const experimentsOf = yield* users.finder(environment.id)
      const queriesOf = yield* queryFinder(application.id)
      return yield* Effect.forEach(yield* repo.list(environment.id), ({ id }) =>
        Effect.gen(function* () {
          const runs = yield* repo.runs(id)
          // A history has up to 1,000 runs: other requests are answered between two cohorts.
          yield* nextTurn
          const sizes = runs.map(({ at, memberCount }) => ({ at: DateTime.toEpochMillis(at), memberCount }))
          return {
            id,
            ...experimentsOf(id),
            queries: queriesOf(id),
            perDay90: dailySizes(sizes, starts)
          } satisfies CohortUse
        })
      )
    })

    return { of, every } as const
  })
}) {}

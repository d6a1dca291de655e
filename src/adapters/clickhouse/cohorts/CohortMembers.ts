import { Clock, Effect } from "effect"
import type { SqlError } from "@effect/sql/SqlError"
import { CohortId } from "../../../domain/Ids.ts"
import type { CohortPlan } from "../../../domain/cohorts/CohortPlan.ts"
import type { NoAnswer } from "../../../ports/analytics/EventStore.ts"
import { type Generation, type MembersPage, MembersOvertaken } from "../../../ports/cohorts/CohortMembers.ts"
import { Turns } from "../../../ports/operations/Turns.ts"
import { unavailableOr } from "../../postgres/Failures.ts"
import { makeCohortGenerations } from "../../postgres/analytics/CohortGenerations.ts"
import type { EventLog } from "../../postgres/analytics/EventLog.ts"
import type { MarkerAnswers, MarkerProblem } from "../questions/MarkerAnswers.ts"
import type { Scene } from "../questions/SceneMarkers.ts"
import { membersOf } from "../questions/Members.ts"
import { changeFailed, unanswered, undone } from "../analytics/Problems.ts"
import { ClickHouse, type ClickHouseProblem } from "../ClickHouse.ts"
import { makeStays } from "./Stays.ts"

/** The state of an environment that a plan, with its references, is asked of. */
type SceneOf = (environment: number, now: number, plan: unknown) => Effect.Effect<Scene, ClickHouseProblem>

/** The units that are to be members, and what that rests on. */
interface Wanted {
  readonly units: ReadonlySet<string>
  readonly highestSequence: number
  readonly rowsScanned: number
}

const refused = { ClickHouseRefused: unanswered, ClickHouseSilent: unanswered, SqlError: unavailableOr }
const notStored = { ClickHouseRefused: changeFailed, ClickHouseSilent: changeFailed, SqlError: unavailableOr }
const written = { ClickHouseRefused: undone, ClickHouseSilent: undone, SqlError: unavailableOr }

const reached = <A, R>(statement: Effect.Effect<A, SqlError, R>) =>
  Effect.catchTag(statement, "SqlError", unavailableOr)

const answered = <A>(asked: Effect.Effect<A, MarkerProblem | SqlError>) => Effect.catchTags(asked, refused)

/**
 * Members of cohorts: ClickHouse has the stays, PostgreSQL says which generation counts. A generation is announced before its rows are
 * written, so that rows of one that was not finished are known and removed by the next.
 */
export const cohortMembersClickHouse = (log: EventLog, { units: unitsOf }: MarkerAnswers, sceneOf: SceneOf) =>
  Effect.gen(function* () {
    const clickhouse = yield* ClickHouse
    const turns = yield* Turns
    const stays = yield* makeStays
    const generations = yield* makeCohortGenerations

    const inTurn = <A, E, R>(environment: number, cohort: number, effect: Effect.Effect<A, E, R>) =>
      turns.alone(`members of ${environment} ${cohort}`, effect)

    const computed = (environment: number, plan: CohortPlan) =>
      Effect.gen(function* () {
        const scene = yield* sceneOf(environment, yield* Clock.currentTimeMillis, plan)
        const found = yield* unitsOf(scene, plan)
        const wanted: Wanted = { ...found, highestSequence: scene.highest }
        return wanted
      })

    /** None when markers were removed since `removals` was read: then it leaves nothing, for a unit that was erased would come back. */
    const swap = (environment: number, cohort: number, { units, ...found }: Wanted, now: number, removals: number) =>
      Effect.gen(function* () {
        const { at: latest, pending } = yield* generations.head(environment, cohort)
        if (pending !== null || latest === null) yield* stays.removeAfter(environment, cohort, latest)
        const known = yield* membersOf(environment, new Map(latest === null ? [] : [[cohort, latest]]))
        const before = known.get(cohort) ?? new Set()
        const at = latest === null ? now : Math.max(now, latest + 1)
        const come = [...units].filter((unit) => !before.has(unit))
        const gone = [...before].filter((unit) => !units.has(unit))
        yield* generations.begin(environment, cohort, at)
        yield* stays.add(environment, cohort, at, come, gone)
        if ((yield* log.head(environment)).removals !== removals) {
          yield* stays.removeAfter(environment, cohort, latest)
          return null
        }
        yield* generations.finish(environment, cohort, at, come.length + gone.length > 0)
        const generation: Generation = {
          at,
          memberCount: units.size,
          entered: come.length,
          left: gone.length,
          ...found
        }
        return generation
      }).pipe(Effect.provideService(ClickHouse, clickhouse), Effect.catchTags(notStored), Effect.uninterruptible)

    /** None when markers were removed since the members were computed. */
    const attempt = (
      environment: number,
      cohort: number,
      plan: CohortPlan,
      now: number,
      isCurrent: Effect.Effect<boolean>
    ) =>
      Effect.gen(function* () {
        const { removals } = yield* reached(log.head(environment))
        const wanted = yield* answered(computed(environment, plan))
        if ((yield* reached(log.head(environment))).removals !== removals) return null
        if (!(yield* isCurrent)) return yield* new MembersOvertaken()
        return yield* swap(environment, cohort, wanted, now, removals)
      })

    const recompute = (
      environmentId: number,
      cohortId: CohortId,
      plan: CohortPlan,
      now: number,
      isCurrent: Effect.Effect<boolean> = Effect.succeed(true)
    ) =>
      Effect.gen(function* () {
        for (;;) {
          const generation = yield* attempt(environmentId, cohortId, plan, now, isCurrent)
          if (generation !== null) return generation
        }
      }).pipe((change) => inTurn(environmentId, cohortId, change))

    const replace = (environmentId: number, cohortId: CohortId, unitIds: ReadonlyArray<string>, now: number) =>
      Effect.flatMap(reached(log.head(environmentId)), ({ highest: highestSequence, removals }) =>
        swap(environmentId, cohortId, { units: new Set(unitIds), highestSequence, rowsScanned: 0 }, now, removals)
      ).pipe(Effect.repeat({ until: (generation) => generation !== null }), (change) =>
        inTurn(environmentId, cohortId, change)
      )

    const evaluate = (environmentId: number, plan: CohortPlan, limit: number) =>
      Effect.map(answered(computed(environmentId, plan)), ({ units, ...found }) => ({
        count: units.size,
        sample: [...units].sort().slice(0, limit),
        ...found
      }))

    /** The cohort's latest generation that counts, or as of an instant the moment itself where it is earlier. */
    const asOf = (environment: number, cohort: number, at: number | null) =>
      Effect.map(generations.head(environment, cohort), ({ at: latest }) =>
        latest === null ? new Map<number, number>() : new Map([[cohort, Math.min(latest, at ?? Infinity)]])
      )

    const reading = <A>(
      environment: number,
      cohort: number,
      at: number | null,
      read: (known: ReadonlyMap<number, number>) => Effect.Effect<A, ClickHouseProblem>
    ): Effect.Effect<A, NoAnswer> => answered(Effect.flatMap(asOf(environment, cohort, at), read))

    const members = (environmentId: number, cohortId: CohortId, page: MembersPage) =>
      reading(environmentId, cohortId, page.at, (known) => stays.members(environmentId, known, page))

    const count = (environmentId: number, cohortId: CohortId, at: number | null) =>
      reading(environmentId, cohortId, at, (known) => stays.count(environmentId, known))

    const membership = (environmentId: number, cohortId: CohortId, unitIds: ReadonlyArray<string>, at: number | null) =>
      reading(environmentId, cohortId, at, (known) => stays.staysOf(environmentId, known, unitIds))

    const ofUnit = (environmentId: number, unitId: string) =>
      answered(
        Effect.flatMap(log.generations(environmentId), (known) => stays.cohortsOf(environmentId, known, unitId))
      ).pipe(
        Effect.map((found) => found.map(([cohort, enteredAt]) => ({ cohortId: CohortId.make(cohort), enteredAt })))
      )

    const remove = (environmentId: number, cohortId: CohortId) =>
      Effect.zipRight(
        generations.remove(environmentId, cohortId),
        stays.removeAfter(environmentId, cohortId, null)
      ).pipe(Effect.catchTags(written), Effect.uninterruptible, (change) => inTurn(environmentId, cohortId, change))

    return { recompute, evaluate, replace, members, count, membership, ofUnit, remove }
  })

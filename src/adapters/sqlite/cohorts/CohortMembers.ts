import { Effect } from "effect"
import type { CohortPlan } from "../../../domain/cohorts/CohortPlan.ts"
import type { CohortId } from "../../../domain/Ids.ts"
import { type Generation, type MembersPage, MembersOvertaken } from "../../../ports/cohorts/CohortMembers.ts"
import { StoreDamaged, type StoreFull, type StoreOverloaded } from "../../../ports/analytics/EventStore.ts"
import { makeTurns } from "../../local/Turns.ts"
import { type MemberChange, packNames } from "../events/cohorts/CohortQuestion.ts"
import type { Events } from "../events/Events.ts"
import { failed, readingOf, type ReadingOptions, unstored } from "../operations/StoreReading.ts"

/**
 * Applies a change of members. Answers false when the members are no longer those that the change was computed from.
 * Uninterruptible, since the writer cannot withdraw it.
 */
const swap = (events: Events, environmentId: number, change: MemberChange) =>
  Effect.async<boolean, StoreOverloaded | StoreFull>((resume) =>
    events.swapMembers(environmentId, change, (outcome) => {
      const isStored = outcome._tag === "Stored"
      return resume(isStored || outcome._tag === "Stale" ? Effect.succeed(isStored) : unstored(outcome))
    })
  ).pipe(Effect.uninterruptible)

/** Cohort members in the event file: readers compute them, the writer stores them. */
export const cohortMembersSqlite = (events: Events, reading: ReadingOptions) => {
  const read = readingOf(events, reading)
  const { alone } = makeTurns()

  const inTurn =
    (environmentId: number, cohortId: CohortId) =>
    <A, E, R>(change: Effect.Effect<A, E, R>) =>
      alone(`${environmentId} ${cohortId}`, change)

  const attempt = Effect.fnUntraced(function* (
    environmentId: number,
    cohortId: CohortId,
    wanted: CohortPlan | Uint8Array,
    now: number,
    isCurrent: Effect.Effect<boolean>
  ) {
    yield* Effect.async<void>((resume) => events.whenNobodyIsErased(environmentId, () => resume(Effect.void)))
    const { removals } = events.version(environmentId, now)
    const { answer, meta } = yield* read(environmentId, { kind: "cohortChange", plan: { cohortId, wanted, now } })
    if (meta.incomplete !== null && !(wanted instanceof Uint8Array)) return yield* new StoreDamaged()
    if (!(yield* isCurrent)) return yield* new MembersOvertaken()
    // Asked last: an erasure that the writer gets from here on comes after the change, and removes what it brings.
    if (events.version(environmentId, now).removals !== removals) return null
    if (!(yield* swap(events, environmentId, answer))) return null
    const { at, memberCount, entered, nameCount, left } = answer
    const { rowsScanned, highestSequence } = meta
    const counts = { memberCount, entered: entered.length + nameCount, left: left.length }
    return { at, ...counts, highestSequence, rowsScanned } satisfies Generation
  })

  const change = (
    environmentId: number,
    cohortId: CohortId,
    wanted: CohortPlan | Uint8Array,
    now: number,
    isCurrent: Effect.Effect<boolean> = Effect.succeed(true)
  ) =>
    attempt(environmentId, cohortId, wanted, now, isCurrent).pipe(
      Effect.repeat({ until: (generation) => generation !== null }),
      inTurn(environmentId, cohortId)
    )

  const recompute = change

  const replace = (environmentId: number, cohortId: CohortId, unitIds: ReadonlyArray<string>, now: number) =>
    Effect.catchTag(change(environmentId, cohortId, packNames(unitIds), now), "MembersOvertaken", Effect.die)

  const evaluate = (environmentId: number, plan: CohortPlan, limit: number) =>
    Effect.flatMap(
      read(environmentId, { kind: "cohortUnits", plan: { plan, limit } }),
      ({ answer, meta: { highestSequence, rowsScanned, incomplete } }) =>
        incomplete === null ? Effect.succeed({ ...answer, highestSequence, rowsScanned }) : new StoreDamaged()
    )

  const members = (environmentId: number, cohortId: CohortId, page: MembersPage) =>
    Effect.map(read(environmentId, { kind: "cohortMembers", plan: { cohortId, ...page } }), ({ answer }) => answer)

  const count = (environmentId: number, cohortId: CohortId, at: number | null) =>
    Effect.map(read(environmentId, { kind: "cohortCount", plan: { cohortId, at } }), ({ answer }) => answer)

  const membership = (environmentId: number, cohortId: CohortId, unitIds: ReadonlyArray<string>, at: number | null) =>
    Effect.map(read(environmentId, { kind: "cohortStays", plan: { cohortId, unitIds, at } }), ({ answer }) => answer)

  const ofUnit = (environmentId: number, unitId: string) =>
    Effect.map(read(environmentId, { kind: "cohortsOfUnit", plan: { unitId } }), ({ answer }) => answer)

  const remove = (environmentId: number, cohortId: CohortId) =>
    Effect.async<void>((resume) =>
      events.removeMembers(environmentId, cohortId, (failure) =>
        resume(failure === null ? Effect.void : failed(failure))
      )
    ).pipe(Effect.uninterruptible, inTurn(environmentId, cohortId))

  return { recompute, evaluate, replace, members, count, membership, ofUnit, remove }
}

import { DateTime, Effect } from "effect"
import { Principal } from "../../../schema/access/Auth.ts"
import { QueryLimitExceeded } from "../../../schema/analytics/AnalyticsErrors.ts"
import type {
  CohortExecuted,
  CohortMemberPage,
  CohortMembership,
  CohortRecord,
  ExecuteCohort,
  MemberCount
} from "../../../schema/cohorts/Cohorts.ts"
import { type CohortChange, type CohortRequest, largestList } from "../../../schema/cohorts/CohortRequests.ts"
import { ValidationFailed } from "../../../schema/RequestErrors.ts"
import { userOf } from "../../domain/access/Principal.ts"
import type { Permission } from "../../domain/access/Permission.ts"
import type { Cohort } from "../../domain/cohorts/Cohort.ts"
import { memberCursorText, memberPlaceOf } from "../../domain/cohorts/MemberCursor.ts"
import { unitIdText } from "../../domain/cohorts/UnitIds.ts"
import type { CohortId } from "../../domain/Ids.ts"
import { CohortMembers } from "../../ports/cohorts/CohortMembers.ts"
import { CohortRepo } from "../../ports/cohorts/CohortRepo.ts"
import { nextTurn } from "../../ports/operations/NextTurn.ts"
import { CohortDefinitions } from "./CohortDefinitions.ts"
import { CohortWrites } from "./CohortWrites.ts"
import { Policy } from "../access/Policy.ts"
import { answered } from "../analytics/QueryFailure.ts"
import { QueryUsers } from "../analytics/QueryUsers.ts"
import type { Where } from "../Where.ts"

type CohortFromNumber = Extract<CohortRequest, { readonly from: unknown }>

interface Moment {
  readonly at?: DateTime.Utc | undefined
}

interface Paging extends Moment {
  readonly limit: number
  readonly cursor?: string | undefined
}

const placeOf = (cursor: string | undefined, id: CohortId) =>
  cursor === undefined
    ? Effect.succeed(null)
    : Effect.mapError(
        memberPlaceOf(cursor, id),
        () => new ValidationFailed({ message: "cursor: expected the nextCursor of the page before" })
      )

const millis = (at: DateTime.Utc | undefined) => (at === undefined ? null : DateTime.toEpochMillis(at))

const instant = (millis: number | null) => (millis === null ? null : DateTime.unsafeMake(millis))

/** Cohorts of an environment: kept and computed in the background, or asked for once. */
export class Cohorts extends Effect.Service<Cohorts>()("services/cohorts/Cohorts", {
  effect: Effect.gen(function* () {
    const cohorts = yield* CohortRepo
    const members = yield* CohortMembers
    const definitions = yield* CohortDefinitions
    const writes = yield* CohortWrites
    const policy = yield* Policy
    const queryUsers = yield* QueryUsers

    const record = Effect.fnUntraced(function* (cohort: Cohort) {
      const { id, applicationId, environmentId, name, description, kind, definition: text, ...rest } = cohort
      const { status, memberCount, computedAt, error, createdBy, createdAt, updatedAt } = rest
      const named = { id, applicationId, environmentId, name, description, kind }
      const definition = text === null ? null : yield* definitions.decode(text)
      const computation = { status, memberCount, computedAt, error }
      return { ...named, definition, ...computation, createdBy, createdAt, updatedAt } satisfies CohortRecord
    })

    const open = Effect.fnUntraced(function* (permission: Permission, { applicationId, environmentId }: Where) {
      const { environment } = yield* policy.environment(permission, applicationId, environmentId)
      return { applicationId, environmentId: environment.id }
    })

    /** The cohort, where the principal may read it. */
    const found = Effect.fnUntraced(function* (where: Where, id: CohortId) {
      const { environmentId } = yield* open("cohorts:read", where)
      return yield* writes.found(environmentId, id)
    })

    /** Each made in a turn of the event loop of its own: a definition may be long. */
    const list = Effect.fnUntraced(function* (where: Where) {
      const { environmentId } = yield* open("cohorts:read", where)
      const all = yield* cohorts.list(environmentId)
      return yield* Effect.forEach(all, (each) => Effect.zipRight(nextTurn, record(each)))
    })

    const get = Effect.fnUntraced(function* (where: Where, id: CohortId) {
      return yield* record(yield* found(where, id))
    })

    const execute = Effect.fnUntraced(function* (where: Where, { definition, limit }: ExecuteCohort) {
      const { environmentId } = yield* open("cohorts:read", where)
      const { now, plan } = yield* definitions.planSent(environmentId, definition)
      const { count, sample } = yield* answered(members.evaluate(environmentId, plan, limit))
      return { count, sample, asOf: DateTime.unsafeMake(now) } satisfies CohortExecuted
    })

    /** The request with the players behind its number as its list. */
    const listedFrom = Effect.fnUntraced(function* (where: Where, { from, ...request }: CohortFromNumber) {
      const found = yield* queryUsers.everybody(where, from, largestList + 1)
      if (found.length > largestList) {
        const message = `from: more than ${largestList} players, the most that a static cohort may have`
        return yield* Effect.fail(new QueryLimitExceeded({ message }))
      }
      return { ...request, unitIds: found.map(({ unitId }) => unitId) }
    })

    const create = Effect.fnUntraced(function* (where: Where, request: CohortRequest) {
      const place = yield* open("cohorts:write", where)
      const author = { ...place, createdBy: userOf(yield* Principal) }
      const listed = "from" in request ? yield* listedFrom(where, request) : request
      return yield* record(yield* writes.create(author, listed))
    })

    const update = Effect.fnUntraced(function* (where: Where, id: CohortId, request: CohortChange) {
      const { environmentId } = yield* open("cohorts:write", where)
      return yield* record(yield* writes.update(environmentId, id, request))
    })

    const remove = Effect.fnUntraced(function* (where: Where, id: CohortId) {
      const { environmentId } = yield* open("cohorts:write", where)
      yield* writes.remove(environmentId, id)
    })

    const memberCount = Effect.fnUntraced(function* (where: Where, id: CohortId, { at }: Moment) {
      const cohort = yield* found(where, id)
      const { environmentId, computedAt, createdAt } = cohort
      const count = yield* answered(members.count(environmentId, id, millis(at)))
      return { count, asOf: at ?? computedAt ?? createdAt } satisfies MemberCount
    })

    const membersOf = Effect.fnUntraced(function* (where: Where, id: CohortId, paging: Paging) {
      const { environmentId } = yield* found(where, id)
      const { limit, cursor, at } = paging
      const page = { at: millis(at), after: yield* placeOf(cursor, id), limit: limit + 1 }
      const rows = yield* answered(members.members(environmentId, id, page))
      const items = rows.slice(0, limit).map(({ unitId, enteredAt }) => ({
        unitId,
        enteredAt: DateTime.unsafeMake(enteredAt)
      }))
      const last = items.at(-1)
      const isMore = rows.length > limit && last !== undefined
      const nextCursor = isMore ? memberCursorText(last.unitId, id) : null
      return { items, nextCursor } satisfies CohortMemberPage
    })

    const membership = Effect.fnUntraced(function* (
      where: Where,
      id: CohortId,
      { userId, at }: Moment & { readonly userId: string }
    ) {
      const { environmentId } = yield* found(where, id)
      const stays = yield* answered(members.membership(environmentId, id, [unitIdText(userId)], millis(at)))
      const { isMember = false, enteredAt = null, leftAt = null } = stays[0] ?? {}
      const stay = { isMember, enteredAt: instant(enteredAt), leftAt: instant(leftAt) }
      return { userId, ...stay } satisfies CohortMembership
    })

    return { found, list, get, execute, create, update, remove, memberCount, members: membersOf, membership } as const
  })
}) {}

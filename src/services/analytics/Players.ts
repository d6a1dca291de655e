import { Chunk, Clock, DateTime, Effect, Option, Stream } from "effect"
import type { DataDamaged, Overloaded } from "../../../schema/RequestErrors.ts"
import { PlayerNotFound, type QueryTimeout, type TooManyQueries } from "../../../schema/analytics/AnalyticsErrors.ts"
import type { PlayerErased, PlayerRecord, PlayersQuery } from "../../../schema/analytics/Players.ts"
import type { Permission } from "../../domain/access/Permission.ts"
import type { Environment } from "../../domain/access/Organization.ts"
import { unfiltered } from "../../domain/analytics/filter/Filter.ts"
import type { ListingCursor, ListingPlan, QuestionKind, QuestionOf } from "../../domain/analytics/question/Question.ts"
import type { EnvironmentId } from "../../domain/Ids.ts"
import { ClickRepo } from "../../ports/deeplinks/ClickRepo.ts"
import { EventStore } from "../../ports/analytics/EventStore.ts"
import { Erasures } from "../operations/Erasures.ts"
import { rawMarker } from "./Markers.ts"
import { PlayerAssignments } from "./PlayerAssignments.ts"
import { PlayerCohorts } from "./PlayerCohorts.ts"
import { PlayerLists } from "./PlayerLists.ts"
import { Policy } from "../access/Policy.ts"
import { answered, complete, incompleteOf } from "./QueryFailure.ts"
import type { ApplicationWhere } from "../Where.ts"

type NoPage = DataDamaged | QueryTimeout | TooManyQueries | Overloaded

/** Markers shown with a player. */
const recent = 100
const exportedAtOnce = 1000

const listingOf = (unitId: string, limit: number, after: ListingCursor | null): ListingPlan => ({
  range: { from: Number.MIN_SAFE_INTEGER, to: Number.MAX_SAFE_INTEGER },
  types: null,
  unitId,
  filter: unfiltered,
  limit,
  after
})

/** Players: the list of them; of each, what is known of them, all of it, and none of it any more. */
export class Players extends Effect.Service<Players>()("services/analytics/Players", {
  effect: Effect.gen(function* () {
    const assignments = yield* PlayerAssignments
    const clicks = yield* ClickRepo
    const cohorts = yield* PlayerCohorts
    const erasures = yield* Erasures
    const lists = yield* PlayerLists
    const policy = yield* Policy
    const store = yield* EventStore

    const ask = <Kind extends QuestionKind>(environmentId: EnvironmentId, question: QuestionOf<Kind>) =>
      Effect.map(complete(answered(store.ask(environmentId, question))), ({ answer }) => answer)

    const open = (permission: Permission, { applicationId, environmentId }: ApplicationWhere) =>
      Effect.map(policy.environment(permission, applicationId, environmentId), ({ environment }) => environment)

    const missing = (unitId: string) =>
      Effect.fail(new PlayerNotFound({ message: `Nothing is known of player ${unitId} in this environment` }))

    const summaryOf = ({ id }: Environment, unitId: string) => ask<"unit">(id, { kind: "unit", plan: { unitId } })

    /** What can be read of a player, and what cannot. */
    const leftOf = ({ id }: Environment, unitId: string) =>
      answered(store.ask<"unit">(id, { kind: "unit", plan: { unitId } }))

    const profileOf = ({ id }: Environment, unitId: string) => ask<"profile">(id, { kind: "profile", plan: { unitId } })

    const list = Effect.fnUntraced(function* (where: ApplicationWhere, query: PlayersQuery) {
      const { id } = yield* open("players:read", where)
      return yield* lists.page(id, query)
    })

    const get = Effect.fnUntraced(function* (where: ApplicationWhere, unitId: string) {
      const environment = yield* open("players:read", where)
      const summary = yield* summaryOf(environment, unitId)
      if (summary === null) return yield* missing(unitId)
      const listing = yield* ask<"listing">(environment.id, { kind: "listing", plan: listingOf(unitId, recent, null) })
      return {
        unitId,
        profile: yield* profileOf(environment, unitId),
        firstSeenAt: DateTime.unsafeMake(summary.firstSeenAt),
        lastSeenAt: DateTime.unsafeMake(summary.lastSeenAt),
        markerCount: summary.events,
        cohorts: yield* cohorts.now(environment.id, unitId),
        assignments: yield* assignments.of(environment.id, unitId),
        recentMarkers: listing.items.map(rawMarker)
      } satisfies PlayerRecord
    })

    const markersOf = (environment: Environment, unitId: string) =>
      Stream.paginateChunkEffect<ListingCursor | null, object, NoPage, never>(null, (after) => {
        const plan = listingOf(unitId, exportedAtOnce, after)
        return Effect.map(ask<"listing">(environment.id, { kind: "listing", plan }), ({ items, next }) => [
          Chunk.map(Chunk.fromIterable(items), (marker) => ({ record: "marker", ...rawMarker(marker) })),
          Option.fromNullable(next)
        ])
      })

    /** One record a line: the player, conversions of links, stays in cohorts, assignments, then the markers, newest first. */
    const exportOf = Effect.fnUntraced(function* (where: ApplicationWhere, unitId: string) {
      const environment = yield* open("players:read", where)
      const summary = yield* summaryOf(environment, unitId)
      const conversions = yield* clicks.ofUnit(environment.id, unitId)
      const stays = yield* cohorts.ever(environment.id, unitId)
      const assigned = yield* assignments.of(environment.id, unitId)
      const others = conversions.length + stays.length + assigned.length
      if (summary === null && others === 0) return yield* missing(unitId)
      const player = { record: "player", unitId, profile: yield* profileOf(environment, unitId) }
      const converted = conversions.map(({ deeplinkId, clickedAt, convertedAt, source, country, device }) => ({
        record: "conversion",
        deeplinkId,
        clickedAt: DateTime.unsafeMake(clickedAt),
        convertedAt: DateTime.unsafeMake(convertedAt),
        source,
        country,
        device
      }))
      const belonged = stays.map((stay) => ({ record: "cohort", ...stay }))
      const enrolled = assigned.map((assignment) => ({ record: "assignment", ...assignment }))
      return Stream.fromIterable<object>([player, ...converted, ...belonged, ...enrolled]).pipe(
        Stream.concat(markersOf(environment, unitId)),
        Stream.map((record) => `${JSON.stringify(record)}\n`)
      )
    })

    const erase = Effect.fnUntraced(function* (where: ApplicationWhere, unitId: string) {
      const environment = yield* open("players:delete", where)
      const { answer: summary, meta } = yield* leftOf(environment, unitId)
      const conversions = yield* clicks.ofUnit(environment.id, unitId)
      const stays = yield* cohorts.ever(environment.id, unitId)
      const assigned = yield* assignments.of(environment.id, unitId)
      const others = conversions.length + stays.length + assigned.length
      if (summary === null && others === 0 && meta.incomplete === null) return yield* missing(unitId)
      const now = yield* Clock.currentTimeMillis
      const left = stays.map(({ cohortId }) => cohortId)
      const erasure = { environmentId: environment.id, unitId, erasedAt: now }
      const { assigned: erasedAssignments, lacking } = yield* erasures.erase(erasure, left)
      return {
        unitId,
        erasedAt: DateTime.unsafeMake(now),
        erased: {
          markers: summary?.events ?? 0,
          cohortMemberships: stays.length,
          assignments: erasedAssignments,
          clicks: conversions.length
        },
        ...incompleteOf(lacking)
      } satisfies PlayerErased
    })

    return { list, get, export: exportOf, erase } as const
  })
}) {}

import { Clock, DateTime, Effect, Either, Encoding, Option } from "effect"
import { CursorInvalid } from "../../../schema/RequestErrors.ts"
import {
  DescriptionLimitReached,
  QueryInvalid,
  ReferenceInvalid,
  TimeRangeInvalid
} from "../../../schema/analytics/AnalyticsErrors.ts"
import type {
  MarkerField,
  MarkerType,
  MarkerValue,
  MetadataChange,
  MetadataChanged,
  RawMarkerPage,
  RawMarkersQuery,
  ValuesOf
} from "../../../schema/analytics/Markers.ts"
import type { Permission } from "../../domain/access/Permission.ts"
import type { StoredEvent } from "../../domain/analytics/markers/Event.ts"
import { planFilter } from "../../domain/analytics/filter/FilterRequest.ts"
import { hasRoomForDescriptions } from "../../domain/analytics/markers/DescriptionRoom.ts"
import { cursorOf, cursorText } from "../../domain/analytics/markers/ListingCursor.ts"
import { countedDays, markerFields, markerTypes } from "../../domain/analytics/markers/MarkerCatalogue.ts"
import { changedMetadata, type MarkerMetadata } from "../../domain/analytics/markers/MarkerMetadata.ts"
import { lastDays } from "../../domain/analytics/time/LastDays.ts"
import type { QuestionKind, QuestionOf } from "../../domain/analytics/question/Question.ts"
import type { EnvironmentId } from "../../domain/Ids.ts"
import { zoneNamed } from "../../domain/Zone.ts"
import { EventStore } from "../../ports/analytics/EventStore.ts"
import { MarkerRepo } from "../../ports/analytics/MarkerRepo.ts"
import { Secrets } from "../../ports/access/Secrets.ts"
import { Settings } from "../../ports/operations/Settings.ts"
import { Transaction } from "../../ports/operations/Transaction.ts"
import { Policy } from "../access/Policy.ts"
import { answered, complete } from "./QueryFailure.ts"
import { References } from "./References.ts"
import type { Where } from "../Where.ts"

type Source = "argument" | "property"

const rangeOf = ({ from, to }: RawMarkersQuery) =>
  DateTime.lessThan(from, to)
    ? Effect.succeed({ from: DateTime.toEpochMillis(from), to: DateTime.toEpochMillis(to) })
    : Effect.fail(new TimeRangeInvalid({ message: "to: must lie after from" }))

const filterOf = (query: RawMarkersQuery) =>
  Either.mapLeft(planFilter(query, ""), ({ kind, message }) =>
    kind === "invalid" ? new QueryInvalid({ message }) : new ReferenceInvalid({ message })
  )

const startOf = ({ cursor = null }: RawMarkersQuery, question: string) =>
  cursor === null
    ? Effect.succeedNone
    : Effect.mapBoth(cursorOf(cursor, question), {
        onSuccess: Option.some,
        onFailure: () =>
          new CursorInvalid({ message: "cursor: expected the nextCursor of a page of the same question" })
      })

/** What a listing asks for, whatever the page: its cursors go on with nothing else. */
const questionText = (environmentId: EnvironmentId, { from, to, types, unitId, filters, match }: RawMarkersQuery) =>
  JSON.stringify([environmentId, from, to, types ?? null, unitId ?? null, filters, match])

/** A marker as it is shown. */
export const rawMarker = ({ sequence, markerId, type, unitId, sessionId, position, ...event }: StoredEvent) => ({
  sequence,
  markerId,
  type,
  unitId,
  sessionId,
  timestamp: DateTime.unsafeMake(event.timestamp),
  receivedAt: DateTime.unsafeMake(event.receivedAt),
  clamped: event.clamped,
  arguments: event.arguments,
  properties: event.properties,
  position
})

/** Marker types, arguments and properties as seen and as described, and the markers themselves. */
export class Markers extends Effect.Service<Markers>()("services/analytics/Markers", {
  effect: Effect.gen(function* () {
    const { nameLimits } = yield* Settings
    const policy = yield* Policy
    const store = yield* EventStore
    const repo = yield* MarkerRepo
    const secrets = yield* Secrets
    const references = yield* References
    const transaction = yield* Transaction

    const place = (permission: Permission, { applicationId, environmentId }: Where) =>
      policy.environment(permission, applicationId, environmentId)

    const open = (permission: Permission, where: Where) =>
      Effect.map(place(permission, where), ({ environment }) => environment.id)

    const ask = <Kind extends QuestionKind>(environmentId: EnvironmentId, question: QuestionOf<Kind>) =>
      Effect.map(complete(answered(store.ask(environmentId, question))), ({ answer }) => answer)

    /** Null where some markers of the days cannot be read: the list of types is needed all the same. */
    const daysIn = (environmentId: EnvironmentId, timezone: string, now: number) => {
      const boundaries = Option.map(zoneNamed(timezone), (zone) => lastDays(zone, now, countedDays))
      return Option.isNone(boundaries)
        ? Effect.succeed([])
        : Effect.map(
            answered(
              store.ask<"typeCounts">(environmentId, { kind: "typeCounts", plan: { boundaries: boundaries.value } })
            ),
            ({ answer, meta }) => (meta.incomplete === null ? answer : null)
          )
    }

    const seenIn = Effect.fnUntraced(function* (environmentId: EnvironmentId, timezone: string) {
      const now = yield* Clock.currentTimeMillis
      const seen = yield* ask(environmentId, { kind: "types", plan: { now } })
      return { seen, days: yield* daysIn(environmentId, timezone, now) }
    })

    const namesIn = (environmentId: EnvironmentId, source: Source, type: string | null) =>
      ask(environmentId, { kind: "names", plan: { source, type } })

    const fieldsIn = (environmentId: EnvironmentId, source: Source, type: string | null, metadata: MarkerMetadata) =>
      Effect.map(namesIn(environmentId, source, type), (seen) => markerFields(seen, metadata.arguments, type))

    const types = Effect.fnUntraced(function* (where: Where) {
      const { application, environment } = yield* place("markers:read", where)
      const metadata = yield* repo.metadata(environment.id)
      const { seen, days } = yield* seenIn(environment.id, application.timezone)
      return markerTypes(seen, days, metadata) satisfies ReadonlyArray<MarkerType>
    })

    const pendingTypes = Effect.fnUntraced(function* (where: Where) {
      return (yield* types(where)).filter(({ status }) => status === "pending")
    })

    const argumentsOf = Effect.fnUntraced(function* (where: Where, type: string | undefined) {
      const id = yield* open("markers:read", where)
      const fields = yield* fieldsIn(id, "argument", type ?? null, yield* repo.metadata(id))
      return fields satisfies ReadonlyArray<MarkerField>
    })

    const properties = Effect.fnUntraced(function* (where: Where, type: string | undefined) {
      const id = yield* open("markers:read", where)
      const fields = yield* fieldsIn(id, "property", type ?? null, { types: [], arguments: [] })
      return fields satisfies ReadonlyArray<MarkerField>
    })

    const values = Effect.fnUntraced(function* (where: Where, source: Source, of: ValuesOf) {
      const id = yield* open("markers:read", where)
      const { name, type = null, search = null, limit } = of
      const found = yield* ask(id, { kind: "values", plan: { source, name, type, search, limit } })
      return found satisfies ReadonlyArray<MarkerValue>
    })

    /** Lists of types and arguments have all that are described, whether any marker has them or not. */
    const demandRoom = (present: MarkerMetadata, touched: MarkerMetadata) => {
      const { types: most, names } = nameLimits
      if (hasRoomForDescriptions(present, touched, { types: most, arguments: names })) return Effect.void
      const message = `An environment describes at most ${most} marker types and ${names} arguments of them`
      return Effect.fail(new DescriptionLimitReached({ message }))
    }

    /** The store is asked first: where it refuses to answer, nothing has been written. */
    const setMetadata = Effect.fnUntraced(function* (where: Where, change: MetadataChange) {
      const { application, environment } = yield* place("markers:write", where)
      const { id } = environment
      const { seen, days } = yield* seenIn(id, application.timezone)
      const described = yield* Effect.forEach(new Set(change.arguments.map(({ type }) => type)), (type) =>
        Effect.map(namesIn(id, "argument", type), (found) => ({ type, found }))
      )
      const write = Effect.gen(function* () {
        const present = yield* repo.metadata(id)
        const touched = changedMetadata(present, change)
        yield* demandRoom(present, touched)
        yield* repo.put(id, touched)
        return { touched, metadata: yield* repo.metadata(id) }
      })
      const { touched, metadata } = yield* transaction.run(write)
      const names = new Set([...touched.types.map(({ name }) => name), ...touched.arguments.map(({ type }) => type)])
      const fields = described.flatMap(({ type, found }) => {
        const own = touched.arguments.filter((each) => each.type === type)
        return markerFields(found, own, type).filter(({ name }) => own.some((each) => each.name === name))
      })
      const types = markerTypes(seen, days, metadata).filter(({ name }) => names.has(name))
      return { types, arguments: fields } satisfies MetadataChanged
    })

    const list = Effect.fnUntraced(function* (where: Where, query: RawMarkersQuery) {
      const id = yield* open("markers:read", where)
      const question = Encoding.encodeBase64Url(secrets.fingerprint(questionText(id, query))).slice(0, 16)
      const after = Option.getOrNull(yield* startOf(query, question))
      const [range, filter] = [yield* rangeOf(query), yield* filterOf(query)]
      const { types: only = null, unitId = null, limit } = query
      const plan = { range, types: only, unitId, filter, limit, after }
      yield* references.check(id, "listing", plan)
      const { items, next } = yield* ask(id, { kind: "listing", plan })
      const page = { items: items.map(rawMarker), nextCursor: next === null ? null : cursorText(next, question) }
      return page satisfies RawMarkerPage
    })

    return { types, pendingTypes, arguments: argumentsOf, properties, values, setMetadata, raw: list } as const
  })
}) {}

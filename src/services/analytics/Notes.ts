import { Clock, DateTime, Effect, Option, Schema } from "effect"
import { type NotePage, NoteRecord } from "../../../schema/analytics/Notes.ts"
import { ValidationFailed } from "../../../schema/RequestErrors.ts"
import { notesOf, type Note, type NotePlace, versionPlaceOf } from "../../domain/analytics/note/Note.ts"
import { mostVersions } from "../../domain/analytics/markers/SeenVersions.ts"
import type { SeenVersion } from "../../domain/analytics/question/Question.ts"
import type { TimeSpan } from "../../domain/analytics/time/Buckets.ts"
import { at } from "../../domain/experiments/StoredExperiment.ts"
import type { EnvironmentId } from "../../domain/Ids.ts"
import { EventStore } from "../../ports/analytics/EventStore.ts"
import { ConfigurationRepo } from "../../ports/configuration/ConfigurationRepo.ts"
import { ExperimentRepo } from "../../ports/experiments/ExperimentRepo.ts"
import { Policy } from "../access/Policy.ts"
import { Rights } from "../access/Rights.ts"
import type { Where } from "../Where.ts"
import { answered } from "./QueryFailure.ts"

interface Asked {
  readonly from: DateTime.Utc
  readonly to: DateTime.Utc
  readonly limit: number
  readonly cursor?: string | undefined
}

/** The latest instant there is, in milliseconds before or after 1970. */
const farthest = 8_640_000_000_000_000

const Cursor = Schema.compose(
  Schema.StringFromBase64Url,
  Schema.parseJson(
    Schema.Struct({
      at: Schema.Int.pipe(Schema.between(-farthest, farthest)),
      kind: NoteRecord.fields.kind,
      id: Schema.NonNegativeInt,
      serial: Schema.NonNegativeInt
    })
  )
)
const decodeCursor = Schema.decodeOption(Cursor)
const encodeCursor = Schema.encodeSync(Cursor)

const placeIn = (cursor: string | undefined): Effect.Effect<NotePlace | null, ValidationFailed> => {
  if (cursor === undefined) return Effect.succeed(null)
  return Option.match(decodeCursor(cursor), {
    onNone: () => Effect.fail(new ValidationFailed({ message: "cursor: expected the nextCursor of the page before" })),
    onSome: Effect.succeed
  })
}

const recordOf = ({ at, serial: _, id, ...note }: Note) => ({
  ...note,
  id: note.kind === "appVersion" ? null : id,
  at: DateTime.unsafeMake(at)
})

/** What has changed the game, for the time axis of charts. */
export class Notes extends Effect.Service<Notes>()("services/analytics/Notes", {
  effect: Effect.gen(function* () {
    const configurations = yield* ConfigurationRepo
    const experiments = yield* ExperimentRepo
    const store = yield* EventStore
    const policy = yield* Policy
    const rights = yield* Rights

    /** Versions of the game that may follow the place: so many of them at least, where there are. */
    const versionsSeen = Effect.fnUntraced(function* (
      environmentId: EnvironmentId,
      { from, to }: TimeSpan,
      place: NotePlace | null,
      least: number
    ) {
      const seen: Array<SeenVersion> = []
      let [before, following, isMore] = [place === null ? to : Math.min(to, place.at + 1), 0, true]
      while (isMore && following < least) {
        const plan = { range: { from, to: before } }
        const { answer } = yield* answered(store.ask<"versions">(environmentId, { kind: "versions", plan }))
        seen.push(...answer)
        following += answer.filter(({ firstSeenAt }) => place === null || firstSeenAt < place.at).length
        before = answer.at(-1)?.firstSeenAt ?? from
        isMore = answer.length >= mostVersions
      }
      return seen
    })

    const list = Effect.fnUntraced(function* (
      { applicationId, environmentId }: Where,
      { from, to, limit, cursor }: Asked
    ) {
      const { application, environment } = yield* policy.environment("analytics:read", applicationId, environmentId)
      const range = { from: from.epochMillis, to: to.epochMillis }
      if (range.from >= range.to) {
        return yield* Effect.fail(new ValidationFailed({ message: "from: expected an instant before `to`" }))
      }
      const place = yield* placeIn(cursor)
      const held = (yield* rights.heldOrNothing(application.organizationId))(applicationId)
      const readsConfigurations = held.has("configurations:read")
      const readsExperiments = held.has("experiments:read")
      const before = place === null ? null : versionPlaceOf(place)
      const versions = readsConfigurations
        ? yield* configurations.versionsWithin(environment.id, range, before, limit + 1)
        : []
      const now = yield* Clock.currentTimeMillis
      const all = readsExperiments ? (yield* experiments.list(environment.id)).map((each) => at(each, now)) : []
      const seen = held.has("markers:read") ? yield* versionsSeen(environment.id, range, place, limit + 1) : []
      const found = notesOf({ versions, experiments: all, seen }, range, place, limit + 1)
      const items = found.slice(0, limit)
      const last = items.at(-1)
      const nextCursor = found.length > limit && last !== undefined ? encodeCursor(last) : null
      return { items: items.map(recordOf), nextCursor } satisfies NotePage
    })

    return { list } as const
  })
}) {}

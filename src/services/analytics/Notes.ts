import { Clock, DateTime, Effect, Option, Schema } from "effect"
import { type NotePage, NoteRecord } from "../../../schema/analytics/Notes.ts"
import { ValidationFailed } from "../../../schema/RequestErrors.ts"
import { notesOf, type Note, type NotePlace, versionPlaceOf } from "../../domain/analytics/note/Note.ts"
import { at } from "../../domain/experiments/StoredExperiment.ts"
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

const Cursor = Schema.compose(
  Schema.StringFromBase64Url,
  Schema.parseJson(
    Schema.Struct({
      at: Schema.Int,
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
      const seen = held.has("markers:read")
        ? (yield* answered(store.ask<"versions">(environment.id, { kind: "versions", plan: { range } }))).answer
        : []
      const found = notesOf({ versions, experiments: all, seen }, range, place, limit + 1)
      const items = found.slice(0, limit)
      const last = items.at(-1)
      const nextCursor = found.length > limit && last !== undefined ? encodeCursor(last) : null
      return { items: items.map(recordOf), nextCursor } satisfies NotePage
    })

    return { list } as const
  })
}) {}

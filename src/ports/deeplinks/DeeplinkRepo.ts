import type { Effect, Option } from "effect"
import { Context } from "effect"
import type { Deeplink } from "../../domain/deeplinks/Deeplink.ts"
import type { ApplicationId, DeeplinkId } from "../../domain/Ids.ts"
import type { Size } from "../../domain/Room.ts"

/** Deeplinks of projects. Slugs are unique on the server. */
export class DeeplinkRepo extends Context.Tag("ports/deeplinks/DeeplinkRepo")<
  DeeplinkRepo,
  {
    /** None when another deeplink on the server has that slug. */
    readonly insert: (deeplink: Deeplink) => Effect.Effect<Option.Option<Deeplink>>
    /** Overwrites the deeplink of that id. None when another one has that slug. */
    readonly update: (deeplink: Deeplink) => Effect.Effect<Option.Option<Deeplink>>
    /** Removes the deeplink. Its clicks and conversions are hidden, and deleted by `RemovedRows.clear`. */
    readonly remove: (id: DeeplinkId) => Effect.Effect<void>
    readonly find: (applicationId: ApplicationId, id: DeeplinkId) => Effect.Effect<Option.Option<Deeplink>>
    /** The deeplink of that slug in any project, archived ones included. */
    readonly findBySlug: (slug: string) => Effect.Effect<Option.Option<Deeplink>>
    /** How many a project has, with the characters of their metadata as JSON. */
    readonly size: (applicationId: ApplicationId) => Effect.Effect<Size>
    /** Oldest first, ties by id. */
    readonly list: (applicationId: ApplicationId) => Effect.Effect<ReadonlyArray<Deeplink>>
  }
>() {}

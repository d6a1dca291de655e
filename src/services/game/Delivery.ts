import { Clock, Deferred, Effect, Schema } from "effect"
import { Bootstrap, DeliveredConfiguration, SdkStatus } from "../../../schema/game/SdkConfigurations.ts"
import type { Audience } from "../../domain/configuration/Links.ts"
import * as Documents from "../../domain/game/Bootstrap.ts"
import type { Entry, Snapshot } from "../../domain/game/Snapshot.ts"
import { snapshot } from "../../domain/game/Snapshot.ts"
import { runningAt } from "../../domain/game/Running.ts"
import type { EnvironmentId } from "../../domain/Ids.ts"
import { ConfigurationRepo } from "../../ports/configuration/ConfigurationRepo.ts"
import { ExperimentRepo } from "../../ports/experiments/ExperimentRepo.ts"
import { Secrets } from "../../ports/access/Secrets.ts"
import { Changes } from "../configuration/Changes.ts"

/** An answer that is ready to be sent: JSON in UTF-8, and the hash by which the caller will know it. */
export interface Ready {
  readonly hash: string
  readonly bytes: Uint8Array
}

export interface ReadyEntry extends Entry {
  readonly ready: Ready
}

/** What games of one audience read of an environment, resolved and written out. */
export interface Delivered extends Omit<Snapshot, "configurations" | "broken"> {
  readonly configurations: ReadonlyArray<ReadyEntry>
  readonly bootstrap: Ready
  readonly status: Ready
  /** Epoch milliseconds at which time itself changes it. */
  readonly until: number
  /** Whether nothing has changed since it was read. */
  readonly isCurrent: () => boolean
}

interface Kept {
  readonly isCurrent: () => boolean
  readonly building: Deferred.Deferred<Delivered>
  until: number
}

/** Environments and audiences kept at most; one more and it starts anew. */
const capacity = 2000

const encoder = new TextEncoder()

/** Keeps what games read of each environment ready in memory, for as long as nothing has changed and no planned change is due. */
export class Delivery extends Effect.Service<Delivery>()("services/game/Delivery", {
  scoped: Effect.gen(function* () {
    const scope = yield* Effect.scope
    const changes = yield* Changes
    const configurations = yield* ConfigurationRepo
    const experiments = yield* ExperimentRepo
    const secrets = yield* Secrets
    const everything = new Map<string, Kept>()

    /** A short text that stands for a long one. */
    const digest = (text: string): string => secrets.digest(encoder.encode(text))

    const write = <A extends { readonly hash: string }, I>(schema: Schema.Schema<A, I>, value: A) =>
      Schema.encode(schema)(value).pipe(
        Effect.map((encoded): Ready => ({ hash: value.hash, bytes: encoder.encode(JSON.stringify(encoded)) })),
        Effect.orDie
      )

    const writeEntry = (entry: Entry) =>
      Effect.map(write(DeliveredConfiguration, { ...entry, configurationId: entry.id }), (ready): ReadyEntry => ({
        ...entry,
        ready
      }))

    const build = Effect.fnUntraced(function* (environmentId: EnvironmentId, audience: Audience) {
      const now = yield* Clock.currentTimeMillis
      const sources = yield* configurations.list(environmentId)
      const { running, until } = runningAt(yield* experiments.open(environmentId), now)
      const found = snapshot(sources, running, audience, digest)
      for (const { id, failure } of found.broken) {
        yield* Effect.logError(`Configuration ${id} cannot be delivered`, failure)
      }
      return {
        configurations: yield* Effect.forEach(found.configurations, writeEntry),
        experiments: found.experiments,
        bootstrap: yield* write(Bootstrap, Documents.bootstrap(found, digest)),
        status: yield* write(SdkStatus, Documents.status(found, digest)),
        until
      }
    })

    const keep = (name: string, kept: Kept) => {
      if (everything.size >= capacity) everything.clear()
      everything.set(name, kept)
    }

    const forget = (name: string, kept: Kept) => {
      if (everything.get(name) === kept) everything.delete(name)
    }

    const begin = Effect.fnUntraced(function* (environmentId: EnvironmentId, audience: Audience, name: string) {
      const version = changes.version(environmentId)
      const isCurrent = () => changes.version(environmentId) === version
      const kept: Kept = { isCurrent, building: yield* Deferred.make<Delivered>(), until: Infinity }
      keep(name, kept)
      yield* build(environmentId, audience).pipe(
        Effect.tap(({ until }) => Effect.sync(() => (kept.until = until))),
        Effect.map((built) => ({ ...built, isCurrent })),
        Effect.onError(() => Effect.sync(() => forget(name, kept))),
        Effect.intoDeferred(kept.building),
        Effect.forkIn(scope)
      )
      return yield* Deferred.await(kept.building)
    })

    /** What games of the audience read of the environment now. Those who ask while it is made wait for the same one. */
    const current = Effect.fn("Delivery.current")(function* (environmentId: EnvironmentId, audience: Audience) {
      const name = `${environmentId} ${audience}`
      const kept = everything.get(name)
      const now = yield* Clock.currentTimeMillis
      return kept !== undefined && kept.isCurrent() && now < kept.until
        ? yield* Deferred.await(kept.building)
        : yield* begin(environmentId, audience, name)
    })

    return { current, digest } as const
  })
}) {}

import { Clock, Effect } from "effect"
import type { LiveQuery } from "../../../schema/live/Live.ts"
import { TooManyStreams } from "../../../schema/live/LiveErrors.ts"
import { frame, heartbeat, opening as open } from "../../domain/game/Frame.ts"
import type { Missed } from "../../domain/game/NoticeLog.ts"
import { position, since } from "../../domain/game/NoticeLog.ts"
import type { ApplicationId, EnvironmentId } from "../../domain/Ids.ts"
import { OpenStreams } from "../../domain/live/LiveLimits.ts"
import { type LiveFrame, type LiveKind, openFrame } from "../../domain/live/LiveKind.ts"
import type { Sight } from "../../domain/live/Sight.ts"
import { nextTurn } from "../../ports/operations/NextTurn.ts"
import { ExecutionRuns } from "../analytics/ExecutionRuns.ts"
import type { Cookie } from "../access/Sessions.ts"
import { NoticeLogs } from "../game/NoticeLogs.ts"
import type { Listener } from "../game/Listener.ts"
import type { Seat } from "../game/Notices.ts"
import { type Audience, LiveAccess } from "./LiveAccess.ts"
import { LiveFeed } from "./LiveFeed.ts"

/** An open stream. */
interface Open {
  readonly listener: Listener
  readonly environmentId: EnvironmentId
  readonly audience: Audience
  readonly sight: Sight
  kinds: ReadonlySet<LiveKind>
}

/** Streams that are told in one turn of the event loop: at most 4 MiB of text. */
const toldPerTurn = 50

const encoder = new TextEncoder()
const life = encoder.encode(heartbeat)

const tooMany = Effect.fail(new TooManyStreams({ message: "Too many open streams: close some pages" }))

const missedOf = (missed: Missed, kinds: ReadonlySet<LiveKind>): Missed =>
  missed.type === "reset"
    ? missed
    : { type: "notices", notices: missed.notices.filter(({ event }) => kinds.has(event)) }

/** What happens in an environment, for people who watch it. */
export class LiveStreams extends Effect.Service<LiveStreams>()("services/live/LiveStreams", {
  scoped: Effect.gen(function* () {
    const access = yield* LiveAccess
    const feed = yield* LiveFeed
    const logs = yield* NoticeLogs
    const runs = yield* ExecutionRuns
    const streams = new Map<EnvironmentId, Set<Open>>()
    const counts = new OpenStreams()
    let isClosing = false

    const every = (): ReadonlyArray<Open> => [...streams.values()].flatMap((some) => [...some])

    const leave = (stream: Open): void => {
      const { environmentId, audience, sight } = stream
      const others = streams.get(environmentId)
      if (others === undefined || !others.delete(stream)) return
      counts.add(audience, -1)
      feed.of(environmentId)?.leave(sight)
      if (others.size > 0) return
      streams.delete(environmentId)
      feed.close(environmentId)
    }

    const enter = (stream: Open): void => {
      const others = streams.get(stream.environmentId) ?? new Set<Open>()
      streams.set(stream.environmentId, others.add(stream))
      counts.add(stream.audience, 1)
    }

    yield* logs.listen((environmentId, notice) => {
      const some = streams.get(environmentId)
      if (some === undefined) return
      const bytes = encoder.encode(frame(notice))
      for (const { listener, kinds } of some) if (kinds.has(notice.event)) listener.send(bytes)
    })

    /** A place for a person who may listen, with the changes that were missed since the last id the person knows. */
    const join = Effect.fnUntraced(function* (
      applicationId: ApplicationId,
      query: LiveQuery,
      lastId: string | undefined,
      cookie: Cookie
    ) {
      const { environmentId } = query
      const audience = yield* access.audience({ applicationId, environmentId }, cookie)
      yield* logs.known(environmentId)
      if (counts.isFull(audience)) return yield* tooMany
      const view = { type: query.type ?? null, unitId: query.unitId ?? null, withMarkers: query.markers === "1" }

      const opening = (): Uint8Array => {
        const log = logs.of(environmentId)
        const missed = missedOf(since(log, lastId), audience.kinds)
        return encoder.encode(open(missed, position(log)) + openFrame([...audience.kinds]))
      }

      return {
        opening,
        enter: (listener) => {
          const { kinds } = audience
          const stream: Open = { listener, environmentId, audience, kinds, sight: feed.open(environmentId).join(view) }
          enter(stream)
          listener.begin(opening())
          if (isClosing) listener.close()
          return () => leave(stream)
        }
      } satisfies Seat
    })

    /** Tells everybody what happened since the last call. Run every second; it does nothing where nobody listens. */
    const tell = Effect.fnUntraced(function* () {
      if (streams.size === 0) return
      const at = new Date(yield* Clock.currentTimeMillis).toISOString()
      runs.tellProgress()
      let told = 0
      for (const [environmentId, some] of [...streams]) {
        const taken = feed.of(environmentId)?.take(at)
        if (taken === undefined) continue
        const encoded = new Map<LiveFrame, Uint8Array>()
        const bytesOf = (each: LiveFrame): Uint8Array => {
          const bytes = encoded.get(each) ?? encoder.encode(each.text)
          encoded.set(each, bytes)
          return bytes
        }
        for (const { listener, sight, kinds } of [...some]) {
          if (++told % toldPerTurn === 0) yield* nextTurn
          for (const each of [...taken.common, ...taken.of(sight)])
            if (kinds.has(each.kind)) listener.send(bytesOf(each))
        }
      }
    })

    /** Sends a heartbeat to everybody who may still listen, and disconnects the others. Each credential is looked at once. */
    const beat = Effect.fnUntraced(function* () {
      const known = new Map<string, ReadonlySet<LiveKind> | null>()
      let told = 0
      for (const stream of [...every()]) {
        if (++told % toldPerTurn === 0) yield* nextTurn
        const { name, kindsNow } = stream.audience
        const kinds = known.get(name) ?? (known.has(name) ? null : yield* kindsNow)
        known.set(name, kinds)
        if (kinds === null) {
          stream.listener.close()
          continue
        }
        if (String([...kinds]) !== String([...stream.kinds]))
          stream.listener.send(encoder.encode(openFrame([...kinds])))
        stream.kinds = kinds
        stream.listener.send(life)
      }
    })

    /** Disconnects everybody, now and later, because the server stops. */
    const hangUp = (): void => {
      isClosing = true
      for (const { listener } of every()) listener.close()
    }
    yield* Effect.addFinalizer(() => Effect.sync(hangUp))

    return { join, tell, beat, hangUp } as const
  })
}) {}

import { Effect } from "effect"
import { Principal } from "../../../schema/access/Auth.ts"
import { Forbidden } from "../../../schema/access/AccessErrors.ts"
import type { ApiKey } from "../../domain/access/ApiKey.ts"
import { keyOf } from "../../domain/access/Principal.ts"
import { frame, heartbeat, opening as open } from "../../domain/game/Frame.ts"
import { position, since } from "../../domain/game/NoticeLog.ts"
import type { EnvironmentId } from "../../domain/Ids.ts"
import { nextTurn } from "../../ports/operations/NextTurn.ts"
import { Credentials } from "../access/Credentials.ts"
import { makeWakeUp } from "../WakeUp.ts"
import { Broadcast, heardPerTurn } from "./Broadcast.ts"
import type { GameRequest } from "./GameAccess.ts"
import { GameAccess, trustedUntil } from "./GameAccess.ts"
import type { Listener, NewListener } from "./Listener.ts"
import { NoticeLogs } from "./NoticeLogs.ts"

/** A place in the audience for a game that may listen. */
export interface Seat {
  /** The notices that it has missed until now, in the format of the stream. */
  readonly opening: () => Uint8Array
  /** Sends the opening and from then on every change. Returns the function by which the listener leaves. */
  readonly enter: (listener: NewListener) => () => void
}

/** Those who listen to one environment with one secret of a key. */
export interface Audience {
  readonly environmentId: EnvironmentId
  readonly listeners: Set<Listener>
  readonly isAllowed: Effect.Effect<boolean>
}

/** The audience that a key and its headers name, and until when (epoch ms) the key need not be authenticated again. */
export interface StreamScope {
  readonly name: string
  readonly audience: Audience
  readonly until: number
}

const encoder = new TextEncoder()
const life = encoder.encode(heartbeat)

/** Does something with each listener, some in each turn of the event loop. */
const eachOf = Effect.fnUntraced(function* ({ listeners }: Audience, does: (listener: Listener) => void) {
  let count = 0
  for (const listener of [...listeners]) {
    does(listener)
    if (++count % heardPerTurn === 0) yield* nextTurn
  }
})

const dismiss = ({ listeners }: Audience) => {
  for (const listener of listeners) listener.close()
}

/** Sends notices of changes to the games that listen. Each notice is encoded once, however many hear it. */
export class Notices extends Effect.Service<Notices>()("services/game/Notices", {
  scoped: Effect.gen(function* () {
    const access = yield* GameAccess
    const logs = yield* NoticeLogs
    const credentials = yield* Credentials
    const audiences = new Map<string, Audience>()
    let isClosing = false

    const leave = (name: string, listener: Listener) => {
      const audience = audiences.get(name)
      audience?.listeners.delete(listener)
      if (audience?.listeners.size === 0) audiences.delete(name)
    }

    const broadcast = new Broadcast()
    const { wakeUp, requested } = yield* makeWakeUp(1)
    const round = Effect.repeat(
      Effect.zipRight(
        nextTurn,
        Effect.sync(() => broadcast.next())
      ),
      { while: (isMore) => isMore }
    )
    yield* Effect.forkScoped(Effect.forever(Effect.zipRight(requested, round)))

    yield* logs.listen((environmentId, notice) => {
      const concerned = [...audiences.values()].filter((audience) => audience.environmentId === environmentId)
      if (concerned.length === 0) return
      broadcast.send(
        concerned.flatMap(({ listeners }) => [...listeners]),
        encoder.encode(frame(notice))
      )
      wakeUp()
    })

    /** Where a game may listen, or why it may not. */
    const scopeOf = Effect.fnUntraced(function* (request: GameRequest) {
      const environment = yield* access.environment("sdk:read", request)
      const key = keyOf(yield* Principal)
      if (key === undefined)
        return yield* Effect.fail(new Forbidden({ message: "This endpoint takes a public or a secret key" }))
      const name = `${key.secretHash} ${environment.id}`
      const mayListen = (present: ApiKey) =>
        Effect.provideService(access.environment("sdk:read", request), Principal, { kind: "secret", key: present })
      const isAllowed = credentials
        .keyOfSecret(key.secretHash)
        .pipe(
          Effect.flatMap(mayListen),
          Effect.match({ onFailure: () => false, onSuccess: ({ id }) => id === environment.id })
        )
      const audience = { environmentId: environment.id, listeners: new Set<Listener>(), isAllowed }
      return { name, audience, until: trustedUntil(key) } satisfies StreamScope
    })

    const seatIn = ({ name, audience }: StreamScope, lastId: string | undefined): Seat => {
      const opening = (): Uint8Array => {
        const log = logs.of(audience.environmentId)
        return encoder.encode(open(since(log, lastId), position(log)))
      }

      const enter = (listener: NewListener) => {
        const { listeners } = audiences.get(name) ?? audience
        if (listeners.size === 0) audiences.set(name, audience)
        listener.begin(opening())
        listeners.add(listener)
        if (isClosing) listener.close()
        return () => leave(name, listener)
      }

      return { opening, enter }
    }

    /** A place for a game that may listen, with what it missed since the last id it knows. */
    const join = (scope: StreamScope, lastId: string | undefined): Effect.Effect<Seat> =>
      Effect.map(logs.known(scope.audience.environmentId), () => seatIn(scope, lastId))

    /** The same at once; undefined where it has to be read first what was missed. */
    const joinAtOnce = (scope: StreamScope, lastId: string | undefined): Seat | undefined =>
      logs.isKnown(scope.audience.environmentId) ? seatIn(scope, lastId) : undefined

    /** Sends a heartbeat to everybody whose secret still works and whose key may still listen, and disconnects the others. */
    const beat = Effect.fnUntraced(function* () {
      for (const audience of [...audiences.values()]) {
        if (yield* audience.isAllowed) yield* eachOf(audience, (listener) => listener.send(life))
        else yield* eachOf(audience, (listener) => listener.close())
      }
    })

    /** Disconnects everybody, now and later, because the server stops. */
    const hangUp = (): void => {
      isClosing = true
      for (const audience of audiences.values()) dismiss(audience)
    }
    yield* Effect.addFinalizer(() => Effect.sync(hangUp))

    return { scopeOf, join, joinAtOnce, beat, hangUp } as const
  })
}) {}

import { Effect, Layer, Option } from "effect"
import type pg from "pg"
import { MetadataUnavailable } from "../../ports/operations/MetadataUnavailable.ts"
import { Turns } from "../../ports/operations/Turns.ts"
import { makeTurns } from "../local/Turns.ts"
import { poolOf, type PostgresOptions } from "./Pool.ts"

/** Connections that may hold turns or wait for them at a time. */
const mostConnections = 20

const key = "hashtextextended($1, 0)"
const lock = `select true as granted from pg_advisory_lock(${key})`
const tryLock = `select pg_try_advisory_lock(${key}) as granted`
const unlock = `select pg_advisory_unlock(${key})`

const ask = (client: pg.PoolClient, statement: string, name: string) =>
  Effect.tryPromise(() => client.query<{ readonly granted: boolean }>(statement, [name]))

const giveBack = (client: pg.PoolClient) => Effect.sync(() => client.release())

/** Closing the connection gives up its locks and what it waits for. */
const close = (client: pg.PoolClient) => Effect.sync(() => client.release(true))

const make = Effect.fnUntraced(function* (options: PostgresOptions) {
  const pool = yield* poolOf({ ...options, connections: mostConnections, longestStatement: 0 })
  const local = makeTurns()
  const connect = Effect.tryPromise(() => pool.connect())
  const unavailable = Effect.die(new MetadataUnavailable())

  /** Runs the effect while a connection holds the lock; answers none at once if the statement does not get it. */
  const holding = <A, E, R>(statement: string, name: string, effect: Effect.Effect<A, E, R>) =>
    Effect.uninterruptibleMask((restore) =>
      Effect.gen(function* () {
        const client = yield* Effect.catchAll(connect, () => unavailable)
        const { rows } = yield* restore(ask(client, statement, name)).pipe(
          Effect.onError(() => close(client)),
          Effect.catchAll(() => unavailable)
        )
        if (rows[0]?.granted !== true) return yield* Effect.as(giveBack(client), Option.none<A>())
        const leave = Effect.matchCauseEffect(ask(client, unlock, name), {
          onFailure: () => close(client),
          onSuccess: () => giveBack(client)
        })
        return yield* Effect.ensuring(Effect.asSome(restore(effect)), leave)
      })
    )

  return Turns.of({
    alone: (name, effect) => local.alone(name, Effect.map(holding(lock, name, effect), Option.getOrThrow)),
    once: (name, effect) => Effect.map(local.once(name, holding(tryLock, name, effect)), Option.flatten)
  })
})

/**
 * Turns by locks of the database, each of which belongs to one connection: a lock goes with its connection, and so with its process. Within
 * this process turns are taken first, so that only one of those who want a name waits in the database, which lets processes in in the order
 * in which they came. Whoever loses the connection meanwhile goes on without the lock: what must not happen twice is fenced besides.
 */
export const TurnsPostgres = (options: PostgresOptions) => Layer.scoped(Turns, make(options))

import { type Clock, Data, Deferred, Effect, Queue, Schema } from "effect"
import { Client } from "pg"
import { MetadataUnavailable } from "../../ports/operations/MetadataUnavailable.ts"
import { connectionOf, type PostgresOptions } from "./Pool.ts"

/** The channel on which PostgreSQL announces that there are new changes. */
export const channel = "gamekeeper_changes"

/** Milliseconds after which the others no longer wait for a process that has not renewed its lease. */
export const leaseMillis = 3000

/**
 * A lease is renewed after at most so many milliseconds. A process also takes its own lease to be over so many milliseconds before the
 * others do.
 */
const renewalMillis = 1000
const marginMillis = 500

/** Milliseconds after which a connection that does not answer is given up. */
const unansweredMillis = 5000

/** Milliseconds after which a new connection is tried. */
const pauseMillis = 250

/** Seconds for which changes are kept for processes that have lost their connection. */
const keptSeconds = 86_400
const renewalsAnHour = 3600

/** What a lease calls when there are changes. */
export interface Told {
  /** Passes on the changes after a number, which the function reads, and answers the number of the latest. */
  readonly catchUp: <E>(read: (after: number) => Effect.Effect<unknown, E>) => Effect.Effect<number, E>
  readonly skipTo: (number: number) => Effect.Effect<void>
}

class ConnectionLost extends Data.TaggedError("ConnectionLost") {}

const Renewed = Schema.Array(Schema.Struct({ live: Schema.Number }))
const Head = Schema.Array(Schema.Struct({ number: Schema.Number }))

const head = `select coalesce((select last from counters where name = 'changes'), 0) as number`

const renewal = `insert into peers (name, heard, until) values ($1, $2, clock_timestamp() + make_interval(secs => $3))
  on conflict (name) do update set heard = excluded.heard, until = excluded.until
  returning 1 + (select count(*) from peers as other where other.until > clock_timestamp() and other.name <> $1) as live`

/** Deletes old changes but for the latest: by its number processes that were away for longer notice that they have missed some. */
const forgetting = [
  `delete from changes where told_at < clock_timestamp() - make_interval(secs => $1) and number < (
    select last from counters where name = 'changes'
  )`,
  "delete from peers where until < clock_timestamp() - make_interval(secs => $1)"
]

/**
 * Renews this process's lease until the scope closes: a row that says up to which change the process has heard. It uses a connection of
 * its own, on which PostgreSQL also announces changes. If the connection is lost it opens another, and reads the changes that were told
 * meanwhile.
 */
export const keepLease = Effect.fnUntraced(function* (
  options: PostgresOptions,
  name: string,
  clock: Clock.Clock,
  { catchUp, skipTo }: Told
) {
  let [freshUntil, live, renewals, isClosing] = [0, 1, 0, false]
  const bell = yield* Queue.sliding<void>(1)
  const begun = yield* Deferred.make<void>()
  const ring = () => void bell.unsafeOffer(undefined)
  const now = () => Number(clock.unsafeCurrentTimeNanos() / 1_000_000n)

  const ask = (client: Client, statement: string, values: ReadonlyArray<unknown> = []) =>
    Effect.tryPromise({
      try: () => client.query(statement, [...values]).then(({ rows }): unknown => rows),
      catch: () => new ConnectionLost()
    })

  const hear = (client: Client) =>
    catchUp((after) => ask(client, "select number, notice from changes where number > $1 order by number", [after]))

  /**
   * Renews the lease, but only once all changes are heard: the others wait for this process for no longer than its lease lasts. Where it was
   * over before it was renewed, they may not have waited with what was told in between, so that is heard before the process is fresh.
   */
  const renew = Effect.fnUntraced(function* (client: Client) {
    const from = now()
    const heard = yield* hear(client)
    const rows = yield* ask(client, renewal, [name, heard, leaseMillis / 1000])
    const [renewed] = yield* Effect.orDie(Schema.decodeUnknown(Renewed)(rows))
    live = renewed?.live ?? 1
    if (now() >= freshUntil) yield* hear(client)
    freshUntil = from + leaseMillis - marginMillis
    yield* Deferred.succeed(begun, undefined)
    if (renewals++ % renewalsAnHour === 0) {
      yield* Effect.forEach(forgetting, (statement) => ask(client, statement, [keptSeconds]), { discard: true })
    }
  })

  const close = Effect.fnUntraced(function* (client: Client) {
    if (isClosing) yield* ask(client, "delete from peers where name = $1", [name])
    yield* Effect.tryPromise(() => client.end())
  })

  const connect = Effect.acquireRelease(
    Effect.suspend(() => {
      const client = new Client(connectionOf(options))
      client.on("error", ring)
      client.on("notification", ring)
      const connected = Effect.tryPromise({ try: () => client.connect(), catch: () => new ConnectionLost() })
      return Effect.as(connected, client)
    }),
    (client) => Effect.ignore(Effect.timeout(Effect.interruptible(close(client)), renewalMillis))
  )

  /** Asks PostgreSQL after a silence, because only an answer tells that the connection is still there. */
  const keep = (client: Client) =>
    renew(client).pipe(
      Effect.timeoutFail({ duration: unansweredMillis, onTimeout: () => new ConnectionLost() }),
      Effect.zipRight(Effect.timeoutOption(Queue.take(bell), renewalMillis)),
      Effect.forever
    )

  const session = Effect.scoped(
    Effect.gen(function* () {
      const client = yield* connect
      yield* ask(client, `listen ${channel}`)
      if (!(yield* Deferred.isDone(begun))) {
        const [latest] = yield* Effect.orDie(Effect.flatMap(ask(client, head), Schema.decodeUnknown(Head)))
        yield* skipTo(latest?.number ?? 0)
      }
      return yield* keep(client)
    })
  )

  const sessions = Effect.forever(
    Effect.zipRight(Effect.sandbox(session).pipe(Effect.ignore), Effect.sleep(pauseMillis))
  )
  yield* Effect.forkScoped(Effect.withClock(sessions, clock))
  yield* Effect.addFinalizer(() =>
    Effect.sync(() => {
      isClosing = true
      freshUntil = 0
    })
  )
  yield* Effect.withClock(
    Effect.timeoutFail(Deferred.await(begun), {
      duration: unansweredMillis * 2,
      onTimeout: () => new MetadataUnavailable()
    }),
    clock
  ).pipe(Effect.orDie)

  return { isFresh: () => now() < freshUntil, live: () => live }
})

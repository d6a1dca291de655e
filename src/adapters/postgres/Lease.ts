import { type Clock, Data, Deferred, Effect, Queue, Schema } from "effect"
import { Client } from "pg"
import { MetadataUnavailable } from "../../ports/operations/MetadataUnavailable.ts"
import { connectionOf, type PostgresOptions } from "./Pool.ts"

/** What announces that something was told. */
export const channel = "gamekeeper_changes"

/** Milliseconds for which the others wait for a process that says nothing. */
export const leaseMillis = 3000

/** Milliseconds after which a lease is renewed at the latest, and by which a process believes it to be over before the others do. */
const renewalMillis = 1000
const marginMillis = 500

/** Milliseconds after which a connection that does not answer is given up. */
const patienceMillis = 5000

/** Milliseconds after which a new connection is tried. */
const pauseMillis = 250

/** Changes are kept for so many seconds, for those who have no connection meanwhile. */
const keptSeconds = 86_400
const renewalsAnHour = 3600

/** What hears of changes. */
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

/** The latest change stays: by it those who were away for longer notice that they have missed some. */
const forgetting = [
  `delete from changes where told_at < clock_timestamp() - make_interval(secs => $1) and number < (
    select last from counters where name = 'changes'
  )`,
  "delete from peers where until < clock_timestamp() - make_interval(secs => $1)"
]

/**
 * Says again and again, until the scope closes, up to which change this process has heard, by a connection of its own, which also hears when
 * something is told. A connection that is lost is opened anew, and what was told meanwhile is read.
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

  /** Until it has heard everything, a process does not renew its lease, so the others wait for it no longer than that. */
  const renew = Effect.fnUntraced(function* (client: Client) {
    const from = now()
    const heard = yield* catchUp((after) =>
      ask(client, "select number, notice from changes where number > $1 order by number", [after])
    )
    const rows = yield* ask(client, renewal, [name, heard, leaseMillis / 1000])
    const [renewed] = yield* Effect.orDie(Schema.decodeUnknown(Renewed)(rows))
    live = renewed?.live ?? 1
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

  /** Whoever hears nothing for a while does not know whether the connection is still there, and asks. */
  const keep = (client: Client) =>
    renew(client).pipe(
      Effect.timeoutFail({ duration: patienceMillis, onTimeout: () => new ConnectionLost() }),
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
      duration: patienceMillis * 2,
      onTimeout: () => new MetadataUnavailable()
    }),
    clock
  ).pipe(Effect.orDie)

  return { isFresh: () => now() < freshUntil, live: () => live }
})

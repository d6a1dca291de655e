import { SqlClient } from "@effect/sql"
import { Clock, Context, Duration, Effect, Exit, FiberRef, Layer, Schema } from "effect"
import { randomUUID } from "node:crypto"
import type { PeerNotice } from "../../domain/operations/PeerNotice.ts"
import { Peers } from "../../ports/operations/Peers.ts"
import { Transaction } from "../../ports/operations/Transaction.ts"
import { makeListeners } from "../local/Listeners.ts"
import { JsonText } from "../sql/Rows.ts"
import { Trusted } from "../sql/Trusted.ts"
import { channel, keepLease, leaseMillis, type Told } from "./Lease.ts"
import type { PostgresOptions } from "./Pool.ts"

/** What a transaction that has not ended tells. */
interface Telling {
  hasTold: boolean
  isOpen: boolean
}

const Changes = Schema.Array(Schema.Struct({ number: Schema.Number, notice: JsonText(Trusted<PeerNotice>()) }))
const Others = Schema.Array(Schema.Struct({ name: Schema.String }))

/** Milliseconds between two looks at whether all others have heard, which become longer. */
const looks = [2, 3, 5, 10, 20, 50]

const make = Effect.fnUntraced(function* (options: PostgresOptions) {
  const sql = yield* SqlClient.SqlClient
  const transaction = yield* Transaction
  const { deliver, hear } = makeListeners()
  const name = randomUUID()
  const decode = Schema.decodeUnknown(Changes)
  const inOrder = yield* Effect.makeSemaphore(1)
  const clock = Clock.make()
  let heard = 0
  let hasMissed = false

  /**
   * Passes on what has been told since, which `read` answers, and answers the number of the latest. Changes follow one another: where one is
   * missing, because it was forgotten before this process could hear it, nothing that is kept here may be believed any more.
   */
  const catchUp: Told["catchUp"] = (read) =>
    inOrder.withPermits(1)(
      Effect.gen(function* () {
        const changes = yield* Effect.flatMap(read(heard), (rows) => Effect.orDie(decode(rows)))
        if (!hasMissed && changes[0] !== undefined && changes[0].number > heard + 1) {
          hasMissed = true
          yield* Effect.logError("This process was away from the database for too long: restart it")
        }
        for (const { number, notice } of changes) {
          heard = number
          deliver(notice)
        }
        return heard
      })
    )

  const told: Told = { catchUp, skipTo: (number) => Effect.sync(() => void (heard = number)) }
  const lease = yield* keepLease(options, name, clock, told)

  const hearOwn = catchUp((after) => sql`select number, notice from changes where number > ${after} order by number`)

  const waiting = (number: number) =>
    Effect.flatMap(
      sql`select name from peers where name <> ${name} and heard < ${number} and until > clock_timestamp()`,
      Schema.decodeUnknown(Others)
    )

  const untilHeard = Effect.fnUntraced(function* (number: number) {
    for (let look = 0; (yield* Effect.orDie(waiting(number))).length > 0; look++) {
      yield* clock.sleep(Duration.millis(looks[Math.min(look, looks.length - 1)] ?? 50))
    }
  })

  /**
   * Waits until everybody has heard what was committed: those who do not answer have lost their lease by then. If the database fails
   * meanwhile, so that nobody can be asked, all leases are waited for.
   */
  const acknowledged = Effect.flatMap(hearOwn, untilHeard).pipe(
    Effect.catchAllCause(() => clock.sleep(Duration.millis(leaseMillis))),
    Effect.uninterruptible
  )

  const present = FiberRef.unsafeMake<Telling | null>(null)

  /** The same transaction, which is acknowledged when all have heard what was told in it. */
  const telling =
    (begin: Transaction["Type"]["run"]): Transaction["Type"]["run"] =>
    (effect, locks) =>
      Effect.flatMap(FiberRef.get(present), (outer) => {
        if (outer?.isOpen === true) return begin(effect, locks)
        const own: Telling = { hasTold: false, isOpen: true }
        const close = Effect.sync(() => {
          own.isOpen = false
        })
        return Effect.onExit(begin(Effect.locally(Effect.ensuring(effect, close), present, own), locks), (exit) => {
          const mayBeCommitted = Exit.isSuccess(exit) || Exit.isInterrupted(exit)
          return own.hasTold && mayBeCommitted ? acknowledged : Effect.void
        })
      })

  const run = telling(transaction.run)

  const write = (notice: PeerNotice) =>
    Effect.orDie(sql`with told as (insert into changes (notice) values (${JSON.stringify(notice)}) returning number)
      select pg_notify(${channel}, number::text) from told`)

  const tell = (notice: PeerNotice) =>
    run(
      Effect.flatMap(FiberRef.get(present), (telling) =>
        Effect.map(write(notice), () => {
          if (telling !== null) telling.hasTold = true
        })
      )
    )

  return Context.make(Peers, { name, tell, hear, isFresh: () => !hasMissed && lease.isFresh(), live: lease.live }).pipe(
    Context.add(Transaction, Transaction.of({ run, runRemoval: telling(transaction.runRemoval) }))
  )
})

/** Those who share the database hear of each other through it: what is told is a row, which a notice of PostgreSQL announces. */
export const PeersPostgres = (options: PostgresOptions) => Layer.scopedContext(make(options))

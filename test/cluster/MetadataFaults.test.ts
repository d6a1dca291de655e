import { assert, describe, it } from "@effect/vitest"
import { Context, Deferred, Effect, Fiber, Layer, Option, Redacted } from "effect"
import { mkdtempSync, rmSync } from "node:fs"
import { connect, createServer, type Socket } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Client } from "pg"
import { EventStoreMemory } from "../../src/adapters/memory/analytics/EventStore.ts"
import { PostgresMetadata } from "../../src/adapters/postgres/Postgres.ts"
import { defaults } from "../../src/app/Config.ts"
import { EnvironmentId } from "../../src/domain/Ids.ts"
import type { PeerNotice } from "../../src/domain/operations/PeerNotice.ts"
import { Peers } from "../../src/ports/operations/Peers.ts"
import { Transaction } from "../../src/ports/operations/Transaction.ts"
import { Turns } from "../../src/ports/operations/Turns.ts"
import { openStudio } from "../support/access/Studio.ts"
import { openApp } from "../support/App.ts"
import { byOperator, freshDatabase, urlOf } from "../support/cluster/Database.ts"
import { addressOf, endEngine, migrate, startEngine } from "./Postgres.ts"

const metadataOn = (url: Redacted.Redacted) => PostgresMetadata({ url, connections: 4 })

/** Two processes over one database, each with connections of its own. */
const twoProcesses = Effect.gen(function* () {
  const { name, url } = yield* freshDatabase
  const [a, b] = [yield* Layer.build(metadataOn(url)), yield* Layer.build(metadataOn(url))]
  return { name, a, b }
})

const about = (id: number): PeerNotice => ({ kind: "assignments", environmentId: EnvironmentId.make(id) })

const numberOf = (notice: PeerNotice): number => ("environmentId" in notice ? notice.environmentId : 0)

const heardBy = (process: Context.Context<Peers>) => {
  const heard: Array<number> = []
  const listening = Context.get(process, Peers).hear((notice) => void heard.push(numberOf(notice)))
  return Effect.as(listening, heard)
}

const within30Seconds = Effect.fnUntraced(function* (holds: () => boolean) {
  for (let look = 0; look < 3000 && !holds(); look++) {
    yield* Effect.promise(() => new Promise((resolve) => setTimeout(resolve, 10)))
  }
  assert.isTrue(holds())
})

/** Ends the connections by which processes hear, and say that they have. */
const endListeners = (database: string) =>
  byOperator(`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = '${database}' and (query like 'listen%' or query like 'insert into peers%')`)

/** Holds rows until it lets them go, so that whoever changes them waits. */
const heldUp = (database: string, statement: string) =>
  Effect.map(
    Effect.acquireRelease(
      Effect.promise(async () => {
        const client = new Client({ connectionString: urlOf(process.env["GAMEKEEPER_TEST_POSTGRES"] ?? "", database) })
        await client.connect()
        await client.query(`begin; ${statement}`)
        return client
      }),
      (client) => Effect.promise(() => client.end())
    ),
    (client) => ({ letGo: Effect.promise(() => client.query("commit")) })
  )

/** A way to the socket of the engine that can be cut as a cable is: nobody is told, and nothing is closed. */
const openCable = async (socket: string) => {
  const ends: Array<Socket> = []
  let isHeldBack = false
  const server = createServer((near) => {
    const far = connect(socket)
    for (const end of [near, far]) end.on("error", () => undefined)
    ends.push(near, far)
    if (isHeldBack) return
    near.pipe(far)
    far.pipe(near)
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  return {
    port: Object(server.address()).port,
    cut: () => {
      for (const end of ends) end.unpipe().pause()
    },
    /** What is opened from now on leads nowhere. */
    holdBack: () => {
      isHeldBack = true
    },
    close: () => {
      for (const end of ends) end.destroy()
      return new Promise((resolve) => server.close(resolve))
    }
  }
}

/** The answer, or undefined where none came in time (milliseconds). */
const within = <Answer>(limit: number, answer: Promise<Answer>): Promise<Answer | undefined> =>
  Promise.race([answer, new Promise<undefined>((resolve) => setTimeout(() => resolve(undefined), limit))])

describe("Processes over one PostgreSQL", () => {
  it.scoped(
    "have heard of each other's changes when these are acknowledged, also after their connections were ended",
    () =>
      Effect.gen(function* () {
        const { name, a, b } = yield* twoProcesses
        const heard = yield* heardBy(b)
        const { run } = Context.get(a, Transaction)
        const { tell, live } = Context.get(a, Peers)
        for (let id = 1; id <= 20; id++) {
          if (id === 10) yield* endListeners(name)
          yield* run(tell(about(id)))
          assert.strictEqual(heard.at(-1), id)
        }
        assert.deepStrictEqual(
          heard,
          Array.from({ length: 20 }, (_, index) => index + 1)
        )
        yield* within30Seconds(() => live() === 2 && Context.get(b, Peers).isFresh())
      })
  )

  it.scoped("wait for one that is gone no longer than its lease", () =>
    Effect.gen(function* () {
      const { name, a } = yield* twoProcesses
      yield* byOperator(`insert into peers values ('gone', 0, clock_timestamp() + interval '1 second')`, name)
      yield* Context.get(a, Peers).tell(about(1))
      const left = yield* byOperator(`select 1 from peers where name = 'gone' and until > clock_timestamp()`, name)
      assert.strictEqual(left.rowCount, 0)
    })
  )

  it.scoped("count as fresh again after their lease was over once they have heard what nobody waited for", () =>
    Effect.gen(function* () {
      const { name, a, b } = yield* twoProcesses
      const { name: own, isFresh } = Context.get(b, Peers)
      const heard = yield* heardBy(b)
      const renewal = yield* heldUp(name, `select 1 from peers where name = '${own}' for update`)
      yield* within30Seconds(() => !isFresh())
      yield* Context.get(a, Peers).tell(about(7))
      assert.deepStrictEqual([isFresh(), heard], [false, []])
      yield* renewal.letGo
      while (!isFresh()) yield* Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))
      assert.deepStrictEqual(heard, [7])
    })
  )

  it.scoped("take turns, and one whose connection is gone has none", () =>
    Effect.gen(function* () {
      const { name, a, b } = yield* twoProcesses
      const begun = yield* Deferred.make<void>()
      const work = Effect.zipRight(Deferred.succeed(begun, undefined), Effect.never)
      const held = yield* Effect.fork(Context.get(a, Turns).alone("maintenance", work))
      yield* Deferred.await(begun)
      const { alone, once } = Context.get(b, Turns)
      assert.deepStrictEqual(yield* once("maintenance", Effect.succeed(1)), Option.none())
      assert.deepStrictEqual(yield* once("removals", Effect.succeed(2)), Option.some(2))
      const waiting = yield* Effect.fork(alone("maintenance", Effect.succeed(3)))
      yield* byOperator(`select pg_terminate_backend(pid) from pg_locks
        where locktype = 'advisory' and granted and mode = 'ExclusiveLock'
          and database = (select oid from pg_database where datname = '${name}')`)
      assert.strictEqual(yield* Fiber.join(waiting), 3)
      yield* Fiber.interrupt(held)
    })
  )

  it("refuse with 503 and a time to come back while the engine is down, and go on when it is back", async () => {
    const folder = mkdtempSync(join(tmpdir(), "postgres-"))
    let engine = await startEngine(folder)
    const url = addressOf(folder)
    await migrate(url)
    const app = openApp(Layer.merge(metadataOn(Redacted.make(url)), EventStoreMemory(defaults)))
    const studio = await openStudio(app.request, "ada")
    const rename = () =>
      app.request("POST", `/application/${studio.applicationId}/environments`, {
        headers: studio.cookie,
        body: { name: "Later", alias: `later${Math.random()}`.replace(".", "") }
      })
    await endEngine(engine)
    const refused = await rename()
    assert.deepStrictEqual([refused.status, refused.body.code], [503, "METADATA_UNAVAILABLE"])
    assert.strictEqual(refused.headers.get("retry-after"), "2")
    assert.strictEqual((await app.request("GET", "/ready")).status, 503)
    engine = await startEngine(folder)
    assert.strictEqual((await rename()).status, 201)
    await app.close()
    await endEngine(engine)
    rmSync(folder, { recursive: true })
  })

  it("give up connections that are cut off without being closed, and open others", async () => {
    const folder = mkdtempSync(join(tmpdir(), "postgres-"))
    const engine = await startEngine(folder)
    await migrate(addressOf(folder))
    const cable = await openCable(join(folder, ".s.PGSQL.5432"))
    const url = Redacted.make(`postgres://postgres@127.0.0.1:${cable.port}/postgres`)
    const metadata = PostgresMetadata({ url, connections: 4, longestStatement: 1000 })
    const app = openApp(Layer.merge(metadata, EventStoreMemory(defaults)))
    const studio = await openStudio(app.request, "ada")
    const look = () =>
      app.request("GET", `/application/${studio.applicationId}/environments`, { headers: studio.cookie })
    assert.strictEqual((await look()).status, 200)
    cable.cut()
    const statuses: Array<number | undefined> = []
    while (statuses.length < 20 && statuses.at(-1) !== 200) statuses.push((await within(30_000, look()))?.status)
    assert.strictEqual(statuses.at(-1), 200, statuses.join())
    assert.notInclude(statuses, undefined)
    cable.holdBack()
    cable.cut()
    assert.strictEqual((await within(30_000, app.request("GET", "/ready")))?.status, 503)
    await cable.close()
    await app.close()
    await endEngine(engine)
    rmSync(folder, { recursive: true })
  })
})

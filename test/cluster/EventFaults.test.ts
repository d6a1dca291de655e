import { assert, describe, it } from "@effect/vitest"
import { Cause, Effect, Exit, Layer, TestContext } from "effect"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { tableNames } from "../../src/adapters/clickhouse/Tables.ts"
import { EventStore } from "../../src/ports/analytics/EventStore.ts"
import { eventsOn, freshClickHouse, freshDatabases, inClickHouse } from "../support/cluster/EventStores.ts"
import type { Databases } from "../support/cluster/SharedDatabases.ts"
import { addressOf, endEngine, migrate, startEngine } from "./Postgres.ts"
import { startClickHouse } from "../support/cluster/ClickHouseProcess.ts"
import { childOf, crashPoints, environment, everyMarker, receivedAt, type Said, sentMarker } from "./Children.ts"

/** On a clock that stands still, so that nothing is moved but by a question. */
const on = <A, E>(databases: Databases, effect: Effect.Effect<A, E, EventStore>) =>
  Effect.runPromise(Effect.provide(effect, Layer.provideMerge(eventsOn(databases, 7), TestContext.TestContext)))

/** Runs a test over databases of its own, in the engines of all tests or in a ClickHouse of its own. */
const inDatabases = (test: (databases: Databases) => Promise<void>, clickHouse?: string) =>
  Effect.runPromise(
    Effect.scoped(Effect.flatMap(freshDatabases(clickHouse), (databases) => Effect.promise(() => test(databases))))
  )

const numbers = (count: number) => Array.from({ length: count }, (_, number) => number)

const append = (from: number, count: number) =>
  Effect.flatMap(EventStore, (store) =>
    store.append(
      environment,
      receivedAt,
      numbers(count).map((number) => sentMarker(from + number))
    )
  )

/** That each of the markers is stored once, with the sequences 1 to their number, and counted once in the catalogue. */
const assertStored = (count: number) =>
  Effect.gen(function* () {
    const { ask } = yield* EventStore
    const { answer, meta } = yield* ask(environment, everyMarker)
    assert.strictEqual(meta.highestSequence, count)
    const stored = answer.items.map(({ arguments: { number } }) => number)
    assert.deepStrictEqual(stored.toReversed(), numbers(count))
    const sequences = answer.items.map(({ sequence }) => sequence).sort((a, b) => a - b)
    assert.deepStrictEqual(
      sequences,
      numbers(count).map((number) => number + 1)
    )
    const types = yield* ask(environment, { kind: "types", plan: { now: receivedAt } })
    assert.strictEqual(
      types.answer.reduce((sum, { count30d }) => sum + count30d, 0),
      count
    )
  })

describe("What was acknowledged is stored once", () => {
  it("and on the disk of ClickHouse before it leaves the log", () =>
    inDatabases(async (databases) => {
      await on(databases, append(0, 1))
      const tables = await inClickHouse(databases, ({ rows }) =>
        rows<readonly [string, string]>(
          "select name, create_table_query from system.tables where database = currentDatabase() and name <> 'migration'"
        )
      )
      assert.sameMembers(
        tables.map(([name]) => name),
        [...tableNames]
      )
      for (const [name, made] of tables)
        assert.match(made, /fsync_after_insert = (?:1|true), fsync_part_directory = (?:1|true)/, name)
    }))

  it("when whoever moves it to ClickHouse is killed between any two steps", () =>
    inDatabases(async (databases) => {
      for (const [at, point] of crashPoints.entries()) {
        await on(databases, append(at * 100, 100))
        assert.strictEqual(await childOf(databases, { do: "move" }, point), "SIGKILL", point)
        await on(databases, append(at * 100, 50))
      }
      await on(databases, assertStored(crashPoints.length * 100))
    }))

  it("when three processes append the same markers and one of them is killed", () =>
    inDatabases(async (databases) => {
      const starts = numbers(30).map((number) => number * 20)
      const told = new Set<number>()
      let stored = 0
      const heard = ({ start, count, duplicates }: Said) => {
        told.add(start)
        stored += count - duplicates
      }
      const [one, other, killed] = await Promise.all([
        childOf(databases, { do: "append", starts, count: 20 }, null, heard),
        childOf(databases, { do: "append", starts: starts.toReversed(), count: 20 }, null, heard),
        childOf(databases, { do: "append", starts: starts.slice(15), count: 20 }, null, (said, kill) => {
          heard(said)
          if (told.size > 5) kill()
        })
      ])
      assert.deepStrictEqual([one, other, killed], [0, 0, "SIGKILL"])
      assert.strictEqual(told.size, starts.length)
      assert.isAtMost(stored, 600)
      await on(databases, assertStored(600))
    }))
})

/** Why an effect did not succeed. */
const failureOf = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.map(Effect.exit(effect), (exit) => (Exit.isFailure(exit) ? Cause.pretty(exit.cause) : ""))

const inFolder = async (name: string, test: (folder: string) => Promise<void>) => {
  const folder = mkdtempSync(join(tmpdir(), name))
  await test(folder)
  rmSync(folder, { recursive: true })
}

describe("While an engine is down", () => {
  it("that is ClickHouse, markers are taken in and questions refused, and when it is back every marker is there once", () =>
    inFolder("clickhouse-", async (folder) => {
      const first = await startClickHouse(folder)
      let latest = first
      await inDatabases(
        (databases) =>
          on(
            databases,
            Effect.gen(function* () {
              const { ask, problems } = yield* EventStore
              yield* append(0, 100)
              yield* assertStored(100)
              yield* append(100, 100)
              yield* Effect.promise(() => first.end("SIGKILL"))
              assert.deepStrictEqual(yield* append(150, 100), numbers(50))
              assert.include(yield* failureOf(ask(environment, everyMarker)), "StoreUnavailable")
              assert.deepStrictEqual(
                (yield* problems).map(({ code, store }) => [code, store]),
                [["STORE_SILENT", "events"]]
              )
              latest = yield* Effect.promise(() => startClickHouse(folder, new URL(first.url).port))
              yield* assertStored(250)
              assert.deepStrictEqual(yield* problems, [])
            })
          ),
        first.url
      )
      await latest.end("SIGTERM")
    }))

  it("that is PostgreSQL, nothing is acknowledged that is not there when it is back", () =>
    inFolder("postgres-", async (folder) => {
      let engine = await startEngine(folder)
      const url = addressOf(folder)
      await migrate(url)
      const databases = { postgres: url, clickHouse: freshClickHouse() }
      await on(
        databases,
        Effect.gen(function* () {
          const { ask, logProblems } = yield* EventStore
          yield* append(0, 100)
          yield* assertStored(100)
          yield* append(100, 100)
          yield* Effect.promise(() => endEngine(engine))
          assert.include(yield* failureOf(append(200, 10)), "MetadataUnavailable")
          assert.include(yield* failureOf(ask(environment, everyMarker)), "MetadataUnavailable")
          const codes = Effect.map(logProblems ?? Effect.succeed([]), (all) => all.map(({ store }) => store))
          assert.deepStrictEqual(yield* codes, ["log"])
          engine = yield* Effect.promise(() => startEngine(folder))
          assert.deepStrictEqual(yield* append(150, 100), numbers(50))
          yield* assertStored(250)
          assert.deepStrictEqual(yield* codes, [])
        })
      )
      await endEngine(engine)
    }))
})

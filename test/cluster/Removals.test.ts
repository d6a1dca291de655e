import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, TestContext } from "effect"
import { Client } from "pg"
import { ClickHouse, ClickHouseSilent } from "../../src/adapters/clickhouse/ClickHouse.ts"
import { EventStore } from "../../src/ports/analytics/EventStore.ts"
import { eventsOn, freshDatabases, inClickHouse } from "../support/cluster/EventStores.ts"
import type { Databases } from "../support/cluster/SharedDatabases.ts"
import {
  childOf,
  type CrashPoint,
  crashPoints,
  environment,
  everyMarker,
  receivedAt,
  removalPoints,
  sentMarker
} from "./Children.ts"

const monthMillis = 31 * 86_400_000
const gone = 'Grace "u0" \\ é'

/** Of ten markers two are of the unit that will be gone, whose markers alone are of the month before; one names it in an argument. */
const markerOf = (number: number) => {
  const marker = sentMarker(number)
  if (number % 10 === 3) return { ...marker, arguments: { ...marker.arguments, friend: gone } }
  if (number % 5 !== 0) return marker
  return { ...marker, unitId: gone, timestamp: marker.timestamp - monthMillis, arguments: { number, secret: "mine" } }
}

const numbers = Array.from({ length: 100 }, (_, number) => number)
const others = numbers.filter((number) => number % 5 !== 0)

const append = Effect.flatMap(EventStore, (store) =>
  // Several commits, since a block has several.
  Effect.forEach([0, 30, 60], (from) =>
    store.append(environment, receivedAt, numbers.slice(from, from === 60 ? undefined : from + 30).map(markerOf))
  )
)

/** Collects the texts of what is sent to ClickHouse. */
const spiedBy =
  (sent: Array<string>) =>
  <E>(layer: Layer.Layer<ClickHouse, E>): Layer.Layer<ClickHouse, E> =>
    Layer.map(layer, (context) => {
      const { insert, ...others } = context.unsafeMap.get(ClickHouse.key) as ClickHouse["Type"]
      const spying: ClickHouse["Type"] = {
        ...others,
        insert: (table, lines, token) => {
          for (const line of lines) sent.push(Buffer.from(line).toString())
          return insert(table, lines, token)
        }
      }
      context.unsafeMap.set(ClickHouse.key, spying)
      return context
    })

/** Refuses statements that begin with the text. */
const failingAt =
  (start: string) =>
  <E>(layer: Layer.Layer<ClickHouse, E>): Layer.Layer<ClickHouse, E> =>
    Layer.map(layer, (context) => {
      const { run, ...others } = context.unsafeMap.get(ClickHouse.key) as ClickHouse["Type"]
      const failing: ClickHouse["Type"] = {
        ...others,
        run: (statement) =>
          statement.startsWith(start) ? Effect.fail(new ClickHouseSilent({ message: "down" })) : run(statement)
      }
      context.unsafeMap.set(ClickHouse.key, failing)
      return context
    })

/** On a clock that stands still, so that nothing is moved in the background. Answers what was sent to ClickHouse. */
const on = async (databases: Databases, effect: Effect.Effect<unknown, unknown, EventStore>) => {
  const sent: Array<string> = []
  const events = Layer.provideMerge(eventsOn(databases, 7, spiedBy(sent)), TestContext.TestContext)
  await Effect.runPromise(Effect.provide(effect, events))
  return sent.join("\n")
}

const inDatabases = (test: (databases: Databases) => Promise<void>) =>
  Effect.runPromise(
    Effect.scoped(Effect.flatMap(freshDatabases(), (databases) => Effect.promise(() => test(databases))))
  )

const countOf = async (databases: Databases, table: string, where: string) => {
  const [found] = await inClickHouse(databases, ({ rows }) =>
    rows<readonly [number]>(`select count() from ${table} where ${where}`)
  )
  return found?.[0]
}

/** What is in PostgreSQL's log now. */
const logOf = async ({ postgres }: Databases) => {
  const client = new Client({ connectionString: postgres })
  await client.connect()
  const { rows } = await client.query<{ readonly payload: Buffer }>("select payload from event_log order by first")
  await client.end()
  return rows.map(({ payload }) => payload)
}

const erase = Effect.flatMap(EventStore, (store) => store.erase(environment, gone))
const drop = Effect.flatMap(EventStore, (store) => store.drop([environment]))
const move = Effect.flatMap(EventStore, (store) => store.ask(environment, everyMarker))

const assertOthersOnly = async (databases: Databases) => {
  await on(
    databases,
    Effect.map(move, ({ answer, meta }) => {
      const found = answer.items.map(({ arguments: { number } }) => Number(number))
      assert.deepStrictEqual(
        found.sort((a, b) => a - b),
        others
      )
      assert.strictEqual(meta.highestSequence, 100)
    })
  )
  const rest = `environment = ${environment} and (position(unit, 'Grace') > 0 or toString(a.s_secret) = 'mine')`
  assert.strictEqual(await countOf(databases, "marker", rest), 0)
  assert.strictEqual(await countOf(databases, "catalogue", "position(value, 'Grace') > 0"), 0)
  assert.deepStrictEqual(await logOf(databases), [])
}

const assertNothing = async (databases: Databases) => {
  for (const table of ["marker", "catalogue", "stay"])
    assert.strictEqual(await countOf(databases, table, `environment = ${environment}`), 0, table)
  assert.deepStrictEqual(await logOf(databases), [])
}

/** Markers wait in the log, and the process that moved them was killed. */
const appendAndKill = async (databases: Databases, point: CrashPoint) => {
  await on(databases, append)
  assert.strictEqual(await childOf(databases, { do: "move" }, point), "SIGKILL")
}

/** The block that was on its way when its mover was killed arrives after the removal. */
const arriveLast = async (databases: Databases, removal: typeof erase | typeof drop) => {
  await appendAndKill(databases, "before marker")
  const late = await logOf(databases)
  await on(databases, removal)
  await inClickHouse(databases, ({ insert }) => insert("marker", late, `${environment}:1:100`))
}

const ownLine = `"unit":"Grace`

describe("Markers of an erased unit", () => {
  it("never go from the log to ClickHouse", () =>
    inDatabases(async (databases) => {
      const sent = await on(databases, Effect.zipRight(append, erase))
      assert.notInclude(sent, ownLine)
      assert.notInclude(sent, "mine")
      await assertOthersOnly(databases)
    }))

  for (const point of crashPoints)
    it(`are in neither when whoever moved them was killed ${point}`, () =>
      inDatabases(async (databases) => {
        await appendAndKill(databases, point)
        assert.notInclude(await on(databases, erase), ownLine)
        await assertOthersOnly(databases)
      }))

  for (const point of removalPoints)
    it(`leave the log at once, and are gone when an erasure that was killed ${point} is repeated`, () =>
      inDatabases(async (databases) => {
        await appendAndKill(databases, "before marker")
        assert.strictEqual(await childOf(databases, { do: "erase", unitId: gone }, point), "SIGKILL")
        assert.isFalse((await logOf(databases)).some((payload) => payload.includes(ownLine)))
        assert.strictEqual(await countOf(databases, "marker", "position(unit, 'Grace') > 0"), 0)
        assert.notInclude(await on(databases, move), ownLine)
        await on(databases, erase)
        await assertOthersOnly(databases)
      }))

  it("are taken from the counts once, when an erasure that failed before they were removed is repeated", () =>
    inDatabases(async (databases) => {
      await on(databases, Effect.zipRight(append, move))
      const failing = Layer.provideMerge(
        eventsOn(databases, 7, failingAt("alter table marker")),
        TestContext.TestContext
      )
      await Effect.runPromise(Effect.provide(Effect.exit(erase), failing))
      assert.isAbove((await countOf(databases, "marker", "position(unit, 'Grace') > 0")) ?? 0, 0)
      await on(databases, erase)
      await assertOthersOnly(databases)
      const [sum] = await inClickHouse(databases, ({ rows }) =>
        rows<readonly [number]>(`select sum(n) from catalogue where environment = ${environment} and kind = 'type'`)
      )
      assert.deepStrictEqual(sum, [others.length])
      assert.strictEqual(await countOf(databases, "catalogue", "position(value, 'mine') > 0"), 0)
    }))

  it("do not come in with a block that was on its way and arrives last", () =>
    inDatabases(async (databases) => {
      await arriveLast(databases, erase)
      await assertOthersOnly(databases)
    }))
})

describe("Markers of an environment that is gone", () => {
  it("never go from the log to ClickHouse", () =>
    inDatabases(async (databases) => {
      const sent = await on(databases, Effect.zipRight(append, drop))
      assert.notInclude(sent, `"environment":${environment}`)
      await assertNothing(databases)
    }))

  for (const point of crashPoints)
    it(`are in neither when whoever moved them was killed ${point}`, () =>
      inDatabases(async (databases) => {
        await appendAndKill(databases, point)
        assert.notInclude(await on(databases, drop), `"environment":${environment}`)
        await assertNothing(databases)
      }))

  for (const point of removalPoints)
    it(`are gone when a removal that was killed ${point} is repeated`, () =>
      inDatabases(async (databases) => {
        await appendAndKill(databases, "after marker")
        assert.strictEqual(await childOf(databases, { do: "drop" }, point), "SIGKILL")
        await on(databases, drop)
        await assertNothing(databases)
      }))

  it("do not come in with a block that was on its way and arrives last", () =>
    inDatabases(async (databases) => {
      await arriveLast(databases, drop)
      await assertNothing(databases)
    }))
})

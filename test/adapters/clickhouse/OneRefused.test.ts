import { assert, describe, it } from "@effect/vitest"
import { Effect, Either, Layer, Option, TestClock } from "effect"
import { ClickHouse, ClickHouseRefused, ClickHouseSilent } from "../../../src/adapters/clickhouse/ClickHouse.ts"
import { inEach } from "../../../src/adapters/clickhouse/analytics/InEach.ts"
import { makeMover } from "../../../src/adapters/clickhouse/analytics/Mover.ts"
import { makeRemoval } from "../../../src/adapters/clickhouse/analytics/Removal.ts"
import { TurnsLocal } from "../../../src/adapters/local/Turns.ts"
import { EnvironmentId } from "../../../src/domain/Ids.ts"
import type { EventLog } from "../../../src/adapters/postgres/analytics/EventLog.ts"

const unused = () => Effect.dieMessage("nobody asks for this")

const lineOf = (environment: number) => `{"environment":${environment},"type":"Level","at":0,"a":{},"p":{}}\n`

/** Environments with one marker each in the log, and of which none is left behind in the end. */
const logOf = (environments: ReadonlyArray<number>) => {
  const left = new Set(environments)
  const log: Partial<EventLog> = {
    waiting: Effect.sync(() => [...left]),
    nextBlock: (environment) =>
      Effect.sync(() =>
        left.has(environment) ? Option.some({ first: 1, last: 1, texts: [lineOf(environment)] }) : Option.none()
      ),
    moved: (environment) => Effect.sync(() => void left.delete(environment))
  }
  return { log: log as EventLog, left }
}

/** ClickHouse that has lost the rows of environment 1, and has one row of each other. */
const losing = Layer.succeed(ClickHouse, {
  rows: <Row>(query: string) =>
    Effect.succeed(query.includes("from catalogue") ? [] : [[query.includes("environment = 1 ") ? 0 : 1] as Row]),
  insert: () => Effect.void,
  run: () => Effect.void
})

/**
 * ClickHouse that knows the token of the only block, and has so many rows of it; it takes rows in under a token that it does not know. A replica that
 * lags behind has none in so many counts.
 */
const forgetful = (count: number, lagging = 0) => {
  const tokens = new Set(["1:1:1", "1:1:1:catalogue"])
  let stored = count
  let counts = 0
  const counted = () => (++counts > lagging ? stored : 0)
  return Layer.succeed(ClickHouse, {
    rows: <Row>(query: string) => Effect.sync(() => (query.includes("from catalogue") ? [] : [[counted()] as Row])),
    insert: (table, _, token) =>
      Effect.sync(() => {
        if (table === "marker" && !tokens.has(token)) stored++
        tokens.add(token)
      }),
    run: () => Effect.void
  })
}

const world = Layer.merge(losing, TurnsLocal)

const tagOf = <A, E extends { readonly _tag: string }>(ended: Either.Either<A, E>) =>
  Either.match(ended, { onLeft: ({ _tag }) => _tag, onRight: () => "done" })

describe("An environment of which ClickHouse has lost rows", () => {
  it.effect("keeps the markers of no other waiting", () =>
    Effect.gen(function* () {
      const { log, left } = logOf([1, 2, 3])
      const mover = yield* makeMover(log)
      assert.strictEqual(tagOf(yield* Effect.either(mover.moveWaiting)), "ClickHouseRefused")
      assert.deepStrictEqual([...left], [1])
    }).pipe(Effect.provide(world))
  )

  it.effect("keeps no other from losing what is past retention, nor old ids from going", () =>
    Effect.gen(function* () {
      const { log, left } = logOf([1, 2, 3])
      const closed: Array<number> = []
      const keys = {
        open: unused,
        close: (before: number) => Effect.sync(() => void closed.push(before)),
        forget: Effect.void
      }
      const removal = yield* makeRemoval(log, keys, yield* makeMover(log), 7)
      const retention = [1, 2, 3].map((id) => ({ environmentId: EnvironmentId.make(id), before: -Infinity }))
      const ended = yield* Effect.either(removal.maintain({ now: 86_400_000 * 20, retention }))
      assert.strictEqual(tagOf(ended), "ClickHouseRefused")
      assert.deepStrictEqual([[...left], closed], [[1], [12]])
    }).pipe(Effect.provide(world))
  )
})

describe("A block of which ClickHouse knows the token", () => {
  const moved = (count: number) =>
    Effect.gen(function* () {
      const { log, left } = logOf([1])
      const { moveWaiting } = yield* makeMover(log)
      yield* Effect.either(moveWaiting)
      assert.deepStrictEqual([...left], [1])
      yield* TestClock.adjust("1 minute")
      const ended = yield* Effect.either(moveWaiting)
      return { ended, left: [...left] }
    }).pipe(Effect.provide(Layer.merge(forgetful(count), TurnsLocal)))

  it.effect("is sent again where there was no row of it for a minute", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* moved(0), { ended: Either.right(undefined), left: [] })
    })
  )

  it.effect("is sent again once in a minute, by whatever process, so that a replica that lags behind has it once", () =>
    Effect.gen(function* () {
      const { log, left } = logOf([1])
      const [first, second] = [yield* makeMover(log), yield* makeMover(log)]
      const move = ({ moveWaiting }: typeof first) => Effect.either(moveWaiting)
      yield* Effect.forEach([first, second], move)
      yield* TestClock.adjust("1 minute")
      yield* move(first)
      yield* TestClock.adjust("5 seconds")
      yield* Effect.forEach([first, second], move)
      assert.deepStrictEqual([...left], [1])
      assert.deepStrictEqual([yield* move(first), [...left]], [Either.right(undefined), []])
    }).pipe(Effect.provide(Layer.merge(forgetful(0, 7), TurnsLocal)))
  )

  it.effect("stays in the log where some are, and what is to be done is said", () =>
    Effect.gen(function* () {
      const { ended, left } = yield* moved(2)
      assert.deepStrictEqual(left, [1])
      assert.include(
        Either.match(ended, { onLeft: ({ message }) => message, onRight: () => "" }),
        "run there: alter table marker delete where environment = 1 and sequence between 1 and 1 settings mutations_sync = 2"
      )
    })
  )
})

describe("Work for one environment after the other", () => {
  it.effect("ends where ClickHouse does not answer", () =>
    Effect.gen(function* () {
      const worked: Array<number> = []
      const problems = [
        new ClickHouseRefused({ code: 241, message: "no memory" }),
        new ClickHouseSilent({ message: "down" })
      ]
      const work = (environment: number) =>
        Effect.suspend(() => {
          worked.push(environment)
          const problem = problems[environment]
          return problem === undefined ? Effect.void : Effect.fail(problem)
        })
      assert.strictEqual(tagOf(yield* Effect.either(inEach([2, 0, 3], work))), "ClickHouseRefused")
      assert.strictEqual(tagOf(yield* Effect.either(inEach([2, 1, 3], work))), "ClickHouseSilent")
      assert.strictEqual(tagOf(yield* Effect.either(inEach([2, 3], work))), "done")
      assert.deepStrictEqual(worked, [2, 0, 3, 2, 1, 2, 3])
    })
  )
})

import { assert, it } from "@effect/vitest"
import { Effect, Exit, Layer, TestContext } from "effect"
import { ClickHouse, ClickHouseSilent } from "../../src/adapters/clickhouse/ClickHouse.ts"
import { EventStore } from "../../src/ports/analytics/EventStore.ts"
import { CohortMembers } from "../../src/ports/cohorts/CohortMembers.ts"
import { eventsOn, freshDatabases, inClickHouse } from "../support/cluster/EventStores.ts"
import type { Databases } from "../support/cluster/SharedDatabases.ts"
import { cohort, did } from "../support/cohorts/CohortStores.ts"
import { environment, everyMarker, receivedAt, sentMarker } from "./Children.ts"

type Statements = ClickHouse["Type"]

const changedBy =
  (change: (statements: Statements) => Partial<Statements>) =>
  <E>(layer: Layer.Layer<ClickHouse, E>): Layer.Layer<ClickHouse, E> =>
    Layer.map(layer, (context) => {
      const own = context.unsafeMap.get(ClickHouse.key) as Statements
      context.unsafeMap.set(ClickHouse.key, { ...own, ...change(own) })
      return context
    })

const asItIs = () => ({})

/** A process of its own, on a clock that stands still, so that nothing is moved in the background. */
const on = <A>(
  databases: Databases,
  effect: Effect.Effect<A, unknown, EventStore | CohortMembers>,
  change: (statements: Statements) => Partial<Statements> = asItIs
) => {
  const events = Layer.provideMerge(eventsOn(databases, 7, changedBy(change)), TestContext.TestContext)
  return Effect.promise(() => Effect.runPromiseExit(Effect.provide(effect, events)))
}

const numberIn = (databases: Databases, query: string) =>
  Effect.promise(() => inClickHouse(databases, ({ rows }) => rows<readonly [number]>(query))).pipe(
    Effect.map(([found]) => found?.[0])
  )

const markers = (from: number, to: number) =>
  Effect.flatMap(EventStore, ({ append, ask }) =>
    Effect.zipRight(
      append(
        environment,
        receivedAt,
        Array.from({ length: to - from }, (_, at) => ({ ...sentMarker(from + at), unitId: `u${(from + at) % 5}` }))
      ),
      ask(environment, everyMarker)
    )
  )

const erase = Effect.flatMap(EventStore, (store) => store.erase(environment, "u0"))

it.scopedLive("an erased unit does not come back with members of a cohort that were computed before", () =>
  Effect.gen(function* () {
    const databases = yield* freshDatabases()
    yield* on(databases, markers(0, 30))
    let erasures = 0
    const meanwhile = ({ insert }: Statements): Partial<Statements> => ({
      insert: (table, lines, token) =>
        Effect.zipRight(
          table === "stay" && erasures++ === 0 ? on(databases, erase) : Effect.void,
          insert(table, lines, token)
        )
    })
    const recompute = Effect.flatMap(CohortMembers, (members) =>
      members.recompute(environment, cohort, did("Type0"), receivedAt)
    )
    const generation = Exit.getOrElse(yield* on(databases, recompute, meanwhile), () => null)
    assert.deepStrictEqual([generation?.memberCount, generation?.entered], [4, 4])
    assert.strictEqual(yield* numberIn(databases, "select count() from stay where unit = 'u0'"), 0)
  })
)

it.scopedLive(
  "markers of a unit are taken from the counts once where their removal takes longer than its process",
  () =>
    Effect.gen(function* () {
      const databases = yield* freshDatabases()
      yield* on(databases, markers(0, 50))
      yield* Effect.promise(() => inClickHouse(databases, ({ run }) => run("system stop merges marker")))
      const impatient = ({ run }: Statements): Partial<Statements> => ({
        run: (statement) =>
          statement.startsWith("alter table marker")
            ? Effect.zipRight(
                run(statement.replace("mutations_sync = 2", "mutations_sync = 0")),
                new ClickHouseSilent({ message: "no answer" })
              )
            : run(statement)
      })
      assert.isTrue(Exit.isFailure(yield* on(databases, erase, impatient)))
      yield* on(databases, markers(50, 60))
      const goingOn = ({ run }: Statements): Partial<Statements> => ({
        run: (statement) =>
          Effect.zipRight(
            statement.startsWith("alter table") ? run("system start merges marker") : Effect.void,
            run(statement)
          )
      })
      assert.isTrue(Exit.isSuccess(yield* on(databases, erase, goingOn)))
      assert.strictEqual(yield* numberIn(databases, "select count() from marker where environment > 0"), 48)
      assert.strictEqual(yield* numberIn(databases, "select sum(n) from catalogue where kind = 'type'"), 48)
    })
)

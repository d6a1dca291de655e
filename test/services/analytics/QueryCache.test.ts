// @effect-diagnostics runEffectInsideEffect:off -- fast-check takes promises
import { inlineThreads } from "../../../src/adapters/sqlite/events/threads/InlineThreads.ts"
import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, FastCheck as fc, Layer, Logger } from "effect"
import { EventStoreMemory } from "../../../src/adapters/memory/analytics/EventStore.ts"
import { defaults } from "../../../src/app/Config.ts"
import { SettingsLive } from "../../../src/app/SettingsLive.ts"
import { EventStoreSqlite } from "../../../src/adapters/sqlite/analytics/EventStore.ts"
import { unfiltered } from "../../../src/domain/analytics/filter/Filter.ts"
import type { InsightPlan } from "../../../src/domain/analytics/insight/InsightPlan.ts"
import { EnvironmentId } from "../../../src/domain/Ids.ts"
import { EventStore } from "../../../src/ports/analytics/EventStore.ts"
import { QueryCache } from "../../../src/services/analytics/QueryCache.ts"
import { base, day, fewMarkers } from "../../support/analytics/FewMarkers.ts"
import { runCount } from "../../support/Runs.ts"

const stores = [
  ["memory", EventStoreMemory({ dedupeDays: 7 })],
  [
    "sqlite",
    EventStoreSqlite({ file: ":memory:", threads: inlineThreads, dedupeDays: 7, cacheBytes: 1e6, budget: 10_000 })
  ]
] as const

const plan = (to: number): InsightPlan => ({
  range: { from: base - day, to },
  buckets: { step: "day", zone: "UTC", boundaries: [base - day, base + 9 * day] },
  metrics: [{ id: "A", selector: { types: ["Login", "Level"], filter: unfiltered }, measure: { type: "totalEvents" } }],
  filter: unfiltered,
  breakdowns: [],
  breakdownLimit: 25,
  groups: null,
  cumulative: false
})

type Step =
  | {
      readonly do: "append"
      readonly events: ReadonlyArray<typeof fewMarkers extends fc.Arbitrary<infer E> ? E : never>
    }
  | { readonly do: "ask"; readonly after: number; readonly relative: boolean }

const steps: fc.Arbitrary<ReadonlyArray<Step>> = fc.array(
  fc.oneof(
    fc.record({ do: fc.constant("append" as const), events: fc.array(fewMarkers, { maxLength: 2 }) }),
    fc.record({ do: fc.constant("ask" as const), after: fc.integer({ min: 0, max: 2 }), relative: fc.boolean() })
  ),
  { maxLength: 12 }
)

let environments = 0

describe.each(stores)("answers kept over %s", (_, store) => {
  it(
    "are what the store answers, whatever arrives in between and however time passes",
    () =>
      Effect.gen(function* () {
        const context = yield* Layer.build(
          QueryCache.Default.pipe(Layer.provideMerge(store), Layer.provide(SettingsLive(defaults)))
        )
        let hits = 0
        const play = Effect.fnUntraced(function* (script: ReadonlyArray<Step>) {
          const cache = yield* QueryCache
          const events = yield* EventStore
          const environment = EnvironmentId.make(++environments)
          let now = base
          for (const step of script) {
            if (step.do === "append") {
              yield* events.append(environment, base, step.events)
              continue
            }
            now += step.after * 20 * 3_600_000
            const question = { kind: "insight", plan: plan(step.relative ? now + 1 : base + day) } as const
            const { answer, meta } = yield* cache.ask(environment, question, now)
            assert.deepStrictEqual(answer, (yield* events.ask(environment, question)).answer)
            if (meta.cached) hits++
          }
        })
        const check = fc.asyncProperty(steps, (script) => Effect.runPromise(Effect.provide(play(script), context)))
        yield* Effect.promise(() => fc.assert(check, { numRuns: runCount(1000) }))
        assert.isAbove(hits, runCount(200))
      }).pipe(Effect.scoped, Effect.runPromise),
    60_000
  )
})

describe("a question that took long", () => {
  it.effect("is told in the log with what it cost, and others are not", () =>
    Effect.gen(function* () {
      const lines: Array<string> = []
      const heard = Logger.replace(
        Logger.defaultLogger,
        Logger.map(Logger.logfmtLogger, (line) => void lines.push(line))
      )
      const took = (elapsedMs: number) =>
        Layer.map(EventStoreMemory({ dedupeDays: 7 }), (context) => {
          const store = Context.get(context, EventStore)
          const ask: typeof store.ask = (...asked) =>
            Effect.map(store.ask(...asked), ({ answer, meta }) => ({ answer, meta: { ...meta, elapsedMs } }))
          return Context.make(EventStore, { ...store, ask })
        })
      for (const elapsedMs of [1200.4, 900]) {
        const question = { kind: "insight", plan: plan(base + day) } as const
        yield* Effect.flatMap(QueryCache, (cache) => cache.ask(EnvironmentId.make(3), question, base)).pipe(
          Effect.provide(
            QueryCache.Default.pipe(
              Layer.provide([took(elapsedMs), SettingsLive({ ...defaults, slowQueryMs: 1000 })]),
              Layer.merge(heard)
            )
          )
        )
      }
      assert.strictEqual(lines.length, 1)
      const words = [
        "level=WARN",
        'message="Slow query"',
        "kind=insight",
        "environmentId=3",
        "elapsedMs=1200",
        "rowsScanned=0"
      ]
      for (const word of words) assert.include(lines[0], word)
    })
  )
})

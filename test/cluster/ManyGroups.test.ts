import { assert, it } from "@effect/vitest"
import { Effect, Layer, TestContext } from "effect"
import { unfiltered } from "../../src/domain/analytics/filter/Filter.ts"
import type { Question } from "../../src/domain/analytics/question/Question.ts"
import { EventStore } from "../../src/ports/analytics/EventStore.ts"
import { eventsOn, freshDatabases } from "../support/cluster/EventStores.ts"
import { environment, receivedAt, sentMarker } from "./Children.ts"

const hour = 3_600_000
const boundaries = [0, 1, 2, 3].map((at) => receivedAt - hour + at * hour)

/** Markers by a number that differs between all but three of them, in three hours. */
const question: Question = {
  kind: "insight",
  plan: {
    range: { from: boundaries[0]!, to: boundaries.at(-1)! },
    buckets: { step: "hour", zone: "UTC", boundaries },
    metrics: [{ id: "M", selector: { types: ["Many"], filter: unfiltered }, measure: { type: "totalEvents" } }],
    filter: unfiltered,
    breakdowns: [{ source: "argument", name: "number" }],
    breakdownLimit: 2,
    groups: null,
    cumulative: false
  }
}

const marker = (at: number) => ({
  ...sentMarker(at),
  type: "Many",
  timestamp: receivedAt + (at % 2) * hour,
  arguments: { number: at < 3 ? 1000 : at }
})

for (const count of [2002, 2003])
  it(`counts markers of ${count - 2} groups, of which two are shown`, () =>
    Effect.runPromise(
      Effect.scoped(
        Effect.gen(function* () {
          const databases = yield* freshDatabases()
          const store = yield* Effect.provide(
            EventStore,
            yield* Layer.build(Layer.provideMerge(eventsOn(databases, 7), TestContext.TestContext))
          )
          // The number 1000 is that of three markers, and not that of a fourth.
          const numbers = Array.from({ length: count + 1 }, (_, at) => at).filter((at) => at !== 1000)
          assert.deepStrictEqual(yield* store.append(environment, receivedAt, numbers.map(marker)), [])
          const { answer, meta } = yield* store.ask(environment, question)
          assert.strictEqual(meta.rowsScanned, count)
          assert.deepStrictEqual(answer, {
            groups: [
              { values: [1000], isOther: false },
              { values: [3], isOther: false },
              { values: [], isOther: true }
            ],
            metrics: [
              [
                { values: [0, 2, 1], aggregate: 3 },
                { values: [0, 0, 1], aggregate: 1 },
                {
                  values: [0, 1, 2].map((hours) =>
                    hours === 0 ? 0 : numbers.slice(4).filter((at) => at % 2 === hours - 1).length
                  ),
                  aggregate: count - 4
                }
              ]
            ]
          })
        })
      )
    ))

import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { EventStore } from "../../../src/ports/analytics/EventStore.ts"
import { base } from "../../support/analytics/FewMarkers.ts"
import { freshEnvironment, id, marker, stores } from "../../support/analytics/EventStores.ts"

const plan = { source: "argument", name: "level", type: null, search: null } as const

for (const [label, store] of stores) {
  layer(store)(`values that are equally frequent in ${label}`, (it) => {
    it.effect("have one order, whichever came first", () =>
      Effect.gen(function* () {
        const { append, ask } = yield* EventStore
        for (const sent of [
          [1, "1", true, "true"],
          ["true", true, "1", 1]
        ]) {
          const environment = freshEnvironment()
          const markers = sent.map((level, at) => marker({ markerId: id(at), arguments: { level } }))
          yield* append(environment, base, markers)
          const values = (limit: number) =>
            Effect.map(ask(environment, { kind: "values", plan: { ...plan, limit } }), ({ answer }) =>
              answer.map(({ value }) => value)
            )
          assert.deepStrictEqual(yield* values(9), [1, "1", true, "true"])
          assert.deepStrictEqual(yield* values(3), [1, "1", true])
        }
      })
    )
  })
}

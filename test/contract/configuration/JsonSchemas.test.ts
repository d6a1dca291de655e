import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { JsonSchemasMemory } from "../../../src/adapters/memory/configuration/JsonSchemas.ts"
import { JsonSchemasNode } from "../../../src/adapters/node/JsonSchemas.ts"
import type { Document, Json } from "../../../src/domain/configuration/Document.ts"
import { OrganizationId } from "../../../src/domain/Ids.ts"
import { JsonSchemas } from "../../../src/ports/configuration/JsonSchemas.ts"
import { askingOrganization } from "../../../src/ports/operations/AskingOrganization.ts"
import { schemaWorker } from "../../support/Workers.ts"

const inThreads = (millis: number, patientMillis: number) =>
  JsonSchemasNode({ script: schemaWorker, millis, patientMillis })

const told = (schema: Document, value: Json) =>
  Effect.flatMap(JsonSchemas, (schemas) =>
    Effect.match(schemas.violations(schema, value), {
      onFailure: ({ message }) => message,
      onSuccess: (violations) => violations
    })
  )

/** A pattern that takes for ever with the value. */
const slow = { properties: { a: { pattern: "^(a+)+$" } } }
const slowValue = { a: `${"a".repeat(60)}!` }

const adapters = [
  ["in the caller's thread", JsonSchemasMemory],
  ["in threads", inThreads(20_000, 20_000)],
  ["in threads that are too busy at first", inThreads(0, 20_000)]
] as const

for (const [label, adapter] of adapters) {
  layer(adapter, { excludeTestServices: true })(`JSON Schemas ${label}`, (it) => {
    it.effect("say what breaks them, by path, and count what they do not name", () =>
      Effect.gen(function* () {
        const schema = { properties: { a: { items: { type: "number" } } }, required: ["b"] }
        assert.deepStrictEqual(yield* told(schema, { a: [1], b: 1 }), { total: 0, first: [] })
        assert.deepStrictEqual(yield* told(schema, { a: [1, "x"], b: 1 }), {
          total: 1,
          first: [{ path: ["a", "1"], message: "must be number" }]
        })
        const many = yield* told(schema, { a: Array.from({ length: 150 }, () => "x") })
        assert.isObject(many)
        assert.strictEqual(typeof many === "string" ? 0 : many.total, 151)
        assert.strictEqual(typeof many === "string" ? 0 : many.first.length, 100)
      })
    )

    it.effect("are refused where they are none, and each stands alone", () =>
      Effect.gen(function* () {
        assert.include(yield* told({ type: "wish" }, {}), "schema/type")
        assert.include(yield* told({ $schema: "http://example.com" }, {}), "$schema: expected")
        assert.include(yield* told({ $async: true }, {}), "$async")
        assert.include(yield* told({ $ref: "#/$defs/gone" }, {}), "gone")
        const named = { $id: "http://one.example/a", type: "object" }
        for (const _ of [1, 2]) assert.deepStrictEqual(yield* told(named, {}), { total: 0, first: [] })
      })
    )
  })
}

layer(inThreads(50, 100), { excludeTestServices: true })("E4: a JSON Schema that takes too long", (it) => {
  it.effect("is ended, while this thread goes on and the next check is answered", () =>
    Effect.gen(function* () {
      let turns = 0
      const turn = setInterval(() => turns++, 1)
      const checks = Array.from({ length: 5 }, () => told(slow, slowValue))
      const all = yield* Effect.all(checks, { concurrency: "unbounded" })
      clearInterval(turn)
      assert.deepStrictEqual(new Set(all), new Set(["it takes too long"]))
      assert.isAbove(turns, 5)
    })
  )
})

layer(inThreads(300, 0), { excludeTestServices: true })("JSON Schemas of one organization that take too long", (it) => {
  it.effect("keep its own checks waiting, and no other's", () =>
    Effect.gen(function* () {
      const ended: Array<number> = []
      const checked = (owner: number, schema: Document, value: Json) =>
        told(schema, value).pipe(
          Effect.tap(() => Effect.sync(() => ended.push(owner))),
          Effect.locally(askingOrganization, OrganizationId.make(owner))
        )
      const hostile = Array.from({ length: 6 }, () => checked(1, slow, slowValue))
      const others = [2, 3].map((owner) => checked(owner, { type: "object" }, {}))
      yield* Effect.all([...hostile, ...others], { concurrency: "unbounded" })
      assert.sameMembers(ended.slice(0, 4), [1, 1, 2, 3])
    })
  )
})

import { assert, describe, it } from "@effect/vitest"
import { Cause, Effect } from "effect"
import { JsonSchemasNode } from "../../../src/adapters/node/JsonSchemas.ts"
import { JsonSchemas } from "../../../src/ports/configuration/JsonSchemas.ts"

describe("the check of a schema", () => {
  it.live(
    "whose thread cannot begin, as after another version was put in the place of this one, blames no schema",
    () =>
      Effect.gen(function* () {
        const { violations } = yield* JsonSchemas
        const cause = yield* Effect.flip(Effect.sandbox(violations({ type: "object" }, {})))
        assert.isTrue(Cause.isDie(cause))
        assert.match(Cause.pretty(cause), /Cannot find module/)
      }).pipe(
        Effect.provide(JsonSchemasNode({ script: "/nowhere/SchemaChecker.mjs", millis: 1000, patientMillis: 1000 }))
      )
  )
})

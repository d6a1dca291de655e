import { assert, describe, it } from "@effect/vitest"
import { Ajv } from "ajv"
import { editorSchemas } from "../../src/remote/EditorSchemas.ts"

const schemas = editorSchemas()
const ajv = new Ajv({ strict: false, validateFormats: false })

const logins = {
  name: "Logins",
  queryType: "insight",
  spec: {
    time: { step: "day", relative: { step: "day", value: 7 } },
    metrics: [{ id: "logins", data: { type: "totalEvents", name: "Login" } }],
    filters: [{ source: "cohort", name: "cohort", operator: "isIn", value: ["Lapsed"] }]
  }
}

describe("schemas for editors", () => {
  it("take files that refer to others by name, and refuse unknown fields", () => {
    const cases = [
      ["configurations", { name: "Economy", configuration: { price: 1 } }],
      ["cohorts", { name: "New", definition: { op: "and", children: [{ type: "cohort", cohort: "Testers" }] } }],
      ["queries", logins],
      ["boards", { name: "Morning", tiles: [{ query: "Logins", x: 0, y: 0, w: 6, h: 4 }] }],
      ["roles", { name: "Designer", permissions: ["configurations:read"] }]
    ] as const
    for (const [kind, file] of cases) {
      const accepts = ajv.compile(schemas[kind])
      assert.isTrue(accepts({ $schema: "x", ...file }), `${kind}: ${JSON.stringify(accepts.errors)}`)
      assert.isFalse(accepts({ ...file, nonsense: 1 }), kind)
    }
  })
})

import { assert, beforeAll, describe, it } from "@effect/vitest"
import { refused } from "../../support/Caller.ts"
import { type ConfigurationStudio, configurationStudioOf } from "../../support/configuration/ConfigurationStudio.ts"
import { stores } from "../../support/Stores.ts"
import { testApp } from "../../support/TestApp.ts"

const nested = (levels: number): object => (levels === 0 ? {} : { a: nested(levels - 1) })

const malformed: ReadonlyArray<readonly [string, object]> = [
  ["without a name", { name: undefined }],
  ["with an empty name", { name: "" }],
  ["with a name too long", { name: "x".repeat(101) }],
  ["with an empty alias", { alias: "" }],
  ["with an alias too long", { alias: "x".repeat(101) }],
  ["with an array for a document", { configuration: [] }],
  ["with null for a document", { configuration: null }],
  ["with an empty private path", { privacy: [[]] }],
  ["with a private path of numbers", { privacy: [[1]] }],
  ["with a private path too long", { privacy: [Array(33).fill("a")] }],
  ["with an array for a schema", { schema: [] }],
  ["with numbers for descriptions of keys", { keyDescriptions: { a: 1 } }]
]

const invalid: ReadonlyArray<readonly [string, object, string]> = [
  ["nested in more than 64 levels", { configuration: nested(65) }, "levels"],
  ["with a schema over 64 KiB", { schema: { description: "x".repeat(64 * 1024) } }, "schema: expected at most"],
  ["with a schema that is none", { schema: { type: "wish" } }, "schema"],
  [
    "that break their schema in two places",
    {
      configuration: { price: "much", shop: { open: 1 } },
      schema: {
        properties: { price: { type: "number" }, shop: { properties: { open: { type: "boolean" } } } }
      }
    },
    "configuration.shop.open"
  ]
]

describe.each(stores)("refused configurations over %s", (_, store) => {
  const { request } = testApp(store)
  let studio: ConfigurationStudio["studio"]
  let call: ConfigurationStudio["call"]
  let fresh: ConfigurationStudio["fresh"]
  let make: ConfigurationStudio["make"]
  let list: ConfigurationStudio["list"]

  beforeAll(async () => {
    ;({ studio, call, fresh, make, list } = await configurationStudioOf(request, "ada"))
  })

  it.each(malformed)("%s are refused, new or replaced", async (_case, more) => {
    const { id } = await make()
    const before = await list("?include=configuration")
    refused(await call("POST", "", { name: fresh(), ...more }), 400, "VALIDATION_FAILED")
    refused(await call("PUT", `/${id}`, { name: fresh(), configuration: {}, ...more }), 400, "VALIDATION_FAILED")
    assert.deepStrictEqual(await list("?include=configuration"), before)
  })

  it.each(invalid)("%s are refused, new or replaced, and nothing stays of them", async (_case, more, told) => {
    const { id } = await make()
    const before = await list("?include=configuration")
    for (const answer of [
      await call("POST", "", { name: fresh(), ...more }),
      await call("PUT", `/${id}`, { name: fresh(), configuration: {}, ...more })
    ]) {
      refused(answer, 422, "CONFIGURATION_INVALID")
      assert.include(answer.body.message, told)
    }
    assert.deepStrictEqual(await list("?include=configuration"), before)
  })

  it("grow to 1 MiB and no further", async () => {
    const half = "x".repeat(512 * 1024 - 8)
    const { id } = await make({ configuration: { a: half } })
    const grown = (value: string) => call("PATCH", `/${id}`, { changes: [{ op: "set", path: ["b"], value }] })
    refused(await grown(`${half}xx`), 422, "CONFIGURATION_INVALID")
    assert.strictEqual((await call("GET", `/${id}`)).body.version, 1)
    assert.strictEqual((await grown(`${half}x`)).status, 200)
  })

  it("have no number that is too large to be one, of which the path is told", async () => {
    const sent = '{"name":"Large","configuration":{"shop":{"prices":[1e308,-1e400]},"big":1e999}}'
    const answer = await request("POST", `/application/${studio.applicationId}/v2/configuration`, {
      headers: { ...studio.cookie, "content-type": "application/json" },
      raw: sent
    })
    refused(answer, 400, "VALIDATION_FAILED")
    assert.strictEqual(
      answer.body.message,
      "configuration.shop.prices.1: expected a number of at most 1.7976931348623157e+308"
    )
  })

  it("get no field __proto__ by a change of a path either, which no document sent as a whole may have", async () => {
    const { id } = await make({ configuration: { a: { constructor: 1 }, text: '"__proto__"' } })
    const changed = (path: ReadonlyArray<string>) =>
      call("PATCH", `/${id}`, { changes: [{ op: "set", path, value: 1 }] })
    for (const path of [["__proto__"], ["a", "__proto__"], ["__proto__", "polluted"]]) {
      const answer = await changed(path)
      refused(answer, 422, "CONFIGURATION_INVALID")
      assert.match(answer.body.message, /^configuration(\.a)?\.__proto__: no field may have this name$/)
    }
    assert.strictEqual((await changed(["a", "constructor"])).body.version, 1)
    assert.strictEqual((await changed(["__proto"])).body.version, 2)
  })

  it("follow their schema with every change, and every violation is told by its path", async () => {
    const schema = { properties: { a: { type: "number" }, b: { type: "number" } } }
    const { id } = await make({ configuration: { a: 1 }, schema })
    const broken = await call("PATCH", `/${id}`, {
      changes: [
        { op: "set", path: ["a"], value: "x" },
        { op: "set", path: ["b"], value: "y" }
      ]
    })
    refused(broken, 422, "CONFIGURATION_INVALID")
    for (const path of ["configuration.a", "configuration.b"]) assert.include(broken.body.message, path)
    refused(await call("PATCH", `/${id}`, { schema: { required: ["missing"] } }), 422, "CONFIGURATION_INVALID")
    assert.deepStrictEqual((await call("GET", `/${id}`)).body.version, 1)
  })
})

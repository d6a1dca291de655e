import { assert, beforeAll, describe, it } from "@effect/vitest"
import { keysOf, refused } from "../../support/Caller.ts"
import { configurationKeys } from "../../support/configuration/Configurations.ts"
import { type ConfigurationStudio, configurationStudioOf } from "../../support/configuration/ConfigurationStudio.ts"
import { stores } from "../../support/Stores.ts"
import { testApp } from "../../support/TestApp.ts"

describe.each(stores)("changes of configurations over %s", (_, store) => {
  const { request } = testApp(store)
  let call: ConfigurationStudio["call"]
  let fresh: ConfigurationStudio["fresh"]
  let make: ConfigurationStudio["make"]

  beforeAll(async () => {
    ;({ call, fresh, make } = await configurationStudioOf(request, "ada"))
  })

  it("are patched where the patch says, and a patch that changes nothing makes no version", async () => {
    const created = await make({ configuration: { a: { b: 1, c: 2 }, l: [1] }, description: "d" })
    const changes = [
      { op: "set", path: ["a", "x", "y"], value: null },
      { op: "remove", path: ["a", "c"] },
      { op: "remove", path: ["gone"] }
    ]
    const { status, body } = await call("PATCH", `/${created.id}`, { baseHash: created.hash, changes })
    assert.deepStrictEqual([status, keysOf(body)], [200, configurationKeys])
    assert.deepStrictEqual([body.configuration, body.description], [{ a: { b: 1, x: { y: null } }, l: [1] }, "d"])
    const again = await call("PATCH", `/${created.id}`, { changes })
    assert.deepStrictEqual(again.body, body)
    for (const path of [
      ["l", "0"],
      ["a", "b", "z"]
    ]) {
      const answer = await call("PATCH", `/${created.id}`, { changes: [{ op: "set", path, value: 1 }] })
      refused(answer, 422, "CONFIGURATION_INVALID")
    }
    for (const change of [
      { op: "set", path: [], value: 1 },
      { op: "set", path: ["a"] },
      { op: "add", path: ["a"] }
    ]) {
      refused(await call("PATCH", `/${created.id}`, { changes: [change] }), 400, "VALIDATION_FAILED")
    }
    assert.deepStrictEqual((await call("GET", `/${created.id}`)).body, body)
  })

  it.each([
    ["no alias", {}, {}, "slug"],
    ["no alias after one of its own", { alias: "own" }, {}, "own"],
    ["null", {}, { alias: null }, null],
    ["another alias", {}, { alias: "other" }, "other"]
  ])(
    "are still found by the alias that the same body gave, once replaced with %s",
    async (_which, first, more, kept) => {
      const name = `Replaced ${fresh()}`
      const created = await make({ name, ...first })
      const { body } = await call("PUT", `/${created.id}`, { name, configuration: {}, ...more })
      assert.strictEqual(body.alias, kept === "slug" ? name.toLowerCase().replaceAll(" ", "-") : kept)
      assert.strictEqual((await call("DELETE", `/${created.id}`)).status, 204)
    }
  )

  it("change their hash with document and privacy, and with nothing else", async () => {
    const { id, hash } = await make({ configuration: { a: 1, b: 2 }, privacy: [["a"], ["b"]] })
    const hashAfter = async (patch: object) => (await call("PATCH", `/${id}`, patch)).body.hash
    for (const patch of [
      { name: fresh(), alias: fresh(), description: "x" },
      { keyDescriptions: { a: "x" }, schema: { type: "object" } },
      { privacy: [["b"], ["a"], ["b"]] }
    ])
      assert.strictEqual(await hashAfter(patch), hash)
    assert.strictEqual((await call("PUT", `/${id}/primary`)).body.hash, hash)
    const other = await hashAfter({ privacy: [["a"]] })
    assert.notStrictEqual(other, hash)
    const third = await hashAfter({ changes: [{ op: "set", path: ["a"], value: 2 }] })
    assert.notInclude([hash, other], third)
    const back = { privacy: [["a"], ["b"]], changes: [{ op: "set", path: ["a"], value: 1 }] }
    assert.strictEqual(await hashAfter(back), hash)
  })

  it("refuse a write over a state the writer has not seen", async () => {
    const { id, hash } = await make({ configuration: { a: 1 } })
    const seen = (await call("PATCH", `/${id}`, { changes: [{ op: "set", path: ["a"], value: 2 }] })).body
    refused(await call("PATCH", `/${id}`, { baseHash: hash, description: "x" }), 409, "HASH_MISMATCH")
    refused(await call("PUT", `/${id}`, { baseHash: hash, name: fresh(), configuration: {} }), 409, "HASH_MISMATCH")
    assert.deepStrictEqual((await call("GET", `/${id}`)).body, seen)
    assert.strictEqual(
      (await call("PUT", `/${id}`, { baseHash: seen.hash, name: fresh(), configuration: {} })).status,
      200
    )
  })

  it("let one of two editors through who race from the same hash", async () => {
    for (let round = 0; round < 10; round++) {
      const { id, hash } = await make()
      const write = (value: number) =>
        call("PATCH", `/${id}`, { baseHash: hash, changes: [{ op: "set", path: ["by"], value }] })
      const answers = await Promise.all([write(1), write(2)])
      assert.deepStrictEqual(answers.map(({ status }) => status).toSorted(), [200, 409])
      refused(
        answers.find(({ status }) => status === 409)!,
        409,
        "HASH_MISMATCH"
      )
      const winner = answers.find(({ status }) => status === 200)!.body
      assert.deepStrictEqual((await call("GET", `/${id}`)).body, winner)
    }
  })
})

import { assert, beforeAll, describe, it } from "@effect/vitest"
import { bearer, joinAs, keysOf, refused } from "../../support/Caller.ts"
import { configurationKeys, configurationsOf, link } from "../../support/configuration/Configurations.ts"
import { stores } from "../../support/Stores.ts"
import type { Studio } from "../../support/access/Studio.ts"
import { mintPersonalToken, openStudio } from "../../support/access/Studio.ts"
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

describe.each(stores)("configurations over %s", (_, store) => {
  const { request } = testApp(store)
  let studio: Studio
  let call: ReturnType<typeof configurationsOf>
  let count = 0

  const fresh = () => `made ${++count}`
  const make = async (more: object = {}) => (await call("POST", "", { name: fresh(), ...more })).body
  const list = async (query = "", headers: Record<string, string> = {}) =>
    (
      await request("GET", `/application/${studio.applicationId}/v2/configurations${query}`, {
        headers: { ...studio.cookie, ...headers }
      })
    ).body

  beforeAll(async () => {
    studio = await openStudio(request, "ada")
    call = configurationsOf(request, studio)
  })

  it("are made with what is left out filled in", async () => {
    const { status, body } = await call("POST", "", { name: "Plain" })
    assert.strictEqual(status, 201)
    assert.deepStrictEqual(keysOf(body), configurationKeys)
    assert.deepStrictEqual(body, {
      id: body.id,
      applicationId: studio.applicationId,
      environmentId: studio.production,
      name: "Plain",
      alias: "plain",
      description: null,
      configuration: {},
      privacy: [],
      schema: null,
      keyDescriptions: {},
      isPrimary: false,
      hash: body.hash,
      version: 1,
      createdAt: body.createdAt,
      updatedAt: body.createdAt,
      updatedBy: { id: studio.userId, email: "ada@studio.test" }
    })
    assert.deepStrictEqual((await call("GET", `/${body.id}`)).body, body)
  })

  it("are read, replaced and deleted", async () => {
    const created = await make({
      alias: fresh(),
      description: "d",
      configuration: { a: 1 },
      keyDescriptions: { a: "b" }
    })
    const name = fresh()
    const replaced = await call("PUT", `/${created.id}`, { name, configuration: { b: 2 }, privacy: [["b"]] })
    assert.deepStrictEqual([replaced.status, keysOf(replaced.body)], [200, configurationKeys])
    assert.deepStrictEqual(replaced.body, {
      ...created,
      ...{ name, alias: null, description: null, keyDescriptions: {} },
      ...{ configuration: { b: 2 }, privacy: [["b"]], version: 2 },
      ...{ hash: replaced.body.hash, updatedAt: replaced.body.updatedAt }
    })
    assert.notStrictEqual(replaced.body.hash, created.hash)
    const removed = await call("DELETE", `/${created.id}`)
    assert.deepStrictEqual([removed.status, removed.text], [204, ""])
    for (const [method, path, body] of [
      ["GET", "", undefined],
      ["PUT", "", { name, configuration: {} }],
      ["PATCH", "", {}],
      ["DELETE", "", undefined],
      ["POST", "/copy", {}],
      ["PUT", "/primary", undefined],
      ["GET", "/versions", undefined],
      ["GET", "/versions/1", undefined],
      ["GET", "/diff?from=1&to=1", undefined],
      ["POST", "/revert", { version: 1 }]
    ] as const)
      refused(await call(method, `/${created.id}${path}`, body), 404, "CONFIGURATION_NOT_FOUND")
  })

  it("are listed by id, without documents unless they are asked for", async () => {
    const { id } = await make({ configuration: { a: 1 } })
    const plain = await list()
    const ids = plain.map((each: { id: number }) => each.id)
    assert.deepStrictEqual(
      ids,
      ids.toSorted((a: number, b: number) => a - b)
    )
    for (const each of plain)
      assert.deepStrictEqual(
        keysOf(each),
        configurationKeys.filter((key) => key !== "configuration")
      )
    const full = await list("?include=configuration")
    for (const each of full) assert.deepStrictEqual(keysOf(each), configurationKeys)
    assert.deepStrictEqual(full.find((each: { id: number }) => each.id === id).configuration, { a: 1 })
    assert.strictEqual((await list("?include=all")).code, "VALIDATION_FAILED")
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

  it("keep names and aliases apart within their environment only", async () => {
    const [name, alias, other] = [fresh(), fresh(), fresh()]
    const taken = await make({ name, alias })
    const { id } = await make({ name: other })
    for (const more of [{ name }, { name: alias }, { name: fresh(), alias: name }, { name: fresh(), alias }]) {
      refused(await call("POST", "", more), 409, "CONFIGURATION_NAME_TAKEN")
      refused(await call("PUT", `/${id}`, { configuration: {}, ...more }), 409, "CONFIGURATION_NAME_TAKEN")
      refused(await call("PATCH", `/${id}`, more), 409, "CONFIGURATION_NAME_TAKEN")
    }
    assert.strictEqual((await call("PATCH", `/${taken.id}`, { name: alias, alias: name })).status, 200)
    const there = { environment_id: String(studio.development) }
    assert.strictEqual((await call("POST", "", { name, alias }, there)).status, 201)
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

  it("link to others of their environment, and to nothing else", async () => {
    const elsewhere = (await call("POST", "", { name: fresh() }, { environment_id: String(studio.development) })).body
      .id
    const target = await make({ configuration: { prices: { gold: 5 } } })
    const links = { all: link(target.id), gold: [link(target.id, ["prices", "gold"])] }
    const linking = await make({ configuration: links })
    assert.deepStrictEqual(linking.configuration, links)
    const refusals = [
      { a: link(999_999) },
      { a: link(elsewhere) },
      { a: link(target.id, ["prices", "silver"]) },
      { a: { $link: { configurationId: "x" } } },
      { a: { ...link(target.id), beside: 1 } },
      { a: { $link: {} } },
      link(target.id, ["prices", "gold"])
    ]
    for (const configuration of refusals) {
      refused(await call("POST", "", { name: fresh(), configuration }), 422, "LINK_INVALID")
    }
    const round = { changes: [{ op: "set", path: ["back"], value: link(linking.id) }] }
    refused(await call("PATCH", `/${target.id}`, round), 422, "LINK_INVALID")
    const gone = { changes: [{ op: "remove", path: ["prices", "gold"] }] }
    refused(await call("PATCH", `/${target.id}`, gone), 422, "LINK_INVALID")
    refused(await call("DELETE", `/${target.id}`), 409, "CONFIGURATION_IN_USE")
    assert.deepStrictEqual((await call("GET", `/${target.id}`)).body, target)
    assert.strictEqual((await call("DELETE", `/${linking.id}`)).status, 204)
    assert.strictEqual((await call("DELETE", `/${target.id}`)).status, 204)
  })

  it("keep the schemas of those that link to them", async () => {
    const { id } = await make({ configuration: { gold: 5 } })
    const schema = { properties: { price: { type: "number" } } }
    const linking = await make({ configuration: { price: link(id, ["gold"]) }, schema })
    const answer = await call("PATCH", `/${id}`, { changes: [{ op: "set", path: ["gold"], value: "much" }] })
    refused(answer, 422, "CONFIGURATION_INVALID")
    assert.include(answer.body.message, `configuration ${linking.id}`)
  })

  it("have one primary in an environment", async () => {
    const primaries = async () =>
      (await list()).filter(({ isPrimary }: { isPrimary: boolean }) => isPrimary).map(({ id }: { id: number }) => id)
    const first = await make({ isPrimary: true })
    assert.isTrue(first.isPrimary)
    assert.deepStrictEqual(await primaries(), [first.id])
    const second = await make()
    const { status, body } = await call("PUT", `/${second.id}/primary`)
    assert.deepStrictEqual([status, keysOf(body), body.isPrimary, body.version], [200, configurationKeys, true, 1])
    assert.deepStrictEqual(await primaries(), [second.id])
  })

  it("are of the environment in the header, and not there in another or in another organization", async () => {
    const { id } = await make()
    const there = { environment_id: String(studio.development) }
    const other = configurationsOf(request, await openStudio(request, "bob"))
    const calls = [
      ["GET", "", undefined],
      ["PUT", "", { name: fresh(), configuration: {} }],
      ["PATCH", "", { description: "stolen" }],
      ["DELETE", "", undefined],
      ["POST", "/copy", {}],
      ["PUT", "/primary", undefined],
      ["GET", "/versions", undefined],
      ["GET", "/versions/1", undefined],
      ["GET", "/diff?from=1&to=1", undefined],
      ["POST", "/revert", { version: 1 }]
    ] as const
    const before = (await call("GET", `/${id}`)).body
    for (const [method, path, body] of calls) {
      refused(await call(method, `/${id}${path}`, body, there), 404, "CONFIGURATION_NOT_FOUND")
      refused(await other(method, `/${id}${path}`, body), 404, "CONFIGURATION_NOT_FOUND")
      refused(await call(method, `/${id}${path}`, body, { environment_id: "999999" }), 404, "ENVIRONMENT_NOT_FOUND")
    }
    assert.deepStrictEqual((await call("GET", `/${id}`)).body, before)
    assert.notInclude(
      (await list("", there)).map((each: { id: number }) => each.id),
      id
    )
  })

  it("are read with configurations:read and changed with configurations:write", async () => {
    const { id } = await make()
    const viewer = await joinAs(request, studio, "viewer", "Viewer")
    const token = bearer(await mintPersonalToken(request, studio, { permissions: ["configurations:read"] }))
    const path = `/application/${studio.applicationId}/v2/configuration`
    for (const headers of [viewer.cookie, token]) {
      assert.strictEqual((await request("GET", `${path}/${id}`, { headers })).status, 200)
      for (const [method, end, body] of [
        ["POST", "", { name: fresh() }],
        ["PUT", `/${id}`, { name: fresh(), configuration: {} }],
        ["PATCH", `/${id}`, {}],
        ["DELETE", `/${id}`, undefined],
        ["POST", `/${id}/copy`, {}],
        ["PUT", `/${id}/primary`, undefined],
        ["POST", `/${id}/revert`, { version: 1 }]
      ] as const) {
        const sent = body === undefined ? { headers } : { headers, body }
        refused(await request(method, `${path}${end}`, sent), 403, "FORBIDDEN")
      }
    }
  })
})

import { assert, beforeAll, describe, it } from "@effect/vitest"
import { vi } from "vitest"
import { bearer, joinAs, keysOf, refused } from "../../support/Caller.ts"
import { configurationKeys, configurationsOf, link } from "../../support/configuration/Configurations.ts"
import { type ConfigurationStudio, configurationStudioOf } from "../../support/configuration/ConfigurationStudio.ts"
import { stores } from "../../support/Stores.ts"
import { mintPersonalToken, openStudio } from "../../support/access/Studio.ts"
import { testApp } from "../../support/TestApp.ts"

describe.each(stores)("configurations over %s", (_, store) => {
  const { request } = testApp(store)
  let studio: ConfigurationStudio["studio"]
  let call: ConfigurationStudio["call"]
  let fresh: ConfigurationStudio["fresh"]
  let make: ConfigurationStudio["make"]
  let list: ConfigurationStudio["list"]

  beforeAll(async () => {
    ;({ studio, call, fresh, make, list } = await configurationStudioOf(request, "ada"))
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
      ...{ name, description: null, keyDescriptions: {} },
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

  it("are listed with documents that nobody parses, however large they are", async () => {
    const configuration = { b: "é", 7: { $value: [1.5, null] }, a: { __proto__x: {} } }
    const { body } = await call("POST", "", { name: fresh(), configuration })
    const text = JSON.stringify(configuration)
    const parse = vi.spyOn(JSON, "parse")
    const full = await list("?include=configuration")
    const parsed = parse.mock.calls.filter(([each]) => each === text)
    parse.mockRestore()
    assert.deepStrictEqual(
      full.find(({ id }: { id: number }) => id === body.id),
      body
    )
    assert.lengthOf(parsed, 0)
  })

  it("E8: are read without parsing, and parsed once by a change, however often the log of changes looks", async () => {
    const configuration = { b: "é", 8: { $value: [2.5, null] }, a: { __proto__x: {} } }
    const { body } = await call("POST", "", { name: fresh(), configuration })
    const text = JSON.stringify(configuration)
    const parse = vi.spyOn(JSON, "parse")
    const parsed = () => parse.mock.calls.filter(([each]) => each === text).length
    const read = await call("GET", `/${body.id}`)
    const byReading = parsed()
    const changed = await call("PATCH", `/${body.id}`, { changes: [{ op: "set", path: ["c"], value: 1 }] })
    const byAll = parsed()
    parse.mockRestore()
    assert.deepStrictEqual(read.body, body)
    assert.deepStrictEqual(changed.body.configuration, { ...configuration, c: 1 })
    assert.strictEqual(byReading, 0)
    assert.isAtMost(byAll, 1)
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

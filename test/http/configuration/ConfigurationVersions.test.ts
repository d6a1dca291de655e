import { assert, beforeAll, describe, it } from "@effect/vitest"
import { bearer, keysOf, refused } from "../../support/Caller.ts"
import { configurationKeys, configurationsOf, link } from "../../support/configuration/Configurations.ts"
import { stores } from "../../support/Stores.ts"
import type { Studio } from "../../support/access/Studio.ts"
import { mintPersonalToken, openStudio } from "../../support/access/Studio.ts"
import { testApp } from "../../support/TestApp.ts"

describe.each(stores)("versions and copies of configurations over %s", (_, store) => {
  const { request } = testApp(store)
  let studio: Studio
  let call: ReturnType<typeof configurationsOf>
  let there: Record<string, string>
  let count = 0

  const fresh = () => `made ${++count}`
  const make = async (more: object = {}, headers: Record<string, string> = {}) =>
    (await call("POST", "", { name: fresh(), ...more }, headers)).body
  const set = (id: number, value: unknown, more: object = {}) =>
    call("PATCH", `/${id}`, { changes: [{ op: "set", path: ["a"], value }], ...more })

  beforeAll(async () => {
    studio = await openStudio(request, "ada")
    call = configurationsOf(request, studio)
    there = { environment_id: String(studio.development) }
  })

  it("are listed newest first, page by page, with reasons and authors", async () => {
    const { id } = await make()
    for (const value of [1, 2, 3]) await set(id, value, { reason: `to ${value}` })
    const first = (await call("GET", `/${id}/versions?limit=3`)).body
    assert.deepStrictEqual(keysOf(first), ["items", "nextCursor"])
    for (const item of first.items) {
      assert.deepStrictEqual(keysOf(item), ["createdAt", "createdBy", "hash", "reason", "version"])
      assert.deepStrictEqual(item.createdBy, { id: studio.userId, email: "ada@studio.test" })
    }
    const second = (await call("GET", `/${id}/versions?limit=3&cursor=${first.nextCursor}`)).body
    const seen = [...first.items, ...second.items].map(({ version, reason }) => [version, reason])
    assert.deepStrictEqual(seen, [
      [4, "to 3"],
      [3, "to 2"],
      [2, "to 1"],
      [1, null]
    ])
    assert.isNull(second.nextCursor)
    for (const query of ["limit=0", "limit=1001", "cursor=x", "cursor=0"]) {
      refused(await call("GET", `/${id}/versions?${query}`), 400, "VALIDATION_FAILED")
    }
  })

  it("are read as they were, and compared", async () => {
    const { id, hash } = await make({ configuration: { a: 1, gone: 0 }, privacy: [["a"]] })
    const changes = [
      { op: "set", path: ["a"], value: 2 },
      { op: "remove", path: ["gone"] },
      { op: "set", path: ["fresh"], value: null }
    ]
    await call("PATCH", `/${id}`, { changes, privacy: [["fresh"]] })
    const { status, body } = await call("GET", `/${id}/versions/1`)
    assert.strictEqual(status, 200)
    const { createdAt, createdBy, ...rest } = body
    assert.isString(createdAt)
    assert.strictEqual(createdBy.id, studio.userId)
    assert.deepStrictEqual(rest, {
      ...{ version: 1, hash, reason: null },
      ...{ configuration: { a: 1, gone: 0 }, privacy: [["a"]] }
    })
    assert.deepStrictEqual((await call("GET", `/${id}/diff?from=1&to=2`)).body, {
      from: 1,
      to: 2,
      changes: [
        { op: "set", path: ["a"], value: 2, previous: 1 },
        { op: "remove", path: ["gone"], previous: 0 },
        { op: "set", path: ["fresh"], value: null }
      ],
      privacy: { added: [["fresh"]], removed: [["a"]] }
    })
    const same = { from: 2, to: 2, changes: [], privacy: { added: [], removed: [] } }
    assert.deepStrictEqual((await call("GET", `/${id}/diff?from=2&to=2`)).body, same)
    for (const path of ["versions/3", "diff?from=1&to=3", "diff?from=3&to=1"]) {
      refused(await call("GET", `/${id}/${path}`), 404, "VERSION_NOT_FOUND")
    }
    for (const path of ["versions/0", "versions/x", "diff?from=1", "diff?from=1&to=x"]) {
      refused(await call("GET", `/${id}/${path}`), 400, "VALIDATION_FAILED")
    }
  })

  it("come back byte for byte, as a new version that keeps the name", async () => {
    const configuration = { z: 1, a: { y: [1, { x: null }], b: "é\u0001 " }, 10: 0.1, 2: 1e21 }
    const { id, hash } = await make({ configuration, privacy: [["z"], ["a", "b"]] })
    const before = JSON.stringify((await call("GET", `/${id}/versions/1`)).body.configuration)
    const name = fresh()
    await call("PUT", `/${id}`, { name, configuration: { other: true } })
    const { status, body } = await call("POST", `/${id}/revert`, { version: 1 })
    assert.deepStrictEqual([status, keysOf(body)], [200, configurationKeys])
    assert.strictEqual(JSON.stringify(body.configuration), before)
    assert.deepStrictEqual(body.privacy, [["z"], ["a", "b"]])
    assert.deepStrictEqual([body.hash, body.version, body.name], [hash, 3, name])
    refused(await call("POST", `/${id}/revert`, { version: 9 }), 404, "VERSION_NOT_FOUND")
    refused(await call("POST", `/${id}/revert`, { version: 0 }), 400, "VALIDATION_FAILED")
    const again = await call("POST", `/${id}/revert`, { version: 1 })
    assert.deepStrictEqual(again.body, body)
  })

  it("do not come back over what somebody else has published since, where the reader says what it saw", async () => {
    const { id, hash } = await make({ configuration: { a: 1 } })
    const seen = (await set(id, 2)).body.hash
    const theirs = (await set(id, 3)).body
    refused(await call("POST", `/${id}/revert`, { version: 1, baseHash: seen }), 409, "HASH_MISMATCH")
    assert.deepStrictEqual((await call("GET", `/${id}`)).body, theirs)
    const { status, body } = await call("POST", `/${id}/revert`, { version: 1, baseHash: theirs.hash })
    assert.deepStrictEqual([status, body.hash, body.version], [200, hash, 4])
  })

  it("do not come back against the schema of today, or with links that point nowhere", async () => {
    const target = await make()
    const { id } = await make({ configuration: { a: link(target.id) } })
    await set(id, 1)
    assert.strictEqual((await call("DELETE", `/${target.id}`)).status, 204)
    refused(await call("POST", `/${id}/revert`, { version: 1 }), 422, "LINK_INVALID")
    const typed = await make({ configuration: { a: "x" } })
    await set(typed.id, 1, { schema: { properties: { a: { type: "number" } } } })
    refused(await call("POST", `/${typed.id}/revert`, { version: 1 }), 422, "CONFIGURATION_INVALID")
    assert.deepStrictEqual((await call("GET", `/${typed.id}`)).body.configuration, { a: 1 })
  })

  it("are copied beside the original under a name of their own", async () => {
    const rest = { configuration: { a: 1 }, privacy: [["a"]], description: "d", keyDescriptions: { a: "b" } }
    const source = await make({ ...rest, alias: fresh(), isPrimary: true })
    const { status, body } = await call("POST", `/${source.id}/copy`, {})
    assert.deepStrictEqual([status, keysOf(body)], [201, configurationKeys])
    assert.deepStrictEqual(body, {
      ...{ ...source, id: body.id, name: `${source.name} copy`, alias: null, isPrimary: false },
      ...{ createdAt: body.createdAt, updatedAt: body.createdAt }
    })
    assert.strictEqual((await call("POST", `/${source.id}/copy`, {})).body.name, `${source.name} copy 2`)
    const name = fresh()
    assert.strictEqual((await call("POST", `/${source.id}/copy`, { name })).body.name, name)
    refused(await call("POST", `/${source.id}/copy`, { name }), 409, "CONFIGURATION_NAME_TAKEN")
    refused(await call("POST", `/${source.id}/copy`, { name: "" }), 400, "VALIDATION_FAILED")
    refused(await call("POST", `/${source.id}/copy`, { environmentId: 987_654 }), 404, "ENVIRONMENT_NOT_FOUND")
  })

  it("are copied under names that no cut makes alike, where these are long", async () => {
    const name = `${fresh()} ${"\u{1F600}".repeat(80)}`
    const source = await make({ name })
    const names = []
    for (let count = 0; count < 3; count++) {
      const { status, body } = await call("POST", `/${source.id}/copy`, {})
      assert.strictEqual(status, 201)
      assert.strictEqual((await call("GET", `/${body.id}`)).body.name, body.name)
      names.push(body.name)
    }
    const shortened = (suffix: string) =>
      Array.from(name)
        .slice(0, 100 - suffix.length)
        .join("") + suffix
    assert.deepStrictEqual(names, [" copy", " copy 2", " copy 3"].map(shortened))
  })

  it("are copied to another environment with links turned to the namesakes there", async () => {
    const target = await make({ configuration: { gold: 5 } })
    const alias = fresh()
    const source = await make({ alias, configuration: { price: link(target.id, ["gold"]), all: [link(target.id)] } })
    const body = { environmentId: studio.development }
    refused(await call("POST", `/${source.id}/copy`, body), 422, "LINK_INVALID")
    const namesake = await make({ name: target.name, configuration: { gold: 7 } }, there)
    const copied = await call("POST", `/${source.id}/copy`, body)
    assert.strictEqual(copied.status, 201)
    assert.deepStrictEqual(
      [copied.body.name, copied.body.alias, copied.body.environmentId],
      [source.name, alias, studio.development]
    )
    const links = { price: link(namesake.id, ["gold"]), all: [link(namesake.id)] }
    assert.deepStrictEqual(copied.body.configuration, links)
    assert.deepStrictEqual((await call("GET", `/${copied.body.id}`, undefined, there)).body, copied.body)
    refused(await call("GET", `/${copied.body.id}`), 404, "CONFIGURATION_NOT_FOUND")
  })

  it("are copied to no environment that the credential does not cover, nor to another project's", async () => {
    const { id } = await make()
    const other = await openStudio(request, "bob")
    refused(await call("POST", `/${id}/copy`, { environmentId: other.production }), 404, "ENVIRONMENT_NOT_FOUND")
    const permissions = ["configurations:read", "configurations:write"]
    const environmentIds = [studio.production]
    const headers = bearer(await mintPersonalToken(request, studio, { permissions, environmentIds }))
    const path = `/application/${studio.applicationId}/v2/configuration/${id}/copy`
    const answer = await request("POST", path, { headers, body: { environmentId: studio.development } })
    refused(answer, 403, "FORBIDDEN")
  })
})

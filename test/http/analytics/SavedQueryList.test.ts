import { assert, beforeAll, describe, it } from "@effect/vitest"
import type { Analyst } from "../../support/analytics/Analyst.ts"
import { analystOf, savedInsight, specs } from "../../support/analytics/Analyst.ts"
import { stores } from "../../support/Stores.ts"
import type { Studio } from "../../support/access/Studio.ts"
import { mintKey, openStudio } from "../../support/access/Studio.ts"
import { testApp } from "../../support/TestApp.ts"

describe.each(stores)("the list of saved queries over %s", (_, store) => {
  const { request } = testApp(store)
  let studio: Studio
  let analyst: Analyst

  beforeAll(async () => {
    studio = await openStudio(request, "ada")
    analyst = analystOf(request, studio)
  })

  it("says when queries were run last and who changed them, and leaves out what is not to be listed", async () => {
    const { body: saved } = await analyst.save({ ...savedInsight, listed: false })
    assert.deepStrictEqual((await analyst.call("GET", "")).body.items, [])
    await analyst.call("POST", `/${saved.id}/execute`, {})
    const { body: executed } = await analyst.call("GET", `/${saved.id}`)
    assert.isTrue(Math.abs(Date.parse(executed.lastRunAt) - Date.now()) < 60_000)
    assert.deepStrictEqual({ ...executed, lastRunAt: null }, saved)
    await analyst.call("POST", `/${saved.id}/execute`, {})
    assert.deepStrictEqual((await analyst.call("GET", `/${saved.id}`)).body.lastRunAt, executed.lastRunAt)
    const { body: asked } = await analyst.save(savedInsight)
    await analyst.ask(asked.id)
    assert.isNotNull((await analyst.call("GET", `/${asked.id}`)).body.lastRunAt)

    const key = await mintKey(request, studio, { permissions: ["analytics:read", "queries:write"] })
    const byKey = { cookie: "", authorization: `Bearer ${key}` }
    const { body: changed } = await analyst.call("PUT", `/${saved.id}`, savedInsight, byKey)
    assert.deepStrictEqual([changed.createdBy, changed.updatedBy, changed.listed], [saved.createdBy, null, true])
    for (const { id } of [saved, asked]) await analyst.call("DELETE", `/${id}`)
  })

  it("is narrowed to words, type, author and star, page by page; a star is the person's own", async () => {
    const made: Record<string, string> = {}
    for (const [queryType, spec] of Object.entries(specs)) {
      const { body } = await analyst.save({ name: `Of ${queryType}`, description: "Größe", queryType, spec })
      made[queryType] = body.id
    }
    const star = (method: string, id: string, headers?: Record<string, string>) =>
      analyst.call(method, `/${id}/star`, undefined, headers)
    for (const id of [made["funnel"]!, made["funnel"]!, made["insight"]!]) {
      const { status, text } = await star("PUT", id)
      assert.deepStrictEqual([status, text], [204, ""])
    }
    const nobody = "00000000-0000-4000-8000-000000000009"
    const rows: ReadonlyArray<readonly [string, ReadonlyArray<string>]> = [
      ["", ["insight", "funnel", "retention"]],
      ["search=OF FUN", ["funnel"]],
      ["search=grÖße", ["insight", "funnel", "retention"]],
      ["search=%25", []],
      ["type=retention", ["retention"]],
      ["type=heatmap", []],
      [`createdBy=${studio.userId}`, ["insight", "funnel", "retention"]],
      [`createdBy=${nobody}`, []],
      ["starred=true", ["insight", "funnel"]],
      ["starred=false", ["retention"]],
      ["starred=true&type=funnel&search=of", ["funnel"]]
    ]
    for (const [search, expected] of rows) {
      const { status, body } = await analyst.call("GET", `?${search}`)
      const found = body.items.map(({ queryType }: { readonly queryType: string }) => queryType)
      assert.deepStrictEqual([status, found, body.nextCursor], [200, expected, null], search)
    }
    const page = (await analyst.call("GET", "?starred=true&limit=1")).body
    const next = (await analyst.call("GET", `?starred=true&limit=1&cursor=${page.nextCursor}`)).body
    assert.deepStrictEqual([page.items[0].starred, next.items[0].id, next.nextCursor], [true, made["funnel"], null])
    for (const search of ["type=guess", "starred=yes", "createdBy=ada", `search=${"a".repeat(257)}`]) {
      const { status, body } = await analyst.call("GET", `?${search}`)
      assert.deepStrictEqual([status, body.code], [400, "VALIDATION_FAILED"], search)
    }

    const key = await mintKey(request, studio, { permissions: ["analytics:read"] })
    const byKey = { cookie: "", authorization: `Bearer ${key}` }
    const seenByKey = (await analyst.call("GET", "?starred=true", undefined, byKey)).body
    assert.deepStrictEqual(seenByKey, { items: [], nextCursor: null })
    assert.strictEqual((await analyst.call("GET", `/${made["funnel"]}`, undefined, byKey)).body.starred, false)
    assert.deepStrictEqual((await star("PUT", made["funnel"]!, byKey)).body.code, "CREDENTIAL_NOT_ACCEPTED")
    const stranger = analystOf(request, await openStudio(request, "eve"))
    assert.strictEqual((await stranger.call("PUT", `/${made["funnel"]}/star`)).body.code, "QUERY_NOT_FOUND")

    for (const _ of [1, 2]) assert.strictEqual((await star("DELETE", made["funnel"]!)).status, 204)
    assert.strictEqual((await analyst.call("GET", `/${made["funnel"]}`)).body.starred, false)
    for (const id of Object.values(made)) await analyst.call("DELETE", `/${id}`)
    assert.strictEqual((await star("PUT", made["funnel"]!)).body.code, "QUERY_NOT_FOUND")
  })
})

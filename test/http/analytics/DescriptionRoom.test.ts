import { assert, describe, it } from "@effect/vitest"
import { markerStudioOf } from "../../support/analytics/MarkerStudio.ts"
import { refused } from "../../support/Caller.ts"
import { stores } from "../../support/Stores.ts"
import { testApp } from "../../support/TestApp.ts"

describe.each(stores)("descriptions of markers over %s", (_, store) => {
  const { request } = testApp(store, { markerTypes: 2, markerNames: 6 })

  it("are of as many types, and arguments of them, as an environment may have", async () => {
    const { studio, at } = await markerStudioOf(request, "ada")
    const put = (body: object) => at("metadata", studio.production).put(body)
    const types = (...names: ReadonlyArray<string>) => put({ types: names.map((name) => ({ name, hidden: false })) })
    const argumentsOf = (type: string, ...names: ReadonlyArray<string>) =>
      put({ arguments: names.map((name) => ({ type, name, unit: "hp" })) })
    assert.strictEqual((await types("Boss", "Raid")).status, 200)
    refused(await types("Raid", "Shop"), 409, "DESCRIPTION_LIMIT_REACHED")
    assert.strictEqual((await types("Raid")).status, 200)
    assert.strictEqual((await argumentsOf("Boss", "health", "name", "level", "age", "armor", "speed")).status, 200)
    refused(await argumentsOf("Raid", "health"), 409, "DESCRIPTION_LIMIT_REACHED")
    assert.strictEqual((await argumentsOf("Boss", "health")).status, 200)
    assert.strictEqual((await at("types", studio.production).get()).body.length, 2)
  })
})

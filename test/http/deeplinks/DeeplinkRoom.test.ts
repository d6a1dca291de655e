import { assert, describe, it } from "@effect/vitest"
import { refused } from "../../support/Caller.ts"
import { basis, deeplinkStudioOf } from "../../support/deeplinks/DeeplinkStudio.ts"
import { stores } from "../../support/Stores.ts"
import { testApp } from "../../support/TestApp.ts"

/** So many deeplinks with metadata of a million characters each have room in a project. */
const most = 16

describe.each(stores)("deeplinks of a project over %s", (label, store) => {
  const { request } = testApp(store)

  it("have metadata of at most 16 MiB together, which may be changed where it does not grow", async () => {
    const { call, define } = await deeplinkStudioOf(request, `room-${label}`)
    const metadata = { note: "x".repeat(1_000_000) }
    const links: Array<{ id: string }> = []
    for (let each = 0; each < most; each++) links.push(await define({ name: "Large", metadata }))
    refused(await call("POST", "", { ...basis, metadata }), 409, "DEEPLINK_LIMIT_REACHED")
    const small = await define({ name: "Small" })
    refused(await call("PUT", `/${small.id}`, { ...basis, metadata }), 409, "DEEPLINK_LIMIT_REACHED")
    const path = `/${links[0]?.id}`
    assert.strictEqual((await call("PUT", path, { ...basis, metadata: { note: "y".repeat(1_000_000) } })).status, 200)
    assert.strictEqual((await call("PUT", path, { ...basis, metadata: {} })).status, 200)
    assert.strictEqual((await call("PUT", `/${small.id}`, { ...basis, metadata })).status, 200)
  })
})

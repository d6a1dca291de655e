import { assert, beforeAll, describe, it } from "@effect/vitest"
import { MemoryStores } from "../../../src/app/Layers.ts"
import { mintKey, openStudio } from "../../support/access/Studio.ts"
import { type Listening, listening } from "../../support/game/Listening.ts"

const asked = { body: { unit: { type: "user", distinctId: "ada" } } }
const markers = { body: { markers: [{ eventName: "Sent", timestamp: Date.now() }] } }

/** Requests that have a fast path, which knows a caller by its headers. */
const requests: ReadonlyArray<readonly [method: string, path: string, given: { readonly body?: object }]> = [
  ["GET", "/sdk/v2/status", {}],
  ["GET", "/sdk/v2/bootstrap", {}],
  ["POST", "/sdk/v2/configurations/evaluate", asked],
  ["POST", "/sdk/v1/markers", markers]
]

describe("a header that a game does not send, after which the fast paths know it", () => {
  let server: Listening
  let authorization: string

  beforeAll(async () => {
    server = await listening(MemoryStores, {})
    const studio = await openStudio(server.request, "ada")
    authorization = await mintKey(server.request, studio, { type: "public" })
    const home = `/application/${studio.applicationId}/v2/configuration`
    const headers = { ...studio.cookie, environment_id: String(studio.production) }
    const body = { name: "Shop", isPrimary: true, configuration: { price: 1 } }
    assert.strictEqual((await server.request("POST", home, { headers, body })).status, 201)
  })

  it.each(requests)("%s %s tells it from one that says undefined", async (method, path, given) => {
    const ask = (headers: Record<string, string>) =>
      server.request(method, path, { ...given, headers: { authorization, ...headers } })
    for (let turn = 0; turn < 2; turn++) assert.strictEqual((await ask({})).status, 200)
    const other = await ask({ environment: "undefined" })
    assert.deepStrictEqual([other.status, other.body.code], [404, "ENVIRONMENT_NOT_FOUND"])
    assert.strictEqual((await ask({ isstudio: "undefined" })).status, 200)
    assert.strictEqual((await ask({})).status, 200)
  })
})

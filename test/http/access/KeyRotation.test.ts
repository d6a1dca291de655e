import { assert, beforeAll, describe, it } from "@effect/vitest"
import { Layer, Logger } from "effect"
import { listening, type Listening } from "../../support/game/Listening.ts"
import { shiftedClock } from "../../support/ShiftedClock.ts"
import { stores } from "../../support/Stores.ts"
import { openStudio, type Studio } from "../../support/access/Studio.ts"

const evaluatePath = "/sdk/v2/configurations/evaluate"

describe.each(stores)("rotation of keys over %s", (_, store) => {
  const clock = shiftedClock()
  let server: Listening
  let studio: Studio

  beforeAll(async () => {
    server = await listening(store, {}, Layer.merge(Logger.remove(Logger.defaultLogger), clock.layer))
    studio = await openStudio(server.request, "ada")
    await server.request("POST", `/application/${studio.applicationId}/v2/configuration`, {
      headers: studio.cookie,
      body: { name: "main", alias: "m", configuration: { speed: 1 }, isPrimary: true }
    })
  })

  const keysPath = () => `/organization/${studio.organizationId}/api-keys`
  const create = async () => {
    const { applicationId, cookie, development, production } = studio
    const body = { type: "public", name: "game", applicationId, environmentIds: [development, production] }
    return (await server.request("POST", keysPath(), { headers: cookie, body })).body
  }
  const rotate = (id: number, body: object) =>
    server.request("POST", `${keysPath()}/${id}/rotate`, { headers: studio.cookie, body })

  /** The statuses of a poll and an evaluation with each token, asked twice so that the fast paths answer as well. */
  const statuses = async (...tokens: ReadonlyArray<string>) => {
    const found: Array<string> = []
    for (const authorization of tokens) {
      const own = new Set<number>()
      for (let round = 0; round < 2; round++) {
        const body = { configuration: "m", unit: { type: "user", distinctId: "p1" } }
        own.add((await server.request("GET", "/sdk/v2/status", { headers: { authorization } })).status)
        own.add((await server.request("POST", evaluatePath, { headers: { authorization }, body })).status)
      }
      found.push([...own].join())
    }
    return found
  }

  it("B7: leaves the old secret valid for the overlap and ends it on time on every path", async () => {
    const key = await create()
    assert.isUndefined(key.previousValidUntil)
    const before = Date.now() + clock.state.shift
    const { body } = await rotate(key.id, { overlap: 600 })
    const after = Date.now() + clock.state.shift
    const ends = Date.parse(body.previousValidUntil)
    assert.isAtLeast(ends, before + 600_000)
    assert.isAtMost(ends, after + 600_000)
    assert.deepStrictEqual(await statuses(key.token, body.token), ["200", "200"])
    clock.state.shift += 600_001
    assert.deepStrictEqual(await statuses(key.token, body.token), ["401", "200"])
  })

  it("B7: ends the old secret at once without an overlap, and the older of two at the next rotation", async () => {
    const first = await create()
    const second = (await rotate(first.id, { overlap: 600 })).body
    const third = (await rotate(first.id, { overlap: 600 })).body
    assert.deepStrictEqual(await statuses(first.token, second.token, third.token), ["401", "200", "200"])
    const fourth = (await rotate(first.id, {})).body
    assert.isUndefined(fourth.previousValidUntil)
    assert.deepStrictEqual(await statuses(second.token, third.token, fourth.token), ["401", "401", "200"])
  })

  it("B7: ends both secrets when the key is deactivated", async () => {
    const key = await create()
    const rotated = (await rotate(key.id, { overlap: 600 })).body
    assert.deepStrictEqual(await statuses(key.token, rotated.token), ["200", "200"])
    const ended = await server.request("DELETE", `${keysPath()}/${key.id}`, { headers: studio.cookie })
    assert.isUndefined(ended.body.previousValidUntil)
    assert.deepStrictEqual(await statuses(key.token, rotated.token), ["401", "401"])
  })

  it.each([-1, 0.5, 2_592_001])(
    "B7: refuses an overlap of %d seconds and leaves the secret as it is",
    async (overlap) => {
      const key = await create()
      assert.strictEqual((await rotate(key.id, { overlap })).status, 400)
      assert.deepStrictEqual(await statuses(key.token), ["200"])
    }
  )
})

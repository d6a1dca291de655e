import { assert, beforeAll, describe, it } from "@effect/vitest"
import { randomUUID } from "node:crypto"
import { mintKey, openStudio, type Studio } from "../../support/access/Studio.ts"
import { type Listening, listening } from "../../support/game/Listening.ts"
import { stores } from "../../support/Stores.ts"

const path = "/sdk/v1/markers"
const marker = (more: object = {}) => ({
  markerId: randomUUID(),
  type: "Level",
  timestamp: new Date().toISOString(),
  distinctId: "ann",
  ...more
})

describe.each(stores)("markers over a socket and %s, stored the short way or the whole", (_, store) => {
  let server: Listening
  let studio: Studio
  let key: string
  const short = { environment: "development" }
  /** A header that the short way leaves to the whole one. */
  const whole = { ...short, "content-encoding": "identity" }

  beforeAll(async () => {
    server = await listening(store)
    studio = await openStudio(server.request, "ada")
    key = await mintKey(server.request, studio, { type: "public" })
  })

  const send = (body: unknown, headers: Record<string, string> = short, authorization = key) =>
    server.request("POST", path, { headers: { ...headers, authorization }, body })

  /** Two requests of a key let it take the short way: the first records that the key is used, the second knows of that. */
  const trusted = async (authorization = key) => {
    for (let turn = 0; turn < 2; turn++) await send({ markers: [marker()] }, short, authorization)
  }

  const bodies: ReadonlyArray<readonly [string, object, number]> = [
    ["what is stored", { markers: [marker(), marker({ type: "Login" })] }, 200],
    ["a marker that is rejected beside one that is not", { markers: [marker(), { type: "" }] }, 200],
    ["a batch that is rejected whole", { markers: [{ type: "" }] }, 400],
    ["no markers", { markers: [] }, 400],
    ["what is no batch", { events: 1 }, 400]
  ]

  it.each(bodies)("the answer to %s is the same, with the same headers", async (_case, body, status) => {
    await trusted()
    const withoutIds = (text: string) =>
      text.replaceAll(/"(ingested|duplicate)MarkersCount":\d+|"duplicateMarkers":\[[^\]]*\]/g, "")
    const [first, second] = [await send(body), await send(body, whole)]
    const headersOf = ({ headers }: typeof first) =>
      [...headers].filter(([name]) => !["date", "connection", "content-length", "x-request-id"].includes(name)).sort()
    assert.deepStrictEqual([first.status, second.status], [status, status])
    assert.deepStrictEqual(headersOf(first), headersOf(second))
    assert.deepStrictEqual(
      withoutIds(first.text).replace(/\d+ markers? stored/, ""),
      withoutIds(second.text).replace(/\d+ markers? stored/, "")
    )
    for (const { headers } of [first, second]) assert.match(headers.get("x-request-id") ?? "", /^[0-9a-f-]{36}$/)
  })

  it("a marker is stored once, whichever way it comes", async () => {
    await trusted()
    const body = { markers: [marker(), marker()] }
    const counts = []
    for (const headers of [short, whole, short]) {
      const { ingestedMarkersCount, duplicateMarkersCount } = (await send(body, headers)).body
      counts.push([ingestedMarkersCount, duplicateMarkersCount])
    }
    assert.deepStrictEqual(counts, [
      [2, 0],
      [0, 2],
      [0, 2]
    ])
  })

  it("broken JSON is refused, and the named environment is kept apart", async () => {
    await trusted()
    const headers = { ...short, authorization: key, "content-type": "application/json", "content-length": "2" }
    const { message } = await server.open("POST", path, headers, "{]")
    assert.strictEqual(message.statusCode, 400)
    const elsewhere = await send({ markers: [marker()] }, { environment: "production" })
    assert.strictEqual(elsewhere.body.environment.alias, "production")
    assert.strictEqual((await send({ markers: [marker()] })).body.environment.alias, "development")
    assert.strictEqual((await send({ markers: [marker()] }, { environment: "nowhere" })).status, 404)
  })

  it("a key that is deleted stores nothing more, at once", async () => {
    const other = await mintKey(server.request, studio, { permissions: ["sdk:ingest"] })
    await trusted(other)
    assert.strictEqual((await send({ markers: [marker()] }, short, other)).status, 200)
    const keys = `/organization/${studio.organizationId}/api-keys`
    const all = (await server.request("GET", keys, { headers: studio.cookie })).body
    const { id } = all.find(({ type }: { type: string }) => type === "secret")
    await server.request("DELETE", `${keys}/${id}`, { headers: studio.cookie })
    assert.strictEqual((await send({ markers: [marker()] }, short, other)).status, 401)
  })
})

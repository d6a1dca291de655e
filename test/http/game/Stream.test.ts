import { assert, beforeAll, describe, it } from "@effect/vitest"
import { Effect, Layer, Logger } from "effect"
import { IncomingMessage, ServerResponse } from "node:http"
import { Socket } from "node:net"
import { EnvironmentId } from "../../../src/domain/Ids.ts"
import { listenerOn, maxWaitingBytes } from "../../../src/http/platform/EventStream.ts"
import { Changes } from "../../../src/services/configuration/Changes.ts"
import { Notices } from "../../../src/services/game/Notices.ts"
import { MemoryStores } from "../../../src/app/Layers.ts"
import { subscribe } from "../../support/analytics/Events.ts"
import type { Listening } from "../../support/game/Listening.ts"
import { listening } from "../../support/game/Listening.ts"
import type { Studio } from "../../support/access/Studio.ts"
import { mintKey, openStudio } from "../../support/access/Studio.ts"
import { shiftedClock } from "../../support/ShiftedClock.ts"

const published = (server: Listening, environment: number, kind: "configuration" | "experiments", ids: Array<number>) =>
  server.run(
    Effect.flatMap(Changes, (changes) => changes.publish({ environmentId: EnvironmentId.make(environment), kind, ids }))
  )

const beat = ({ run }: Listening) => run(Effect.flatMap(Notices, (notices) => notices.beat()))

describe("the stream of changes", () => {
  const clock = shiftedClock()
  let server: Listening
  let studio: Studio
  let authorization: string

  beforeAll(async () => {
    server = await listening(MemoryStores, {}, Layer.merge(Logger.remove(Logger.defaultLogger), clock.layer))
    studio = await openStudio(server.request, "ada")
    authorization = await mintKey(server.request, studio, { type: "public" })
  })

  it("tells everybody who listens to the environment, and nobody else", async () => {
    const one = await subscribe(server, { authorization })
    const two = await subscribe(server, { authorization: `Bearer ${authorization}`, environment: "production" })
    const other = await subscribe(server, { authorization, environment: "development" })
    assert.deepStrictEqual([one.status, one.contentType], [200, "text/event-stream"])
    await Promise.all([one.opened(), two.opened(), other.opened()])
    await published(server, studio.production, "configuration", [7])
    await published(server, studio.production, "experiments", [1, 2])
    for (const stream of [one, two]) {
      const [first, second] = [await stream.next(), await stream.next()]
      assert.deepStrictEqual([first.event, first.data], ["configuration", { ids: [7] }])
      assert.deepStrictEqual([second.event, second.data], ["experiments", { ids: [1, 2] }])
      assert.notStrictEqual(first.id, second.id)
    }
    await published(server, studio.development, "experiments", [3])
    assert.deepStrictEqual((await other.next()).data, { ids: [3] })
    for (const stream of [one, two, other]) stream.close()
  })

  it("goes on where it was for who comes back with the last id, and begins anew for any other id", async () => {
    const first = await subscribe(server, { authorization })
    const before = await first.opened()
    first.close()
    await published(server, studio.production, "configuration", [8])
    await published(server, studio.production, "configuration", [9])
    const again = await subscribe(server, { authorization, "last-event-id": before })
    const missed = [await again.next(), await again.next()]
    assert.deepStrictEqual(
      missed.map(({ data }) => data),
      [{ ids: [8] }, { ids: [9] }]
    )
    await published(server, studio.production, "configuration", [10])
    assert.deepStrictEqual((await again.next()).data, { ids: [10] })
    const middle = await subscribe(server, { authorization, "last-event-id": missed[0]?.id ?? "" })
    assert.deepStrictEqual((await middle.next()).data, { ids: [9] })
    for (const id of ["another-1", "nonsense", `${before.split("-")[0]}-999`]) {
      const stranger = await subscribe(server, { authorization, "last-event-id": id })
      assert.strictEqual((await stranger.next()).event, "reset")
      await stranger.opened()
      stranger.close()
    }
    again.close()
    middle.close()
  })

  it("tells who comes back everything that was missed, however much that is", async () => {
    const first = await subscribe(server, { authorization })
    const before = await first.opened()
    first.close()
    for (let n = 1; n <= 1000; n++) await published(server, studio.production, "configuration", [n])
    const again = await subscribe(server, { authorization, "last-event-id": before })
    const missed = []
    while (missed.length < 1000) missed.push((await again.next()).data)
    assert.deepStrictEqual([missed[0], missed.at(-1)], [{ ids: [1] }, { ids: [1000] }])
    await published(server, studio.production, "configuration", [1001])
    assert.deepStrictEqual((await again.next()).data, { ids: [1001] })
    again.close()
  })

  it("tells its fields to HEAD, and no more", async () => {
    const answer = await server.request("HEAD", "/sdk/v2/stream", { headers: { authorization } })
    const { headers } = answer
    assert.deepStrictEqual(
      [answer.status, answer.text, headers.get("content-type"), headers.get("cache-control")],
      [200, "", "text/event-stream", "no-store"]
    )
    const { status } = await server.request("HEAD", "/sdk/v2/stream", { headers: { authorization: "sdk_unknown" } })
    assert.strictEqual(status, 401)
  })

  it("shows that it lives", async () => {
    const stream = await subscribe(server, { authorization })
    await stream.opened()
    await beat(server)
    assert.isTrue((await stream.next()).isComment)
    stream.close()
  })

  it("ends with the key, at the next sign of life", async () => {
    const token = await mintKey(server.request, studio, { permissions: ["sdk:read"] })
    const [doomed, kept] = [
      await subscribe(server, { authorization: `Bearer ${token}` }),
      await subscribe(server, { authorization })
    ]
    await Promise.all([doomed.opened(), kept.opened()])
    const keys = `/organization/${studio.organizationId}/api-keys`
    const listed = await server.request("GET", keys, { headers: studio.cookie })
    const { id } = listed.body.find((each: { lastFour: string }) => each.lastFour === token.slice(-4))
    const changed = await server.request("PUT", `${keys}/${id}/permissions`, {
      headers: studio.cookie,
      body: { permissions: ["sdk:ingest"] }
    })
    assert.strictEqual(changed.status, 200)
    await beat(server)
    assert.strictEqual(await doomed.ended, "end")
    assert.isTrue((await kept.next()).isComment)
    const refused = await server.request("GET", "/sdk/v2/stream", { headers: { authorization: `Bearer ${token}` } })
    assert.deepStrictEqual([refused.status, refused.body.errorCode], [403, "FORBIDDEN"])
    kept.close()
  })

  it("B7: ends with the secret it was opened with, at the next sign of life after the overlap", async () => {
    const keys = `/organization/${studio.organizationId}/api-keys`
    const { applicationId, production: environment, cookie: headers } = studio
    const body = { type: "public", name: "rotated", applicationId, environmentIds: [environment] }
    const { id, token } = (await server.request("POST", keys, { headers, body })).body
    const opened = await subscribe(server, { authorization: token })
    const rotated = await server.request("POST", `${keys}/${id}/rotate`, { headers, body: { overlap: 600 } })
    const reopened = await subscribe(server, { authorization: token })
    const renewed = await subscribe(server, { authorization: rotated.body.token })
    await Promise.all([opened, reopened, renewed].map((stream) => stream.opened()))
    await beat(server)
    for (const stream of [opened, reopened, renewed]) assert.isTrue((await stream.next()).isComment)
    clock.state.shift += 600_001
    await beat(server)
    assert.deepStrictEqual(await Promise.all([opened.ended, reopened.ended]), ["end", "end"])
    assert.isTrue((await renewed.next()).isComment)
    renewed.close()
  })

  it("ends when the server stops, before it hangs up on anybody", async () => {
    const own = await listening(MemoryStores)
    const grace = await openStudio(own.request, "grace")
    const key = await mintKey(own.request, grace, { type: "public" })
    const stream = await subscribe(own, { authorization: key })
    await stream.opened()
    await own.close()
    assert.strictEqual(await stream.ended, "end")
  })
})

describe("a reader that falls behind", () => {
  it("may have missed more than may wait, and is dropped once so much waits besides", () => {
    const response = new ServerResponse(new IncomingMessage(new Socket()))
    const { begin, send } = listenerOn(response)
    begin(Buffer.alloc(2 * maxWaitingBytes))
    const bytes = Buffer.alloc(8 * 1024)
    for (let sent = 0; sent + 2 * bytes.length < maxWaitingBytes; sent += bytes.length) send(bytes)
    assert.isFalse(response.destroyed)
    for (let n = 0; n < 3; n++) send(bytes)
    assert.isTrue(response.destroyed)
  })

  it("is dropped once too much waits for it, and hears nothing more", () => {
    const response = new ServerResponse(new IncomingMessage(new Socket()))
    const { send } = listenerOn(response)
    const bytes = Buffer.alloc(8 * 1024)
    for (let sent = 0; sent + 2 * bytes.length < maxWaitingBytes; sent += bytes.length) send(bytes)
    assert.isFalse(response.destroyed)
    for (let n = 0; n < 3; n++) send(bytes)
    assert.isTrue(response.destroyed)
  })
})

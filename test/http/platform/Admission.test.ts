import { assert, describe, it } from "@effect/vitest"
import { Clock, Effect, Layer } from "effect"
import { IncomingMessage, ServerResponse } from "node:http"
import { Socket } from "node:net"
import { setImmediate, setTimeout as sleep } from "node:timers/promises"
import { MemoryMetadata } from "../../../src/adapters/memory/Memory.ts"
import { defaults } from "../../../src/app/Config.ts"
import { SettingsLive } from "../../../src/app/SettingsLive.ts"
import { Admission } from "../../../src/http/middleware/Admission.ts"
import { RequestLimits } from "../../../src/services/operations/RequestLimits.ts"
import { refused } from "../../support/Caller.ts"
import { gameOf } from "../../support/game/Game.ts"
import { listening } from "../../support/game/Listening.ts"
import { stores } from "../../support/Stores.ts"
import { mintKey, openStudio } from "../../support/access/Studio.ts"
import { type Answer, testApp } from "../../support/TestApp.ts"

/** A clock that stands still, so that no bucket fills while a test empties it. */
const stopped = () => {
  const now = { at: Date.now() }
  const clock = Object.assign(Clock.make(), {
    currentTimeMillis: Effect.sync(() => now.at),
    unsafeCurrentTimeMillis: () => now.at
  })
  return { now, clock, layer: Layer.setClock(clock) }
}

const two = { perKey: 2, perAddress: 1 }
const limits = {
  rateLimits: true,
  trustProxy: true,
  pollLimit: two,
  evaluateLimit: two,
  ingestLimit: two,
  streamLimit: two
}

describe("E2: limits for each key and each address", () => {
  const { now, layer } = stopped()
  const { request } = testApp(stores[0][1], limits, layer)

  it("count polls, evaluations and markers apart, say where a caller stands, and come back with time", async () => {
    const studio = await openStudio(request, "ada")
    const keys = [await gameOf(request, studio), await gameOf(request, studio)].map(({ publicKey }) => publicKey)
    const schemes = ["", "Bearer ", "bearer ", "BEARER   "]
    let polls = 0
    // However a key is written, it is the same one.
    const poll = (key: number, address: string) => {
      const authorization = `${schemes[polls++ % schemes.length]}${keys[key]}`
      return request("GET", "/sdk/v2/status", { headers: { authorization, "x-forwarded-for": address } })
    }
    const send = (address: string) =>
      request("POST", "/sdk/v1/markers", {
        headers: { authorization: keys[0] ?? "", "x-forwarded-for": `198.51.100.1, ${address}` },
        body: { markers: [{ type: "Login", userId: 1, timestamp: Date.now() }] }
      })
    const evaluate = (address: string) =>
      request("POST", "/sdk/v2/configurations/evaluate", {
        headers: { authorization: keys[0] ?? "", "x-forwarded-for": address },
        body: { unit: { type: "user", distinctId: "ann" } }
      })

    const first = await poll(0, "203.0.113.1")
    assert.deepStrictEqual(
      ["ratelimit-limit", "ratelimit-remaining", "ratelimit-reset"].map((name) => first.headers.get(name)),
      ["10", "9", "1"]
    )
    for (let n = 1; n < 10; n++) assert.strictEqual((await poll(0, "203.0.113.1")).status, 200)
    const tooOften = await poll(0, "203.0.113.1")
    assert.deepStrictEqual([tooOften.status, tooOften.body.errorCode], [429, "RATE_LIMITED"])
    assert.deepStrictEqual(
      ["ratelimit-remaining", "retry-after"].map((name) => tooOften.headers.get(name)),
      ["0", "1"]
    )
    for (let n = 0; n < 30; n++) assert.strictEqual((await poll(1, "203.0.113.1")).status, 429)

    for (let n = 0; n < 10; n++) assert.strictEqual((await poll(0, "203.0.113.2")).status, 200)
    const ofKey = await poll(0, "203.0.113.3")
    assert.deepStrictEqual([ofKey.status, ofKey.headers.get("ratelimit-limit")], [429, "20"])
    assert.strictEqual((await poll(1, "203.0.113.3")).status, 200)

    for (let n = 0; n < 10; n++) assert.strictEqual((await send("203.0.113.1")).status, 200)
    assert.strictEqual((await send("203.0.113.1")).status, 429)
    for (let n = 0; n < 10; n++) assert.strictEqual((await evaluate("203.0.113.1")).status, 404)
    assert.strictEqual((await evaluate("203.0.113.1")).status, 429)

    now.at += 1000
    assert.strictEqual((await poll(0, "203.0.113.1")).status, 200)
    assert.strictEqual((await poll(0, "203.0.113.1")).status, 429)
  })

  it("count by no address of a private network: a proxy that says nothing stands for everybody", async () => {
    const studio = await openStudio(request, "grace")
    const key = await mintKey(request, studio, { type: "public" })
    const poll = () =>
      request("GET", "/sdk/v2/status", { headers: { authorization: key, "x-forwarded-for": "10.0.0.1" } })
    for (let n = 0; n < 20; n++) assert.strictEqual((await poll()).status, 200)
    assert.strictEqual((await poll()).status, 429)
  })

  it("E1: count sign-ins before anything is read, and those that are refused", async () => {
    const headers = { "x-forwarded-for": "203.0.113.9", "content-type": "application/json" }
    const enter = (raw: string) => request("POST", "/users/auth/signin", { headers, raw })
    for (let n = 0; n < 120; n++)
      refused(
        await enter(n % 2 === 0 ? "{" : "x".repeat(20_000)),
        n % 2 === 0 ? 400 : 413,
        n % 2 === 0 ? "MALFORMED_JSON" : "PAYLOAD_TOO_LARGE"
      )
    const answer = await enter("{}")
    refused(answer, 429, "RATE_LIMITED")
    assert.strictEqual(answer.headers.get("retry-after"), "1")
  })

  it("count sign-ins from one household's addresses of IPv6 together", async () => {
    const enter = (n: number) =>
      request("POST", "/users/auth/signin", {
        headers: { "x-forwarded-for": `2a01:4f8:7:2::${n.toString(16)}`, "content-type": "application/json" },
        raw: "{"
      })
    for (let n = 1; n <= 120; n++) refused(await enter(n), 400, "MALFORMED_JSON")
    refused(await enter(121), 429, "RATE_LIMITED")
  })

  it.each([
    ["an address of IPv4", (n: number) => `198.51.100.77:${50_000 + n}`],
    ["one of IPv6", (n: number) => `203.0.113.1, [2a01:4f8:9:9::1]:${50_000 + n}`]
  ])("count the connections of a caller together whose proxy adds the port to %s", async (_, address) => {
    const enter = (n: number) =>
      request("POST", "/users/auth/signin", {
        headers: { "x-forwarded-for": address(n), "content-type": "application/json" },
        raw: "{"
      })
    for (let n = 1; n <= 120; n++) refused(await enter(n), 400, "MALFORMED_JSON")
    refused(await enter(121), 429, "RATE_LIMITED")
  })

  it("are off where the operator says so", async () => {
    const open = testApp(stores[0][1], { ...limits, rateLimits: false }, layer)
    for (let n = 0; n < 130; n++) {
      const answer = await open.request("GET", "/sdk/v2/status", { headers: { authorization: "sdk_nobody" } })
      assert.deepStrictEqual([answer.status, answer.headers.get("ratelimit-limit")], [401, null])
    }
  })
})

describe("E2: on a socket", () => {
  it("short ways are limited as the others are, and so many streams are open at once", async () => {
    const server = await listening(stores[0][1], {
      rateLimits: true,
      trustProxy: true,
      streamLimit: { perKey: 3, perAddress: 2 },
      pollLimit: { perKey: 5, perAddress: 5 }
    })
    const studio = await openStudio(server.request, "ada")
    const { publicKey } = await gameOf(server.request, studio)
    const from = (address: string) => ({ authorization: publicKey, "x-forwarded-for": address })
    const streams: Array<Awaited<ReturnType<typeof server.open>>> = []
    const listen = async (address: string) => {
      const stream = await server.open("GET", "/sdk/v2/stream", from(address))
      streams.push(stream)
      return stream.message.statusCode
    }
    assert.deepStrictEqual(
      [await listen("203.0.113.1"), await listen("203.0.113.1"), await listen("203.0.113.1")],
      [200, 200, 429]
    )
    assert.deepStrictEqual([await listen("203.0.113.2"), await listen("203.0.113.3")], [200, 429])
    streams[0]?.outgoing.destroy()
    while ((await listen("203.0.113.1")) === 429) await sleep(50)
    for (const { outgoing } of streams) outgoing.destroy()

    const poll = () => server.request("GET", "/sdk/v2/status", { headers: from("203.0.113.7") })
    const answers: Array<Answer> = []
    for (let n = 0; n < 60; n++) answers.push(await poll())
    const limited = answers.find(({ status }) => status === 429)
    assert.isDefined(limited)
    assert.deepStrictEqual(
      [limited?.body.code, limited?.body.errorCode, limited?.headers.get("retry-after")],
      ["RATE_LIMITED", "RATE_LIMITED", "1"]
    )
    for (const name of [
      "ratelimit-limit",
      "ratelimit-remaining",
      "ratelimit-reset",
      "x-request-id",
      "access-control-allow-origin"
    ]) {
      for (const answer of [answers[0], answers[1], limited]) assert.isNotNull(answer?.headers.get(name) ?? null, name)
    }
  })
})

describe("I8: admission by kind", () => {
  it("refuses people first and games last in turns that stay long, and vital requests never", async () => {
    const { now, clock } = stopped()
    const settings = Layer.merge(MemoryMetadata, SettingsLive({ ...defaults, rateLimits: true }))
    const layer = Admission.Default.pipe(Layer.provide(RequestLimits.Default), Layer.provide(settings))
    const admission = await Effect.runPromise(Admission.pipe(Effect.provide(layer), Effect.withClock(clock)))
    const made = (method: string, url: string) => {
      const request = Object.assign(new IncomingMessage(new Socket()), { method, url })
      return [request, new ServerResponse(request)] as const
    }
    const isRefused = (method: string, url: string): boolean => {
      const [request, response] = made(method, url)
      const was = admission.admit(request, response) === undefined
      assert.strictEqual(was, response.writableEnded)
      if (was) assert.strictEqual(response.statusCode, 503)
      return was
    }
    const kinds = [
      ["GET", "/health"],
      ["OPTIONS", "/sdk/v1/markers"],
      ["GET", "/sdk/v2/status?hash=1"],
      ["POST", "/sdk/v2/configurations/evaluate"],
      ["GET", "/sdk/v2/configs/main"],
      ["POST", "/sdk/v1/markers"],
      ["POST", "/sdk/v1/markers/"],
      ["GET", "/d/summer"],
      ["POST", "/application/1/analytics/v1/markers/import"],
      ["POST", "/application/1/analytics/v1/queries/insights/execute"],
      ["POST", "/users/auth/signin"],
      ["GET", "/nowhere"]
    ] as const
    const refusedAt = async (age: number, waiting = 16) => {
      for (let polls = 0; polls <= waiting; polls++) {
        assert.isFalse(isRefused("GET", "/sdk/v2/status"))
        admission.take(...made("GET", "/sdk/v2/status"), () => undefined)
      }
      assert.strictEqual(admission.waiting(), waiting)
      now.at += age
      const found = kinds.map(([method, url]) => isRefused(method, url))
      while (admission.waiting() > 0) await setImmediate()
      await setImmediate()
      return found.filter(Boolean).length
    }
    for (let turn = 0; turn < 9; turn++) assert.strictEqual(await refusedAt(60), turn === 8 ? 10 : 0, String(turn))
    assert.deepStrictEqual(
      [await refusedAt(2), await refusedAt(4), await refusedAt(8), await refusedAt(12)],
      [0, 3, 7, 10]
    )
    assert.strictEqual(await refusedAt(60, 15), 0, "fifteen wait")
    now.at += 1000
    assert.strictEqual(await refusedAt(45), 0)
  })
})

import { assert, beforeAll, describe, it } from "@effect/vitest"
import { Effect, FastCheck as fc, Layer } from "effect"
import { randomUUID } from "node:crypto"
import { request as httpRequest } from "node:http"
import { connect } from "node:net"
import { gzipSync } from "node:zlib"
import { SqliteStores } from "../../../src/app/Layers.ts"
import { EnvironmentId } from "../../../src/domain/Ids.ts"
import { EventStore } from "../../../src/ports/analytics/EventStore.ts"
import { anyMarker } from "../../domain/ingest/Arbitraries.ts"
import { mintKey, openStudio, type Studio } from "../../support/access/Studio.ts"
import { everyMarker } from "../../support/analytics/EveryMarker.ts"
import { type Listening, listening } from "../../support/game/Listening.ts"
import { expectedCount, runCount } from "../../support/Runs.ts"

const path = "/sdk/v1/markers"

/** What the store said of bodies that it was to read. */
const told = { stored: 0, left: 0 }

const stores = Layer.effect(
  EventStore,
  Effect.map(EventStore, (inner) => {
    const { receive } = inner
    return EventStore.of({
      ...inner,
      receive:
        receive &&
        ((environmentId, unread, done) =>
          receive(environmentId, unread, (stored, left) => {
            told[stored === null ? "left" : "stored"]++
            done(stored, left)
          }))
    })
  })
).pipe(Layer.provideMerge(SqliteStores))

type Way = "plain" | "gzip" | "chunked"

interface Sent {
  readonly body: string | Buffer
  readonly way: Way
  /** Sent once more afterwards. */
  readonly isRepeated: boolean
}

const plainMarker = fc.record({
  markerId: fc.uuid(),
  timestamp: fc.constant(Date.now()),
  eventName: fc.constantFrom("Login", "Level"),
  distinctId: fc.constantFrom("ann", "bob"),
  properties: fc.record({ level: fc.nat(), platform: fc.constantFrom("ios", "android") }, { requiredKeys: [] })
})

const clicked = {
  markerId: randomUUID(),
  timestamp: Date.now(),
  eventName: "Joined",
  distinctId: "ann",
  properties: { gk_click: "c1" }
}

const bodies = fc.oneof(
  { weight: 6, arbitrary: fc.array(plainMarker, { minLength: 1, maxLength: 12 }).map((markers) => ({ markers })) },
  { weight: 4, arbitrary: fc.array(anyMarker, { minLength: 1, maxLength: 6 }).map((markers) => ({ markers })) },
  {
    weight: 2,
    arbitrary: fc
      .tuple(fc.array(plainMarker, { minLength: 1 }), fc.array(anyMarker))
      .map(([some, others]) => ({ markers: [...some, ...others, ...some] }))
  },
  fc.constantFrom<unknown>(
    { markers: [] },
    { markers: {} },
    { events: [] },
    [],
    null,
    7,
    { markers: [clicked] },
    { markers: Array.from({ length: 1001 }, () => 1) },
    { markers: Array.from({ length: 900 }, (_, n) => ({ timestamp: 1, type: "Old", value: "x".repeat(90), n })) }
  )
)

const texts = fc.oneof(
  { weight: 12, arbitrary: bodies.map((body) => JSON.stringify(body)) },
  {
    weight: 1,
    arbitrary: fc.constantFrom("{]", "", "\ufeff{}", '{"markers":[1', `${"[".repeat(2000)}${"]".repeat(2000)}`)
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      `{"markers":[{"timestamp":"2026-11-20T10:00:00Z","type":"Deep","x":${"[".repeat(40_000)}`
    )
  }
)

const requests: fc.Arbitrary<ReadonlyArray<Sent>> = fc.array(
  fc.record({
    body: texts,
    way: fc.constantFrom<Way>("plain", "plain", "plain", "plain", "gzip", "chunked"),
    isRepeated: fc.boolean()
  }),
  { minLength: 3, maxLength: 12 }
)

/** The environment says which of the two it was; the answers are otherwise to be the same. */
const compared = (text: string) => text.replaceAll(/"environment":\{[^}]*\}/g, "")

describe("requests for markers, with a body that the store reads or that the server does", () => {
  let server: Listening
  let studio: Studio
  let authorization: string

  beforeAll(async () => {
    server = await listening(stores)
    studio = await openStudio(server.request, "ada")
    authorization = await mintKey(server.request, studio, { type: "public" })
    const body = { markers: [{ timestamp: Date.now(), type: "First", distinctId: "ann" }] }
    for (const environment of ["development", "production"])
      for (let turn = 0; turn < 3; turn++)
        await server.request("POST", path, { headers: { environment, authorization }, body })
  })

  const headersTo = (environment: string): Record<string, string> =>
    environment === "production"
      ? { environment, authorization, "content-type": "application/json", "content-encoding": "identity" }
      : { environment, authorization, "content-type": "application/json" }

  const send = (environment: string, { body, way }: Pick<Sent, "body" | "way">) =>
    new Promise<{ readonly status: number | undefined; readonly headers: object; readonly text: string }>(
      (resolve, reject) => {
        const bytes = way === "gzip" ? gzipSync(body) : typeof body === "string" ? Buffer.from(body) : body
        const headers = {
          ...headersTo(environment),
          ...(way === "chunked" ? {} : { "content-length": String(bytes.length) }),
          ...(way === "gzip" ? { "content-encoding": "gzip" } : {})
        }
        const sent = httpRequest({ ...server.address, method: "POST", path, headers, agent: false }, (response) => {
          let text = ""
          response.setEncoding("utf8").on("data", (piece: string) => (text += piece))
          response.on("end", () => {
            const { date: _date, "x-request-id": _id, "content-length": _length, ...told } = response.headers
            resolve({ status: response.statusCode, headers: told, text: compared(text) })
          })
        })
        sent.on("error", reject)
        if (way === "chunked") sent.write(bytes.subarray(0, 5))
        sent.end(way === "chunked" ? bytes.subarray(5) : bytes)
      }
    )

  const storedIn = async (environment: string) => {
    const question = { ...everyMarker, plan: { ...everyMarker.plan, limit: 100_000 } } as const
    const id = EnvironmentId.make(environment === "production" ? studio.production : studio.development)
    const { answer } = await server.run(Effect.flatMap(EventStore, (store) => store.ask(id, question)))
    return answer.items
      .map(({ type, unitId, sessionId, serverId, clamped, position, ...values }) =>
        JSON.stringify([type, unitId, sessionId, serverId, clamped, position, values.arguments, values.properties])
      )
      .toSorted()
  }

  it("answers and stores the same", async () => {
    const property = fc.asyncProperty(requests, async (all) => {
      for (const sent of all.flatMap((each) => (each.isRepeated ? [each, each] : [each])))
        assert.deepStrictEqual(await send("development", sent), await send("production", sent))
      assert.deepStrictEqual(await storedIn("development"), await storedIn("production"))
    })
    await fc.assert(property, { numRuns: runCount(30), endOnFailure: true })
    assert.isAbove(told.stored, expectedCount(20))
    assert.isAbove(told.left, expectedCount(5))
  }, 300_000)

  it.each(["plain", "gzip", "chunked"] as const)("refuses the same that is no UTF-8: %s", async (way) => {
    const before = [await storedIn("development"), await storedIn("production")]
    for (const spoiled of ["\xff", "\xc3(", "\xed\xa0\x80", "x".repeat(70_000) + "\xff"]) {
      const text = JSON.stringify({ markers: [{ timestamp: Date.now(), type: "First", distinctId: "ann" }] })
      const body = Buffer.from(text.replace("ann", `ann${spoiled}`), "latin1")
      for (const environment of ["development", "production"]) {
        const answer = await send(environment, { body, way })
        const said = {
          statusCode: 400,
          code: "MALFORMED_JSON",
          error: "Bad Request",
          message: "The body is not valid UTF-8"
        }
        assert.strictEqual(answer.status, 400)
        assert.deepStrictEqual(JSON.parse(answer.text), { ...said, errorCode: said.code })
      }
    }
    assert.deepStrictEqual([await storedIn("development"), await storedIn("production")], before)
  })

  const pipelined = (environment: string, all: ReadonlyArray<string>) =>
    new Promise<string>((resolve) => {
      const socket = connect(server.address)
      let text = ""
      socket.on("data", (piece) => (text += piece.toString())).on("close", () => resolve(text))
      const head = Object.entries({ host: "a", ...headersTo(environment) }).map(([name, value]) => `${name}: ${value}`)
      const written = all.map((body, at) => {
        const length = `content-length: ${Buffer.byteLength(body)}`
        const connection = `connection: ${at === all.length - 1 ? "close" : "keep-alive"}`
        return `POST ${path} HTTP/1.1\r\n${[...head, length, connection].join("\r\n")}\r\n\r\n${body}`
      })
      socket.write(written.join(""))
    })

  it("answers requests that share a connection in their order, each by what it sent", async () => {
    const pipelines = fc.array(
      fc.array(plainMarker, { minLength: 1, maxLength: 9 }).map((markers) => JSON.stringify({ markers })),
      { minLength: 2, maxLength: 8 }
    )
    const bodiesOf = (text: string) => compared(text).match(/\{"message.*?\]\}/g)
    const property = fc.asyncProperty(pipelines, async (all) => {
      const [ours, theirs] = [await pipelined("development", all), await pipelined("production", all)]
      assert.lengthOf(bodiesOf(ours) ?? [], all.length)
      assert.deepStrictEqual(bodiesOf(ours), bodiesOf(theirs))
    })
    await fc.assert(property, { numRuns: runCount(10) })
  }, 120_000)
})

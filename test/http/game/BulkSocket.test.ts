import { assert, beforeAll, describe, it } from "@effect/vitest"
import { FastCheck as fc } from "effect"
import { type Laboratory, laboratoryOf } from "../../support/experiments/Laboratory.ts"
import { bearer } from "../../support/Caller.ts"
import { type Listening, listening } from "../../support/game/Listening.ts"
import { expectedCount, runCount } from "../../support/Runs.ts"
import { stores } from "../../support/Stores.ts"

const path = "/sdk/v2/experiments/assignments/bulk"

/** Some come again, so that they are settled; some have characters that JSON escapes. */
const distinctId = fc.oneof(
  fc.constantFrom(
    "ann",
    "bob",
    "cid",
    "dot",
    "__proto__",
    'quo"te',
    "back\\slash",
    "ünï-日本",
    "👩‍🚀",
    "\u0000",
    "\ud800",
    ""
  ),
  fc.string({ minLength: 1, maxLength: 8 }),
  fc.constantFrom("x".repeat(256), "x".repeat(257))
)

const context = fc.constantFrom<object>(
  { schemaVersion: 1, properties: { level: 3 } },
  { properties: { vip: true, tags: ["a", "b"] } },
  { properties: { odd: {} } },
  {}
)

const unit = fc.oneof(
  { weight: 12, arbitrary: fc.record({ distinctId }) },
  { weight: 2, arbitrary: fc.record({ distinctId, context }) },
  { weight: 1, arbitrary: fc.record({ distinctId, isNew: fc.boolean() }) },
  {
    weight: 1,
    arbitrary: fc.constantFrom<unknown>({}, null, "ann", 7, { distinctId: 7 }, { distinctId: null }, ["ann"])
  }
)

const settled = fc.record({ distinctId: fc.constantFrom("ann", "bob", "cid", "dot") })

const body = fc.record(
  {
    unitType: fc.oneof(
      { weight: 8, arbitrary: fc.constant("user") },
      fc.constantFrom<unknown>("server", "ghost", null)
    ),
    units: fc.oneof(
      { weight: 3, arbitrary: fc.array(settled, { minLength: 1, maxLength: 20 }) },
      { weight: 3, arbitrary: fc.array(unit, { minLength: 1, maxLength: 8 }) },
      {
        weight: 1,
        arbitrary: fc.constantFrom<unknown>(
          [],
          null,
          {},
          Array.from({ length: 251 }, () => ({ distinctId: "ann" }))
        )
      }
    ),
    sharedContext: context,
    unknown: fc.jsonValue()
  },
  { requiredKeys: ["unitType", "units"] }
)

const few = fc.record({ unitType: fc.constant("user"), units: fc.array(settled, { minLength: 1, maxLength: 20 }) })

const texts = fc.oneof(
  { weight: 4, arbitrary: few.map((value) => JSON.stringify(value)) },
  { weight: 8, arbitrary: body.map((value) => JSON.stringify(value)) },
  { weight: 1, arbitrary: fc.json() },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      "{]",
      "",
      "[]",
      "null",
      '\ufeff{"unitType":"user","units":[{"distinctId":"ann"}]}',
      '{"unitType":"ghost","unitType":"user","units":[{"distinctId":"ann"}]}',
      `{${'"unitType":"user",'.repeat(1001)}"units":[{"distinctId":"ann"}]}`,
      '{"unitType":"user","units":[{"distinctId":"a\\u006en"}]}',
      '{"unitType":"user","units":[{"distinctId":"a\\u0000"}]}',
      '{"unitType":"user","units":[{"distinctId":"ann","__proto__":1}]}',
      `{"unitType":"user","units":${"[".repeat(200)}${"]".repeat(200)}}`
    )
  }
)

describe.each(stores)(
  "assignments of many units over a socket and %s, answered the short way or the whole",
  (_, store) => {
    let server: Listening
    let lab: Laboratory

    beforeAll(async () => {
      server = await listening(store)
      lab = await laboratoryOf(server.request, "ada")
      await lab.begin()
      await lab.begin()
      for (let turn = 0; turn < 2; turn++) await lab.bulk("user", ["ann", "bob", "cid", "dot"])
    })

    const ask = async (text: string, headers: Record<string, string> = {}) => {
      const bytes = Buffer.from(text)
      const sent = {
        ...bearer(lab.game.publicKey),
        environment: "development",
        "content-type": "application/json",
        "content-length": String(bytes.length),
        ...headers
      }
      const { message } = await server.open("POST", path, sent, text)
      const chunks: Array<Buffer> = []
      for await (const chunk of message) chunks.push(chunk)
      const own = Object.entries(message.headers).filter(
        ([name]) => name !== "date" && name !== "connection" && name !== "x-request-id"
      )
      return { status: message.statusCode, headers: Object.fromEntries(own), text: Buffer.concat(chunks).toString() }
    }

    it("say the same to any body, with the same headers", async () => {
      const answered = { settled: 0, other: 0, refused: 0 }
      await fc.assert(
        fc.asyncProperty(texts, async (text) => {
          const short = await ask(text)
          const whole = await ask(text, { "content-encoding": "identity" })
          assert.deepStrictEqual(short, whole)
          assert.deepStrictEqual(await ask(text), whole)
          const kind = whole.status !== 200 ? "refused" : text.includes("ann") ? "settled" : "other"
          answered[kind]++
        }),
        { numRuns: runCount(150) }
      )
      for (const count of Object.values(answered)) assert.isAbove(count, expectedCount(1))
    })

    it("follow every change at once", async () => {
      const { experiment, path: own } = await lab.begin()
      const groupOf = async () => {
        const { ann } = JSON.parse((await ask('{"unitType":"user","units":[{"distinctId":"ann"}]}')).text).assignments
        return ann.find(({ experimentId }: { experimentId: number }) => experimentId === experiment.id)
      }
      const before = (await groupOf()).groupId
      assert.strictEqual((await groupOf()).groupId, before)
      const other = experiment.groups.find(({ id }: { id: number }) => id !== before).id
      await lab.call("POST", `${own}/assignments`, { distinctId: "ann", groupId: other })
      assert.strictEqual((await groupOf()).groupId, other)
      assert.strictEqual((await groupOf()).groupId, other)
      await lab.call("POST", `${own}/assignments/unenroll`, { distinctId: "ann" })
      assert.strictEqual((await groupOf()).status, "unenrolled")
      await lab.call("POST", `${own}/terminate`)
      assert.isUndefined(await groupOf())
    })

    it("give players who come for the first time in many requests at once one assignment each", async () => {
      const { path: own } = await lab.begin()
      const names = Array.from({ length: 30 }, (_, at) => `crowd ${at % 15}`)
      const text = JSON.stringify({ unitType: "user", units: names.map((name) => ({ distinctId: name })) })
      const all = await Promise.all([
        ...Array.from({ length: 6 }, () => ask(text)),
        ask(text, { "content-encoding": "identity" })
      ])
      assert.deepStrictEqual([...new Set(all.map((each) => each.text))], [all[0]?.text])
      await lab.exposed(own)
      assert.deepStrictEqual(
        [(await lab.call("GET", `${own}/assignments`)).body.total, await lab.exposuresOf(own)],
        [15, 15]
      )
    })
  }
)

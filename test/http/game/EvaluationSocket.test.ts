import { assert, beforeAll, describe, it } from "@effect/vitest"
import { keysOf } from "../../support/Caller.ts"
import { type Laboratory, laboratoryOf } from "../../support/experiments/Laboratory.ts"
import { type Listening, listening } from "../../support/game/Listening.ts"
import { stores } from "../../support/Stores.ts"

describe.each(stores)("evaluations over a socket and %s, answered the short way or the whole", (_, store) => {
  let server: Listening
  let lab: Laboratory

  beforeAll(async () => {
    server = await listening(store)
    lab = await laboratoryOf(server.request, "ada")
  })

  const ask = (configuration: string, distinctId: string, more: object = {}, headers: Record<string, string> = {}) =>
    lab.sdk("POST", "configurations/evaluate", { configuration, unit: { type: "user", distinctId }, ...more }, headers)

  /** Asked until nothing changes any more: exposed, and answered from what is known. */
  const settled = async (configuration: string, distinctId: string, path: string) => {
    await ask(configuration, distinctId)
    await lab.exposed(path)
    for (let turn = 0; turn < 3; turn++) await ask(configuration, distinctId)
    return ask(configuration, distinctId)
  }

  it("say the same, with the same headers", async () => {
    const { configuration, path } = await lab.begin()
    const short = await settled(configuration.name, "ann", path)
    const whole = await ask(configuration.name, "ann", {}, { "content-encoding": "identity" })
    assert.strictEqual(short.text, whole.text)
    const headersOf = ({ headers }: typeof short) =>
      Object.fromEntries(
        [...headers].filter(([name]) => name !== "date" && name !== "connection" && name !== "x-request-id")
      )
    assert.deepStrictEqual(headersOf(short), headersOf(whole))
    for (const { headers } of [short, whole]) assert.match(headers.get("x-request-id") ?? "", /^[0-9a-f-]{36}$/)
    const known = await ask(configuration.name, "ann", { knownHash: short.body.hash })
    assert.deepStrictEqual([known.status, known.text], [304, ""])
  })

  it("give players who come for the first time together what each gets who comes alone", async () => {
    const { configuration, path } = await lab.begin()
    await settled(configuration.name, "first", path)
    const names = Array.from({ length: 40 }, (_, at) => `new ${at % 20}`)
    const together = await Promise.all([
      ...names.map((name) => ask(configuration.name, name)),
      ask("nowhere", "new 0"),
      ask(configuration.name, "new 20", {}, { "content-encoding": "identity" })
    ])
    assert.deepStrictEqual([...new Set(together.map(({ status }) => status))], [200, 404])
    await lab.exposed(path)
    const exposed = new Set<string>()
    for (const [at, { text, body }] of together.entries()) {
      const name = names[at]
      if (name === undefined) continue
      const later = await ask(configuration.name, name, {}, { "content-encoding": "identity" })
      if (body.experiments[0].exposureProxyRecorded) exposed.add(name)
      assert.deepStrictEqual(
        JSON.parse(text.replaceAll('"exposureProxyRecorded":true', '"exposureProxyRecorded":false')),
        {
          ...later.body
        }
      )
    }
    assert.strictEqual(exposed.size, 20)
    const { total } = (await lab.call("GET", `${path}/assignments`)).body
    assert.deepStrictEqual([total, await lab.exposuresOf(path)], [22, 22])
  })

  it("are the same bytes whatever their letters, short or long", async () => {
    for (const [name, times] of [
      ["short", 1],
      ["long", 2000]
    ] as const) {
      const configuration = { greeting: "Grüße, 你好 – 👋🏽 \u0080ÿ\u2028".repeat(times) }
      const created = await lab.call("POST", `${lab.root}/configuration`, { name, configuration })
      assert.strictEqual(created.status, 201, created.text)
      for (let turn = 0; turn < 4; turn++) {
        const answer = await ask(name, "letters")
        assert.deepStrictEqual(answer.body.configuration, configuration)
        assert.strictEqual(Number(answer.headers.get("content-length")), Buffer.byteLength(answer.text))
      }
      const whole = await ask(name, "letters", {}, { "content-encoding": "identity" })
      assert.strictEqual((await ask(name, "letters")).text, whole.text)
    }
  })

  it("follow every change at once", async () => {
    const { configuration, experiment, path } = await lab.begin()
    const before = (await settled(configuration.name, "bob", path)).body.experiments[0].groupId
    const other = experiment.groups.find(({ id }: { id: number }) => id !== before).id
    const groupOf = async () => (await ask(configuration.name, "bob")).body.experiments[0]?.groupId
    await lab.call("POST", `${path}/assignments`, { distinctId: "bob", groupId: other })
    assert.strictEqual(await groupOf(), other)
    await settled(configuration.name, "bob", path)
    await lab.call("POST", `${path}/assignments/unenroll`, { distinctId: "bob" })
    assert.strictEqual(await groupOf(), undefined)
    await settled(configuration.name, "bob", path)
    await lab.call("POST", `${path}/assignments/reactivate`, { distinctId: "bob" })
    assert.strictEqual(await groupOf(), other)
    await settled(configuration.name, "bob", path)
    const changes = [{ op: "set", path: ["shop", "banner"], value: "winter" }]
    await lab.call("PATCH", `${lab.root}/configuration/${configuration.id}`, { changes })
    assert.strictEqual((await ask(configuration.name, "bob")).body.configuration.shop.banner, "winter")
    await settled(configuration.name, "bob", path)
    await lab.call("POST", `${path}/terminate`)
    assert.strictEqual(await groupOf(), undefined)
  })

  it("refuse in the envelope what is wrong, and who may no longer ask", async () => {
    const { configuration, path } = await lab.begin()
    await settled(configuration.name, "cid", path)
    for (const [body, status, code] of [
      [{ unit: { type: "user", distinctId: "" } }, 400, "VALIDATION_FAILED"],
      [{ unit: { type: "ghost", distinctId: "a" } }, 400, "VALIDATION_FAILED"],
      [{ unit: { type: "user", distinctId: "\ud800" } }, 400, "VALIDATION_FAILED"],
      [{ configuration: "nowhere", unit: { type: "user", distinctId: "a" } }, 404, "CONFIGURATION_NOT_FOUND"]
    ] as const) {
      const answer = await lab.sdk("POST", "configurations/evaluate", body)
      assert.deepStrictEqual([answer.status, answer.body.code], [status, code])
      assert.deepStrictEqual(keysOf(answer.body), ["code", "error", "errorCode", "message", "statusCode"])
    }
    const keys = `/organization/${lab.studio.organizationId}/api-keys`
    const all = (await lab.call("GET", keys)).body
    const key = all.find(({ type }: { type: string }) => type === "public")
    const removed = await lab.call("DELETE", `${keys}/${key.id}`)
    assert.isTrue(removed.status < 300, removed.text)
    assert.strictEqual((await ask(configuration.name, "cid")).status, 401)
  })
})

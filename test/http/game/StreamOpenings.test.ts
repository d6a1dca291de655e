import { assert, beforeAll, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { vi } from "vitest"
import { MemoryStores } from "../../../src/app/Layers.ts"
import { presentedIn } from "../../../src/domain/access/Token.ts"
import { EnvironmentId } from "../../../src/domain/Ids.ts"
import { Changes } from "../../../src/services/configuration/Changes.ts"
import { NoticeLogs } from "../../../src/services/game/NoticeLogs.ts"
import { Notices } from "../../../src/services/game/Notices.ts"
import { RequestLimits } from "../../../src/services/operations/RequestLimits.ts"
import { mintKey, openStudio, type Studio } from "../../support/access/Studio.ts"
import { subscribe } from "../../support/analytics/Events.ts"
import { type Listening, listening } from "../../support/game/Listening.ts"

const short = "/sdk/v2/stream"
/** Says the same, but is left to the platform. */
const whole = "/sdk/v2/stream?whole"

describe("streams over a socket, opened the short way or the whole", () => {
  let server: Listening
  let studio: Studio

  beforeAll(async () => {
    server = await listening(MemoryStores, { rateLimits: true })
    studio = await openStudio(server.request, "ada")
  })

  const open = (authorization: string, headers: Record<string, string> = {}, path = short) =>
    subscribe(server, { authorization, ...headers }, path)

  const openedBy = async (...given: Parameters<typeof open>) => {
    const stream = await open(...given)
    await stream.opened()
    stream.close()
    return stream
  }

  /** A key that streams were opened with: the next one need not be authenticated. */
  const knownKey = async () => {
    const key = await mintKey(server.request, studio, { permissions: ["sdk:read"] })
    const authorization = `Bearer ${key}`
    for (let turn = 0; turn < 2; turn++) await openedBy(authorization)
    return authorization
  }

  const published = (ids: Array<number>) =>
    server.run(
      Effect.flatMap(Changes, (changes) =>
        changes.publish({ environmentId: EnvironmentId.make(studio.production), kind: "configuration", ids })
      )
    )

  /** How often the regular handler looks where a game may listen. */
  const looks = async (work: () => Promise<void>): Promise<number> => {
    const notices = await server.run(Notices)
    const spy = vi.spyOn(notices, "scopeOf")
    await work()
    const { length } = spy.mock.calls
    spy.mockRestore()
    return length
  }

  it("ask once who the key is, however many are opened with it", async () => {
    const authorization = await knownKey()
    const asked = await looks(async () => {
      for (let turn = 0; turn < 5; turn++) await openedBy(authorization)
    })
    assert.strictEqual(asked, 0)
    assert.strictEqual(await looks(async () => void (await openedBy(authorization, {}, whole))), 1)
    assert.strictEqual(await looks(async () => void (await openedBy(authorization, { environment: "development" }))), 1)
  })

  it("begin with the same fields and the same opening, and hear the same", async () => {
    const authorization = await knownKey()
    const before = await (await open(authorization)).opened()
    await published([1])
    await published([2])
    const heard = []
    for (const path of [short, whole]) {
      const { outgoing, message } = await server.open("GET", path, { authorization, "last-event-id": before })
      const fields = Object.entries(message.headers).filter(
        ([name]) => !["date", "x-request-id", "ratelimit-remaining"].includes(name)
      )
      assert.match(String(message.headers["x-request-id"]), /^[0-9a-f-]{36}$/)
      assert.isDefined(message.headers["ratelimit-remaining"])
      const texts: Array<string> = []
      message.setEncoding("utf8").on("data", (text: string) => texts.push(text))
      await published([3])
      await vi.waitUntil(() => texts.join("").includes('"ids":[3]'), { timeout: 60_000 })
      heard.push({ status: message.statusCode, fields: new Map(fields), text: texts.join("").split('"ids":[3]')[0] })
      outgoing.destroy()
    }
    assert.deepStrictEqual(heard[0]?.fields, heard[1]?.fields)
    assert.deepStrictEqual(heard[0]?.status, heard[1]?.status)
    for (const { text } of heard) assert.match(text ?? "", /"ids":\[1\][^]*"ids":\[2\]/)
  })

  it("are refused in the envelope where they may not be opened, whatever is known of the key", async () => {
    const authorization = await knownKey()
    const refused = async (headers: Record<string, string> = {}) => {
      const { status, body } = await server.request("GET", short, { headers: { authorization, ...headers } })
      return [status, body.code, Object.keys(body).toSorted()]
    }
    const keys = ["code", "error", "errorCode", "message", "statusCode"]
    assert.deepStrictEqual(await refused({ "last-event-id": "x".repeat(65) }), [400, "VALIDATION_FAILED", keys])
    assert.deepStrictEqual(await refused({ environment: "nowhere" }), [404, "ENVIRONMENT_NOT_FOUND", keys])
    const limits = await server.run(RequestLimits)
    const full = vi.spyOn(limits, "isFull").mockReturnValue(true)
    assert.deepStrictEqual(await refused(), [429, "RATE_LIMITED", keys])
    full.mockRestore()
    const path = `/organization/${studio.organizationId}/api-keys`
    const listed = await server.request("GET", path, { headers: studio.cookie })
    const { id } = listed.body.find((each: { lastFour: string }) => each.lastFour === authorization.slice(-4))
    await server.request("PUT", `${path}/${id}/permissions`, {
      headers: studio.cookie,
      body: { permissions: ["sdk:ingest"] }
    })
    assert.deepStrictEqual(await refused(), [403, "FORBIDDEN", keys])
  })

  it("count as open as long as they are", async () => {
    const authorization = await knownKey()
    const limits = await server.run(RequestLimits)
    const held = vi.spyOn(limits, "hold")
    const stream = await open(authorization)
    await stream.opened()
    assert.deepStrictEqual(
      held.mock.calls.map(([{ key }]) => key),
      [presentedIn(authorization)]
    )
    held.mockRestore()
    stream.close()
  })

  it("are not waited for by whoever asked just before the environment was removed", async () => {
    const at = `/application/${studio.applicationId}/environments`
    const made = await server.request("POST", at, { headers: studio.cookie, body: { name: "Short-lived" } })
    const id = EnvironmentId.make(made.body.id)
    const change = { environmentId: id, kind: "configuration", ids: [1] } as const
    await server.run(Effect.flatMap(Changes, (changes) => changes.publish(change)))
    assert.strictEqual((await server.request("DELETE", `${at}/${id}`, { headers: studio.cookie })).status, 204)
    const last = Effect.map(NoticeLogs, (logs) => logs.of(id).last)
    const known = Effect.flatMap(NoticeLogs, (logs) => logs.known(id))
    assert.strictEqual(await server.run(Effect.zipRight(Effect.timeout(known, "1 minute"), last)), 0)
  })

  it("are left to the regular handler where it has to be read what was missed", async () => {
    const authorization = await knownKey()
    const logs = await server.run(NoticeLogs)
    const known = vi.spyOn(logs, "isKnown").mockReturnValue(false)
    assert.strictEqual(await looks(async () => void (await openedBy(authorization))), 1)
    known.mockRestore()
  })
})

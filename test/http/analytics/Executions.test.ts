import { assert, beforeAll, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { EnvironmentId } from "../../../src/domain/Ids.ts"
import { EventStore } from "../../../src/ports/analytics/EventStore.ts"
import { maximumUnfinished } from "../../../src/services/analytics/Executions.ts"
import { concurrency } from "../../../src/services/analytics/ExecutionRuns.ts"
import type { Analyst } from "../../support/analytics/Analyst.ts"
import { analystOf, savedInsight, turn, until } from "../../support/analytics/Analyst.ts"
import { gated } from "../../support/game/Gate.ts"
import { stores } from "../../support/Stores.ts"
import type { Studio } from "../../support/access/Studio.ts"
import { joinStudio, mintKey, mintPersonalToken, openStudio } from "../../support/access/Studio.ts"
import type { Answer } from "../../support/TestApp.ts"
import { testApp } from "../../support/TestApp.ts"

const level = {
  type: "Level",
  unitId: "u1",
  sessionId: null,
  serverId: null,
  timestamp: Date.UTC(2026, 2, 2),
  receivedAt: Date.UTC(2026, 2, 2),
  clamped: false,
  arguments: {},
  properties: {},
  position: null
}

const empty = { state: "queued", progress: { rowsScanned: 0, rowsTotal: 0 }, startedAt: null, finishedAt: null }

describe.each(stores)("executions over %s", (_, store) => {
  const gate = gated(store)
  const { request, run } = testApp(gate.stores)
  let studio: Studio
  let analyst: Analyst
  let queryId: string

  let received = 0
  const receive = () =>
    run(
      Effect.flatMap(EventStore, (events) => {
        const markerId = `00000000-0000-4000-8000-${String(++received).padStart(12, "0")}`
        return events.append(EnvironmentId.make(studio.development), level.receivedAt, [{ ...level, markerId }])
      })
    )

  beforeAll(async () => {
    studio = await openStudio(request, "ada")
    analyst = analystOf(request, studio)
    queryId = (await analyst.save(savedInsight)).body.id
    await receive()
  })

  /** Executions that keep every worker busy: new data, so that none is answered from memory. */
  const occupy = async () => {
    await receive()
    gate.shut()
    const ids: Array<string> = []
    for (let n = 0; n < concurrency; n++) ids.push((await analyst.ask(queryId)).body.executionId)
    await until(() => gate.waiting() === concurrency)
    return ids
  }

  const drain = async (ids: ReadonlyArray<string>) => {
    gate.open()
    for (const id of ids) await analyst.reached(queryId, id, "succeeded", "failed", "canceled")
  }

  it("run in the background, with the result of a run at once", async () => {
    const asked = await analyst.ask(queryId)
    assert.deepStrictEqual([asked.status, asked.body.state], [202, "queued"])
    assert.deepStrictEqual(Object.keys(asked.body).sort(), ["executionId", "state"])
    const { body } = await analyst.reached(queryId, asked.body.executionId, "succeeded", "failed")
    assert.strictEqual(body.state, "succeeded", JSON.stringify(body))
    const { body: direct } = await analyst.call("POST", `/${queryId}/execute`, {})
    assert.deepStrictEqual({ ...body.result, meta: null }, { ...direct, meta: null })
    assert.strictEqual(body.result.series[0].aggregate, 1)
    assert.isFalse("error" in body)
    assert.isAtLeast(body.progress.rowsTotal, body.progress.rowsScanned)
    assert.isTrue(body.requestedAt <= body.startedAt && body.startedAt <= body.finishedAt)
  })

  it("run at most a few at a time, and tell how far they are", async () => {
    const running = await occupy()
    const waiting = (await analyst.ask(queryId)).body.executionId
    for (let n = 0; n < 20; n++) await turn()
    const { requestedAt: _, ...rest } = (await analyst.state(queryId, waiting)).body
    assert.deepStrictEqual(rest, { executionId: waiting, ...empty })
    const { body } = await analyst.state(queryId, running[0]!)
    assert.deepStrictEqual(
      [body.state, body.progress, body.finishedAt],
      ["running", { rowsScanned: 1, rowsTotal: 10 }, null]
    )
    assert.isString(body.startedAt)
    await drain([...running, waiting])
    assert.strictEqual(gate.mostAtOnce(), concurrency)
    assert.strictEqual((await analyst.state(queryId, waiting)).body.state, "succeeded")
  })

  it("the same idempotency key is the same execution, also when asked at once", async () => {
    const same = await Promise.all(Array.from({ length: 20 }, () => analyst.ask(queryId, { idempotencyKey: "one" })))
    assert.deepStrictEqual([...new Set(same.map(({ status }) => status))], [202])
    assert.strictEqual(new Set(same.map(({ body }) => body.executionId)).size, 1)
    const [{ executionId: first }] = same.map(({ body }) => body)
    const production = { environment_id: String(studio.production) }
    const others = [
      await analyst.ask(queryId, { idempotencyKey: "two" }),
      await analyst.ask(queryId),
      await analyst.ask(queryId, { idempotencyKey: "one" }, production)
    ]
    assert.strictEqual(new Set([first, ...others.map(({ body }) => body.executionId)]).size, 4)
    // The next test occupies the queue alone, so these must have ended.
    for (const id of [first, others[0]!.body.executionId, others[1]!.body.executionId])
      await analyst.reached(queryId, id, "succeeded")
    await analyst.reachedWith(production, queryId, others[2]!.body.executionId, "succeeded")
    assert.strictEqual((await analyst.ask(queryId, { idempotencyKey: "one" })).body.executionId, first)
    assert.strictEqual((await analyst.ask(queryId, { idempotencyKey: "" })).body.code, "VALIDATION_FAILED")
  })

  it("are canceled while they wait and while they run, once, and then stay so", async () => {
    const running = await occupy()
    const waiting = (await analyst.ask(queryId)).body.executionId
    for (const id of [waiting, ...running]) {
      const answers = await Promise.all([analyst.cancel(queryId, id), analyst.cancel(queryId, id)])
      assert.deepStrictEqual(answers.map(({ status }) => status).sort(), [200, 409])
      assert.strictEqual(answers.find(({ status }) => status === 409)!.body.code, "EXECUTION_FINISHED")
      const { body } = answers.find(({ status }) => status === 200)!
      assert.deepStrictEqual([body.state, typeof body.finishedAt], ["canceled", "string"])
    }
    await until(() => gate.waiting() === 0)
    gate.open()
    const later = (await analyst.ask(queryId)).body.executionId
    assert.strictEqual((await analyst.reached(queryId, later, "succeeded")).status, 200)
    for (const id of [waiting, ...running]) {
      const { body } = await analyst.state(queryId, id)
      assert.deepStrictEqual([body.state, "result" in body, "error" in body], ["canceled", false, false])
    }
    assert.strictEqual((await analyst.cancel(queryId, later)).body.code, "EXECUTION_FINISHED")
  })

  it("a full queue refuses, and one project's queue holds no other back", async () => {
    const running = await occupy()
    const ids = []
    for (let n = concurrency; n < maximumUnfinished; n++)
      ids.push((await analyst.ask(queryId, { idempotencyKey: `f${n}` })).body.executionId)
    const refused = await analyst.ask(queryId)
    assert.deepStrictEqual([refused.status, refused.body.code], [503, "OVERLOADED"])
    assert.strictEqual((await analyst.ask(queryId, { idempotencyKey: `f${concurrency}` })).body.executionId, ids[0])
    const other = analystOf(request, await openStudio(request, "bob"))
    const { id } = (await other.save(savedInsight)).body
    const asked = await other.ask(id)
    assert.strictEqual(asked.status, 202)
    await analyst.cancel(queryId, running[0]!)
    await until(() => gate.waiting() === concurrency)
    assert.strictEqual((await other.state(id, asked.body.executionId)).body.state, "running")
    await drain([...running, ...ids])
    assert.strictEqual((await other.reached(id, asked.body.executionId, "succeeded")).body.state, "succeeded")
  })

  describe("run with the rights that their requester has then", () => {
    const failing = async (headers: Record<string, string>, takeAway: () => Promise<Answer>) => {
      const running = await occupy()
      const asked = await analyst.ask(queryId, {}, headers)
      assert.strictEqual(asked.status, 202, asked.text)
      const taken = await takeAway()
      assert.isBelow(taken.status, 300, taken.text)
      await drain(running)
      const { body } = await analyst.reached(queryId, asked.body.executionId, "succeeded", "failed")
      assert.deepStrictEqual([body.state, body.error?.code, "result" in body], ["failed", "FORBIDDEN", false])
    }
    const organization = () => `/organization/${studio.organizationId}`

    it("a person whose role lost the permission", async () => {
      const definition = { name: "Asker", permissions: ["analytics:read"] }
      const role = await request("POST", `${organization()}/v2/roles`, { headers: studio.cookie, body: definition })
      const eve = await joinStudio(request, studio, "eve", "Asker")
      await failing(eve, () =>
        request("PUT", `${organization()}/v2/roles/${role.body.id}`, {
          headers: studio.cookie,
          body: { ...definition, permissions: ["markers:read"] }
        })
      )
    })

    it("a person who is no member any more", async () => {
      const definition = { name: "Guest", permissions: ["analytics:read"] }
      await request("POST", `${organization()}/v2/roles`, { headers: studio.cookie, body: definition })
      const mallory = await joinStudio(request, studio, "mallory", "Guest")
      const members = await request("GET", `${organization()}/members`, { headers: studio.cookie })
      const rows: ReadonlyArray<{ membershipId: number; user: { email: string } }> = members.body.items ?? members.body
      const { membershipId } = rows.find(({ user }) => user.email.startsWith("mallory"))!
      await failing(mallory, () =>
        request("DELETE", `${organization()}/members/${membershipId}`, { headers: studio.cookie })
      )
    })

    it("a key that was deactivated, and a token that was revoked", async () => {
      const secret = await mintKey(request, studio, { permissions: ["analytics:read"] })
      const keys = await request("GET", `${organization()}/api-keys`, { headers: studio.cookie })
      await failing({ cookie: "", authorization: `Bearer ${secret}` }, () =>
        request("DELETE", `${organization()}/api-keys/${keys.body.at(-1).id}`, { headers: studio.cookie })
      )
      const personal = await mintPersonalToken(request, studio, { permissions: ["analytics:read"] })
      const tokens = await request("GET", "/users/personal-access-tokens", { headers: studio.cookie })
      await failing({ cookie: "", authorization: `Bearer ${personal}` }, () =>
        request("DELETE", `/users/personal-access-tokens/${tokens.body.at(-1).id}`, { headers: studio.cookie })
      )
    })
  })

  it("are seen only by who may see their environment, under their own query", async () => {
    const { executionId } = (await analyst.ask(queryId)).body
    const other = (await analyst.save(savedInsight)).body.id
    assert.strictEqual((await analyst.state(other, executionId)).body.code, "EXECUTION_NOT_FOUND")
    assert.strictEqual((await analyst.cancel(other, executionId)).body.code, "EXECUTION_NOT_FOUND")
    const production = { environment_id: String(studio.production) }
    assert.strictEqual((await analyst.state(queryId, executionId, production)).body.code, "EXECUTION_NOT_FOUND")
    const scope = { permissions: ["analytics:read"], environmentIds: [studio.production] }
    const authorization = `Bearer ${await mintKey(request, studio, scope)}`
    const path = `/application/${studio.applicationId}/analytics/v1/queries/${queryId}/executions/state`
    const unnamed = await request("POST", path, { headers: { authorization }, body: { executionId } })
    assert.deepStrictEqual([unnamed.status, unnamed.body.code], [400, "VALIDATION_FAILED"], "C5")
    const development = { authorization, environment_id: String(studio.development) }
    const narrow = await request("POST", path, { headers: development, body: { executionId } })
    assert.deepStrictEqual([narrow.status, narrow.body.code], [403, "FORBIDDEN"])
    await analyst.call("DELETE", `/${other}`)
  })
})

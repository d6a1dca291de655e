import { assert, beforeAll, describe, it } from "@effect/vitest"
import { Clock, Effect, Layer } from "effect"
import { afterAll } from "vitest"
import { membershipLimit, membershipOfNetwork } from "../../../src/services/game/SdkCohorts.ts"
import { keysOf } from "../../support/Caller.ts"
import { cohortAnalystOf } from "../../support/cohorts/CohortAnalyst.ts"
import type { Game } from "../../support/game/Game.ts"
import { gameOf } from "../../support/game/Game.ts"
import { stores } from "../../support/Stores.ts"
import type { Request, Studio } from "../../support/access/Studio.ts"
import { mintKey, openStudio } from "../../support/access/Studio.ts"
import { type Answer, envelopeKeys, testApp } from "../../support/TestApp.ts"

const refusedGame = (answer: Answer, status: number, code: string) => {
  assert.deepStrictEqual([answer.status, answer.body?.code, answer.body?.errorCode], [status, code, code])
  assert.deepStrictEqual(keysOf(answer.body), [...envelopeKeys, "errorCode"].sort())
}

const ask = (request: Request, authorization: string, body: unknown) =>
  request("POST", "/sdk/v1/cohorts/membership", { headers: { authorization }, body })

describe.each(stores)("cohorts asked by games over %s", (_, store) => {
  const { request } = testApp(store)
  let studio: Studio
  let game: Game

  beforeAll(async () => {
    studio = await openStudio(request, "ada")
    game = await gameOf(request, studio)
    await cohortAnalystOf(request, studio).list("Testers", ["ann", 7, 9_007_199_254_740_991])
  })

  it.each([
    ["a raw key", (key: string) => key],
    ["a Bearer key", (key: string) => `Bearer ${key}`]
  ])("echo each id in the JSON type and place it came in, by %s", async (_case, headerOf) => {
    const userIds = [7, "7", "ann", "ANN", 7, -1, 1.5, 9_007_199_254_740_991, "007"]
    const answer = await ask(request, headerOf(game.publicKey), { cohortName: "Testers", userIds })
    assert.strictEqual(answer.status, 200)
    assert.match(answer.headers.get("content-type") ?? "", /^application\/json/)
    const isMember = [true, true, true, false, true, false, false, true, false]
    const users = userIds.map((userId, index) => ({ userId, isMember: isMember[index] }))
    assert.deepStrictEqual(answer.body, { cohortExists: true, users })
  })

  it("say of a cohort that is not there that nobody belongs to it", async () => {
    const { status, body } = await ask(request, game.publicKey, { cohortName: "Nobody", userIds: ["ann", 7] })
    assert.strictEqual(status, 200)
    const users = ["ann", 7].map((userId) => ({ userId, isMember: false }))
    assert.deepStrictEqual(body, { cohortExists: false, users })
  })

  it.each([
    ["no users", { cohortName: "Testers" }],
    ["no name", { userIds: [] }],
    ["an empty id", { cohortName: "Testers", userIds: [""] }],
    ["null for an id", { cohortName: "Testers", userIds: [null] }],
    ["a truth for an id", { cohortName: "Testers", userIds: [true] }],
    ["1,001 users", { cohortName: "Testers", userIds: Array.from({ length: 1001 }, (_each, n) => n) }]
  ])("refuse a question with %s", async (_case, body) => {
    refusedGame(await ask(request, game.publicKey, body), 400, "VALIDATION_FAILED")
  })

  it("take 1,000 users, and none", async () => {
    const many = Array.from({ length: 1000 }, (_each, n) => n)
    const { body } = await ask(request, game.publicKey, { cohortName: "Testers", userIds: many })
    assert.deepStrictEqual(
      body.users.filter(({ isMember }: { isMember: boolean }) => isMember),
      [{ userId: 7, isMember: true }]
    )
    const none = await ask(request, game.publicKey, { cohortName: "Testers", userIds: [] })
    assert.deepStrictEqual(none.body, { cohortExists: true, users: [] })
  })

  it("refuse a stranger, and a key that may not read", async () => {
    const body = { cohortName: "Testers", userIds: [7] }
    assert.strictEqual((await ask(request, "", body)).status, 401)
    assert.strictEqual((await ask(request, "nonsense", body)).status, 401)
    const other = await mintKey(request, studio, { permissions: ["sdk:ingest"] })
    refusedGame(await ask(request, other, body), 403, "FORBIDDEN")
  })
})

describe("the rate of questions of games about cohorts", () => {
  const few = 20
  const { limit } = membershipLimit
  afterAll(() => void (membershipLimit.limit = limit))

  // Time stands still while the game asks, so that a slow machine asks as often within a minute as a fast one.
  let stoodAt: number | null = null
  const now = () => stoodAt ?? Date.now()
  const clock = Object.assign(Clock.make(), { currentTimeMillis: Effect.sync(now), unsafeCurrentTimeMillis: now })
  const { request } = testApp(stores[0][1], { rateLimits: true }, Layer.setClock(clock))

  it("is limited for each key by itself", async () => {
    const studio = await openStudio(request, "ada")
    const [one, other] = [await gameOf(request, studio), await gameOf(request, studio)]
    const body = { cohortName: "Testers", userIds: [] }
    stoodAt = Date.now()
    const first = await ask(request, one.publicKey, body)
    assert.deepStrictEqual([first.status, first.headers.get("ratelimit-limit")], [200, "6000"])
    // A smaller limit says the same in fewer requests.
    membershipLimit.limit = few
    const answers = await Promise.all(Array.from({ length: few }, () => ask(request, one.publicKey, body)))
    assert.isAtLeast(answers.filter(({ status }) => status === 200).length, few - 1)
    const refusal = await ask(request, one.publicKey, body)
    refusedGame(refusal, 429, "RATE_LIMITED")
    assert.isAtLeast(Number(refusal.headers.get("retry-after")), 1)
    assert.strictEqual((await ask(request, other.publicKey, body)).status, 200)
  })
})

describe("the rate of questions of players about cohorts", () => {
  const { limit } = membershipOfNetwork
  afterAll(() => void (membershipOfNetwork.limit = limit))
  const { request } = testApp(stores[0][1], { rateLimits: true, trustProxy: true })

  it("is limited for each network, so that no player uses up the key of all; a secret key is one caller", async () => {
    membershipOfNetwork.limit = 5
    const studio = await openStudio(request, "bea")
    const { publicKey } = await gameOf(request, studio)
    const secret = await mintKey(request, studio, { permissions: ["sdk:read"] })
    const body = { cohortName: "Testers", userIds: [] }
    const from = (address: string, authorization = publicKey) =>
      request("POST", "/sdk/v1/cohorts/membership", { headers: { authorization, "x-forwarded-for": address }, body })
    const statuses = []
    for (let each = 0; each < 6; each++) statuses.push((await from("203.0.113.7")).status)
    assert.deepStrictEqual(statuses, [200, 200, 200, 200, 200, 429])
    refusedGame(await from("203.0.113.7"), 429, "RATE_LIMITED")
    const other = await from("203.0.113.8")
    assert.deepStrictEqual([other.status, other.headers.get("ratelimit-remaining")], [200, "5994"])
    for (let each = 0; each < 7; each++) assert.strictEqual((await from("203.0.113.7", secret)).status, 200)
  })
})

import { assert, beforeAll, describe, it } from "@effect/vitest"
import { Effect, Layer, Logger } from "effect"
import { NoBackups } from "../../../src/adapters/local/NoBackups.ts"
import { MailerMemory } from "../../../src/adapters/memory/operations/Mailer.ts"
import { damagedParts, type StoreProblem } from "../../../src/domain/operations/StoreProblem.ts"
import { Health } from "../../../src/ports/operations/Health.ts"
import type { Mail } from "../../../src/ports/operations/Mailer.ts"
import { WebhookRepo } from "../../../src/ports/operations/WebhookRepo.ts"
import { ServerOwners } from "../../../src/services/access/ServerOwners.ts"
import { BackupRuns } from "../../../src/services/operations/BackupRuns.ts"
import { ServerAlerts } from "../../../src/services/operations/ServerAlerts.ts"
import { ServerCounts } from "../../../src/services/operations/ServerCounts.ts"
import { System } from "../../../src/services/operations/System.ts"
import { joinStudio, mintPersonalToken, openStudio, type Studio } from "../../support/access/Studio.ts"
import { keysOf } from "../../support/Caller.ts"
import { shiftedClock } from "../../support/ShiftedClock.ts"
import { stores } from "../../support/Stores.ts"
import { testApp } from "../../support/TestApp.ts"

describe.each(stores)("alerts of the server over %s", (label, store) => {
  const sent: Array<Mail> = []
  const owner = `ada-server-${label}@studio.test`
  const { request, run } = testApp(Layer.merge(store, MailerMemory(sent)), { owner: `${owner},refused@studio.test` })
  const clock = shiftedClock()
  const now: { problems: ReadonlyArray<StoreProblem>; isWritable: boolean } = { problems: [], isWritable: true }
  let ada: Studio
  let bea: Studio

  const health = Layer.succeed(Health, {
    metadata: Effect.sync(() => now.problems),
    freeBytes: Effect.succeed(5e9),
    fileSizes: Effect.succeed([])
  })
  const alerts = ServerAlerts.Default.pipe(
    Layer.provide([System.Default, ServerCounts.Default, ServerOwners.Default]),
    Layer.provide(BackupRuns.Default.pipe(Layer.provide(NoBackups("none")))),
    Layer.provide(health)
  )

  const silent = Logger.remove(Logger.defaultLogger)

  const hook = async (studio: Studio, cookie: { readonly cookie: string }, types: ReadonlyArray<string>) => {
    const body = { name: "Chat", url: "https://a.example/in", types }
    const path = `/organization/${studio.organizationId}/webhooks`
    const { status, body: made, text } = await request("POST", path, { headers: cookie, body })
    assert.strictEqual(status, 201, text)
    return { id: made.id, path }
  }

  const told = async ({ id, path }: { readonly id: string; readonly path: string }) => {
    const { body } = await request("GET", `${path}/${id}/deliveries`, { headers: ada.cookie })
    return (body.items ?? []).map(({ type }: { readonly type: string }) => type)
  }

  beforeAll(async () => {
    ada = await openStudio(request, `ada-server-${label}`)
    bea = await openStudio(request, `bea-server-${label}`)
  })

  it("go to its owners by mail and by the webhooks that they have made, and to nobody else", async () => {
    const admin = await joinStudio(request, ada, `cyd-server-${label}`, "Admin")
    const own = await hook(ada, ada.cookie, ["server.problem", "server.resolved"])
    const every = await hook(ada, ada.cookie, [])
    const others = await hook(ada, ada.cookie, ["alert.fired"])
    const ofAdmin = await hook(ada, admin, ["server.problem"])
    const elsewhere = await hook(bea, bea.cookie, ["server.problem"])

    sent.length = 0

    const rounds = Effect.gen(function* () {
      const { round } = yield* ServerAlerts
      const look = Effect.suspend(() => {
        clock.state.shift += 30_000
        return round()
      })
      yield* look
      now.problems = damagedParts("metadata", 3)
      yield* Effect.repeatN(look, 2)
      now.problems = []
      yield* Effect.repeatN(look, 5)
    })
    await run(Effect.provide(rounds, Layer.mergeAll(alerts, clock.layer, silent)))

    assert.deepStrictEqual(
      sent.map(({ to, subject }) => [to, subject]),
      [
        [owner, "A store is not as it should be (127.0.0.1:4210)"],
        [owner, "Over: A store is not as it should be (127.0.0.1:4210)"]
      ]
    )
    assert.include(sent[0]?.text, "metadata.sqlite is damaged in 3 places")
    assert.deepStrictEqual(await told(own), ["server.resolved", "server.problem"])
    assert.includeMembers(await told(every), ["server.resolved", "server.problem"])
    assert.deepStrictEqual(await told(others), [])
    assert.deepStrictEqual(await told(ofAdmin), [])
    const foreign = await request("GET", `${elsewhere.path}/${elsewhere.id}/deliveries`, { headers: bea.cookie })
    assert.deepStrictEqual(foreign.body.items, [])
    const { body } = await request("GET", `${own.path}/${own.id}/deliveries`, { headers: ada.cookie })
    const details = await request("GET", `${own.path}/${own.id}/deliveries/${body.items[1].id}`, {
      headers: ada.cookie
    })
    assert.deepInclude(JSON.parse(details.body.payload).data, {
      applicationId: null,
      environmentId: null,
      object: { kind: "server", id: "STORE_DAMAGED metadata", name: "A store is not as it should be" }
    })

    const change = async ({ path, id }: typeof own, headers: { readonly cookie: string }, what: object) =>
      (await request("PATCH", `${path}/${id}`, { headers, body: what })).status
    const read = { headers: admin }
    assert.strictEqual((await request("GET", `${own.path}/${own.id}/deliveries/${body.items[1].id}`, read)).status, 403)
    const url = "https://elsewhere.example/in"
    for (const each of [own, every]) assert.strictEqual(await change(each, admin, { url }), 403)
    assert.strictEqual(await change(others, admin, { types: [] }), 403)
    assert.strictEqual(await change(others, admin, { types: ["server.problem"] }), 403)
    assert.strictEqual(await change(others, admin, { url }), 200)
    for (const each of [own, every]) assert.strictEqual(await change(each, admin, { name: "Ours" }), 200)
    assert.strictEqual(await change(every, admin, { types: ["alert.fired"], url }), 200)
    assert.strictEqual(await change(own, ada.cookie, { url }), 200)
  })

  it("are told later where the metadata take no write and mails find nobody", async () => {
    const hooked = await hook(ada, ada.cookie, ["server.problem"])
    const failing = Layer.effect(
      WebhookRepo,
      Effect.map(WebhookRepo, (repo) => ({
        ...repo,
        insertDelivery: (delivery: Parameters<typeof repo.insertDelivery>[0]) =>
          Effect.suspend(() => (now.isWritable ? repo.insertDelivery(delivery) : Effect.die("the disk is full")))
      }))
    )
    const rounds = Effect.gen(function* () {
      const { round } = yield* ServerAlerts
      const look = Effect.suspend(() => {
        clock.state.shift += 30_000
        return round()
      })
      now.problems = damagedParts("metadata", 1)
      now.isWritable = false
      yield* Effect.repeatN(look, 4)
      assert.strictEqual(sent.filter(({ text }) => text.includes("in 1 places")).length, 1)
      now.isWritable = true
      // What failed is tried again after ever longer pauses.
      yield* Effect.repeatN(look, 8)
    })
    await run(Effect.provide(rounds, Layer.mergeAll(alerts.pipe(Layer.provide(failing)), clock.layer, silent)))
    assert.deepStrictEqual(await told(hooked), ["server.problem"])
  })

  const state = (headers: Record<string, string>) => request("GET", "/server-status", { headers })

  it("are on a page that owners see", async () => {
    const { status, body } = await state(ada.cookie)
    assert.strictEqual(status, 200)
    assert.deepStrictEqual(keysOf(body), [
      "alerts",
      "files",
      "freeBytes",
      "mailsTo",
      "problems",
      "requests",
      "status",
      "version"
    ])
    assert.deepStrictEqual(body.mailsTo, [owner, "refused@studio.test"])
    const me = await request("GET", "/users/me", { headers: ada.cookie })
    const other = await request("GET", "/users/me", { headers: bea.cookie })
    assert.deepStrictEqual([me.body.ownsServer, other.body.ownsServer], [true, false])
  })

  const refusals: ReadonlyArray<readonly [string, number, string, () => ReturnType<typeof request>]> = [
    ["nobody", 401, "UNAUTHENTICATED", () => state({})],
    ["the owner of another organization", 403, "FORBIDDEN", () => state(bea.cookie)],
    [
      "a token of an owner",
      401,
      "CREDENTIAL_NOT_ACCEPTED",
      async () => state({ authorization: `Bearer ${await mintPersonalToken(request, ada, {})}` })
    ]
  ]
  it.each(refusals)("refuse %s", async (_case, status, code, ask) => {
    const { status: answered, body } = await ask()
    assert.deepStrictEqual([answered, body.code], [status, code])
  })
})

import { assert, beforeAll, describe, it } from "@effect/vitest"
import { Effect, Layer, TestClock, TestContext } from "effect"
import { AuditRepo } from "../../../src/ports/operations/AuditRepo.ts"
import { AuditTrail } from "../../../src/services/operations/AuditTrail.ts"
import { WebhookQueue } from "../../../src/services/operations/WebhookQueue.ts"
import { SettingsLive } from "../../../src/app/SettingsLive.ts"
import { defaults } from "../../../src/app/Config.ts"
import { OrganizationId } from "../../../src/domain/Ids.ts"
import { SecretsNode } from "../../../src/adapters/node/Secrets.ts"
import { endpoints } from "../../support/Endpoints.ts"
import { bearer, joinAs, keysOf, refused } from "../../support/Caller.ts"
import { gameOf } from "../../support/game/Game.ts"
import { marker } from "../../support/analytics/SentMarkers.ts"
import { stores } from "../../support/Stores.ts"
import type { Studio } from "../../support/access/Studio.ts"
import { mintPersonalToken, openStudio } from "../../support/access/Studio.ts"
import { testApp } from "../../support/TestApp.ts"

/** What changes nothing of an organization although it is no GET: questions, what games and browsers do, what is one's own. */
const untold =
  /^secondFactors\.(setUp|confirm|newRecoveryCodes|remove)$|^passwordResets\.(use|request)$|^openId\.unlink$|^passkeys\.|^(accounts|users|personalTokens|queries|queryStars|ingest|sdk\w*)\.|^markers\.raw$|^alerts\.preview$|^backups\.|^cohorts\.execute$|^configurations\.check$|^experiments\.estimate$|^savedQueries\.(execute|request|state|cancel)/

describe.each(stores)("the log of changes over %s", (label, store) => {
  const { request, run } = testApp(store)
  let studio: Studio
  let home: string

  const log = async (query = "", headers: Record<string, string> = studio.cookie) =>
    request("GET", `${home}/audit-log${query}`, { headers })
  const newest = async () => (await log("?limit=1")).body.items[0]
  const call = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
    request(method, path, {
      headers: { ...studio.cookie, environment_id: String(studio.production), ...headers },
      ...(body === undefined ? {} : { body })
    })

  beforeAll(async () => {
    studio = await openStudio(request, `ada-${label}`)
    home = `/organization/${studio.organizationId}`
  })

  it("tells who changed what, from what to what, where, when and why", async () => {
    const configurations = `/application/${studio.applicationId}/v2/configuration`
    const { body } = await call("POST", configurations, { name: "Shop", configuration: { price: 10 } })
    const created = await newest()
    assert.deepStrictEqual(keysOf(created), [
      "actor",
      "address",
      "applicationId",
      "at",
      "changes",
      "environmentId",
      "hash",
      "moreChanges",
      "number",
      "object",
      "operation",
      "outcome",
      "reason",
      "requestId"
    ])
    assert.deepInclude(created, {
      operation: "configurations.create",
      object: { kind: "configurations", id: String(body.id), name: "Shop" },
      applicationId: studio.applicationId,
      environmentId: studio.production,
      outcome: "done",
      reason: null
    })
    const token = await mintPersonalToken(request, studio, { permissions: ["configurations:write"] })
    const patch = { changes: [{ op: "set", path: ["price"], value: 12 }] }
    const changed = await call("PATCH", `${configurations}/${body.id}`, patch, {
      ...bearer(token),
      "x-change-reason": "  dearer for the weekend ",
      "x-request-id": "patch-1"
    })
    assert.strictEqual(changed.status, 200, changed.text)
    const entry = await newest()
    assert.deepInclude(entry, {
      operation: "configurations.patch",
      reason: "dearer for the weekend",
      requestId: "patch-1"
    })
    assert.deepInclude(entry.actor, { kind: "personal", keyName: "personal token" })
    assert.notInclude((await log()).text, token)
    await call("DELETE", `${configurations}/${body.id}`)
    const removed = await newest()
    assert.deepInclude(removed.object, { id: String(body.id), name: "Shop" })
    assert.deepInclude(removed.changes, { path: "configuration", before: `{"price":12}`, after: null })
    assert.strictEqual(removed.actor.email, `ada-${label}@studio.test`)
    const full = await call("POST", configurations, { name: "Sword", configuration: { price: 1 } })
    const hyphened = { "environment-id": String(studio.production) }
    const put = await request("PUT", `${configurations}/${full.body.id}`, {
      headers: { ...studio.cookie, ...hyphened },
      body: { name: "Sword", configuration: { price: 2 } }
    })
    assert.strictEqual(put.status, 200, put.text)
    assert.deepInclude((await newest()).changes, { path: "configuration.price", before: "1", after: "2" })
  })

  it("tells a large object by its size, and nothing of one that its caller may not read", async () => {
    const configurations = `/application/${studio.applicationId}/v2/configuration`
    const configuration = { text: "x".repeat(300 * 1024) }
    const large = await call("POST", configurations, { name: "Large", configuration })
    assert.strictEqual(large.status, 201, large.text)
    const created = await newest()
    assert.deepInclude(created.object, { id: String(large.body.id), name: "Large" })
    assert.include(
      created.changes.map(({ path }: { path: string }) => path),
      "sha256"
    )
    const token = await mintPersonalToken(request, studio, { permissions: ["configurations:write"] })
    const changes = [{ op: "set", path: ["more"], value: 1 }]
    const patched = await call("PATCH", `${configurations}/${large.body.id}`, { changes }, bearer(token))
    assert.strictEqual(patched.status, 200, patched.text)
    assert.deepStrictEqual((await newest()).changes, [])
  })

  it("tells what a key or a role was before, although no path reads one of them alone", async () => {
    const made = await call("POST", `${home}/api-keys`, {
      name: "Build",
      type: "secret",
      permissions: ["markers:read"],
      environmentIds: [studio.production],
      projectScope: { allProjects: true }
    })
    assert.strictEqual(made.status, 201, made.text)
    const created = await newest()
    assert.strictEqual(created.object.name, "Build")
    assert.deepInclude(created.changes, { path: "token", before: null, after: '"[hidden]"' })
    await call("PATCH", `${home}/api-keys/${made.body.id}`, { name: "Nightly" })
    assert.deepInclude((await newest()).changes, { path: "name", before: '"Build"', after: '"Nightly"' })
  })

  it("finds what was changed on a later page of its list", async () => {
    const roles = await call("GET", `${home}/v2/roles`)
    const { id: roleId } = roles.body.find(({ name }: { name: string }) => name === "Viewer")
    const invite = (index: number) =>
      call("POST", `${home}/invitations`, { email: `guest-${index}@studio.test`, roleId })
    const oldest = await invite(0)
    assert.isString(oldest.body.token)
    assert.notInclude((await log()).text, oldest.body.token)
    for (let index = 1; index <= 200; index++) assert.strictEqual((await invite(index)).status, 201)
    assert.strictEqual((await call("DELETE", `${home}/invitations/${oldest.body.id}`)).status, 204)
    assert.deepInclude((await newest()).changes, { path: "email", before: '"guest-0@studio.test"', after: null })
  })

  it("refuses a reason that is too long, and changes nothing", async () => {
    const before = (await newest()).number
    const long = { "x-change-reason": "x".repeat(501) }
    refused(await call("POST", `${home}/v2/roles`, { name: "Late" }, long), 400, "VALIDATION_FAILED")
    assert.strictEqual((await newest()).number, before)
    assert.strictEqual((await call("GET", `${home}/v2/roles`, undefined, long)).status, 200)
  })

  it("tells nothing of what is refused and of what only reads, and nothing that names an erased player", async () => {
    const before = (await newest()).number
    refused(await call("POST", `${home}/v2/roles`, { name: "" }), 400, "VALIDATION_FAILED")
    refused(await call("DELETE", `${home}/api-keys/987654`), 404, "API_KEY_NOT_FOUND")
    const viewer = await joinAs(request, studio, `viewer-${label}`, "Viewer")
    const joined = (await newest()).number
    assert.isAbove(joined, before)
    assert.strictEqual((await viewer.call("PATCH", home, { name: "Mine" })).status, 403)
    await call("GET", `${home}/members`)
    assert.strictEqual((await newest()).number, joined)
    const game = await gameOf(request, studio)
    await game.send([marker("Login", Date.now() - 1000, { userId: "forgotten-player" })], { environment: "production" })
    const erased = await call("DELETE", `/application/${studio.applicationId}/players/forgotten-player`)
    assert.strictEqual(erased.status, 200, erased.text)
    assert.deepInclude(await newest(), {
      operation: "players.erase",
      object: { kind: "players", id: null, name: null }
    })
    assert.notInclude((await log("?limit=1000")).text, "forgotten-player")
  })

  it("is read by those who may, filtered, in pages and as a table", async () => {
    const developer = await joinAs(request, studio, `developer-${label}`, "Developer")
    refused(await developer.call("GET", `${home}/audit-log`), 403, "FORBIDDEN")
    refused(await developer.call("GET", `${home}/audit-log/verification`), 403, "FORBIDDEN")
    const stranger = await openStudio(request, `eve-${label}`)
    refused(await log("", stranger.cookie), 404, "ORGANIZATION_NOT_FOUND")
    const roles = await log("?kind=apiKeys&operation=apiKeys.create")
    assert.isAbove(roles.body.items.length, 1)
    assert.isTrue(roles.body.items.every(({ operation }: { operation: string }) => operation === "apiKeys.create"))
    const all = (await log("?limit=1000")).body.items.map(({ number }: { number: number }) => number)
    const paged: Array<number> = []
    let cursor = ""
    do {
      const { body } = await log(`?limit=4${cursor}`)
      paged.push(...body.items.map(({ number }: { number: number }) => number))
      cursor = body.nextCursor === null ? "" : `&cursor=${body.nextCursor}`
    } while (cursor !== "")
    assert.deepStrictEqual(paged, all)
    refused(await log("?cursor=x"), 400, "CURSOR_INVALID")
    refused(await log("?kinds=x"), 400, "VALIDATION_FAILED")
    const table = await log("?limit=2", { ...studio.cookie, accept: "text/csv" })
    assert.match(table.text, /^number,at,actor\.kind,actor\.userId/)
  })

  it("is whole, also with a change that a kill cut off, whose outcome nobody knows", async () => {
    const organizationId = OrganizationId.make(studio.organizationId)
    const { content } = await run(Effect.flatMap(AuditRepo, (repo) => repo.from(organizationId, 1, 1))).then(
      ([first]) => first!
    )
    await run(
      Effect.flatMap(AuditRepo, (repo) =>
        repo.begin({
          id: "cut",
          organizationId,
          content: { ...content, operation: "cohorts.create", outcome: "unknown" }
        })
      )
    )
    await run(
      Effect.gen(function* () {
        yield* TestClock.setTime(content.at + 11 * 60_000)
        yield* (yield* AuditTrail).maintain(content.at)
      }).pipe(
        Effect.provide(
          AuditTrail.Default.pipe(
            Layer.provide(WebhookQueue.Default),
            Layer.provide(Layer.merge(SettingsLive(defaults), SecretsNode)),
            Layer.provideMerge(TestContext.TestContext)
          )
        )
      )
    )
    assert.deepInclude(await newest(), { operation: "cohorts.create", outcome: "unknown" })
    const { body } = await request("GET", `${home}/audit-log/verification`, { headers: studio.cookie })
    assert.deepStrictEqual(keysOf(body), ["first", "flaw", "intact", "last", "lastHash"])
    const { number, hash } = await newest()
    assert.deepStrictEqual(body, { intact: true, first: 1, last: number, lastHash: hash, flaw: null })
  })
})

describe("endpoints that the log of changes leaves out", () => {
  it("are those that change nothing of an organization", () => {
    const told = (permission: string) => /:(write|delete)$/.test(permission)
    const left = endpoints().filter(
      ({ method, name, requirement }) =>
        method !== "GET" && (name === "configurations.check" || !told(requirement?.permission ?? ""))
    )
    const others = left.map(({ name }) => name).filter((name) => !untold.test(name))
    assert.deepStrictEqual(others, ["organizations.create", "invitations.accept"])
  })
})

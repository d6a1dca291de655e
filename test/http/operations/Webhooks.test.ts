import { assert, beforeAll, describe, it } from "@effect/vitest"
import { createHmac } from "node:crypto"
import { mostWebhooks } from "../../../src/domain/operations/webhooks/Webhook.ts"
import { bearer, joinAs, keysOf, refused } from "../../support/Caller.ts"
import { eventually } from "../../support/Npm.ts"
import { stores } from "../../support/Stores.ts"
import { mintPersonalToken, openStudio, type Studio } from "../../support/access/Studio.ts"
import { testApp } from "../../support/TestApp.ts"

interface Listed {
  readonly id: number
  readonly type: string
  readonly state: string
}

describe.each(stores)("webhooks over %s", (label, store) => {
  const { request } = testApp(store)
  let studio: Studio
  let home: string

  const call = (method: string, path: string, body?: unknown, headers: Record<string, string> = studio.cookie) =>
    request(method, path, {
      headers: { environment_id: String(studio.production), ...headers },
      ...(body === undefined ? {} : { body })
    })
  const create = async (more: Record<string, unknown> = {}) => {
    const answer = await call("POST", home, { name: "Chat", url: "https://hooks.studio.example/in", ...more })
    assert.strictEqual(answer.status, 201, answer.text)
    return answer.body
  }
  const listed = async (id: string, query = ""): Promise<ReadonlyArray<Listed>> =>
    (await call("GET", `${home}/${id}/deliveries${query}`)).body.items

  beforeAll(async () => {
    studio = await openStudio(request, `ada-hooks-${label}`)
    home = `/organization/${studio.organizationId}/webhooks`
  })

  it("are made with a secret that is shown once, listed, changed and removed", async () => {
    const made = await create({ types: ["cohort.failed", "cohort.failed"], applicationIds: [studio.applicationId] })
    assert.match(made.secret, /^whsec_[A-Za-z0-9+/]{43}=$/)
    assert.deepInclude(made, { types: ["cohort.failed"], isActive: true, switchedOff: null, failingSince: null })
    const all = await call("GET", home)
    assert.notInclude(all.text, "whsec_")
    assert.deepStrictEqual(
      keysOf(all.body[0]),
      keysOf(made).filter((key) => key !== "secret")
    )
    const changed = await call("PATCH", `${home}/${made.id}`, { types: [], isActive: false })
    assert.deepInclude(changed.body, { name: "Chat", types: [], isActive: false })
    assert.strictEqual((await call("GET", `${home}/${made.id}`)).body.isActive, false)
    refused(await call("POST", `${home}/${made.id}/test`), 409, "WEBHOOK_INACTIVE")
    assert.strictEqual((await call("DELETE", `${home}/${made.id}`)).status, 204)
    refused(await call("GET", `${home}/${made.id}`), 404, "WEBHOOK_NOT_FOUND")
    const { text } = await call("GET", `/organization/${studio.organizationId}/audit-log?kind=webhooks`)
    assert.notInclude(text, made.secret)
    assert.include(text, "webhooks.remove")
  })

  it("refuse what is wrong, each problem named, and change nothing", async () => {
    const cases: ReadonlyArray<readonly [body: Record<string, unknown>, code: string, said: RegExp]> = [
      [{ url: "ftp://a.example/" }, "VALIDATION_FAILED", /url: expected an https address/],
      [{ url: "https://ada:secret@a.example/" }, "VALIDATION_FAILED", /without a name and a password/],
      [{ url: "nowhere" }, "VALIDATION_FAILED", /url/],
      [{ name: "", types: ["cohort.exploded"] }, "VALIDATION_FAILED", /name: .*types\.0/],
      [{ secret: "whsec_AA==" }, "VALIDATION_FAILED", /secret: unknown field/],
      [{ applicationIds: [] }, "VALIDATION_FAILED", /applicationIds/],
      [{ applicationIds: [987_654] }, "SCOPE_INVALID", /987654/],
      [
        { url: "http://127.0.0.1:9999/x" },
        "WEBHOOK_ADDRESS_INVALID",
        /^url: Only https is allowed: --private-webhooks on/
      ],
      [{ url: "http://a.example/" }, "WEBHOOK_ADDRESS_INVALID", /^url: Only https/],
      [{ url: "https://10.0.0.7/x" }, "WEBHOOK_ADDRESS_INVALID", /^url: 10\.0\.0\.7 is no public address/],
      [
        { url: "https://[::1]/x" },
        "WEBHOOK_ADDRESS_INVALID",
        /^url: \[::1\] is no public address|^url: ::1 is no public/
      ]
    ]
    for (const [body, code, said] of cases) {
      const answer = await call("POST", home, { name: "Chat", url: "https://a.example/", ...body })
      refused(answer, code === "VALIDATION_FAILED" ? 400 : 422, code)
      assert.match(answer.body.message, said)
    }
    assert.deepStrictEqual((await call("GET", home)).body, [])
    const made = await create()
    refused(await call("PATCH", `${home}/${made.id}`, { url: "http://a.example/" }), 422, "WEBHOOK_ADDRESS_INVALID")
    assert.strictEqual((await call("GET", `${home}/${made.id}`)).body.url, made.url)
    assert.strictEqual((await call("DELETE", `${home}/${made.id}`)).status, 204)
    const unknown = `${home}/00000000-0000-4000-8000-000000000000`
    refused(await call("PATCH", unknown, { name: "x" }), 404, "WEBHOOK_NOT_FOUND")
    refused(await call("GET", `${unknown}/deliveries`), 404, "WEBHOOK_NOT_FOUND")
  })

  it("are not changed on a state that somebody else has changed", async () => {
    const { id, updatedAt } = await create()
    const path = `${home}/${id}`
    const theirs = (await call("PATCH", path, { types: ["experiment.ended"], basedOn: updatedAt })).body
    assert.isTrue(theirs.updatedAt > updatedAt)
    refused(await call("PATCH", path, { types: [], isActive: false, basedOn: updatedAt }), 409, "WEBHOOK_CHANGED")
    assert.deepStrictEqual((await call("GET", path)).body, theirs)
    assert.strictEqual((await call("PATCH", path, { name: "Mine", basedOn: theirs.updatedAt })).body.name, "Mine")
    assert.strictEqual((await call("PATCH", path, { name: "Last" })).body.name, "Last")
    assert.strictEqual((await call("DELETE", path)).status, 204)
  })

  it("are told what happens, at once and in order, and what they were sent can be looked at", async () => {
    const [good, bad] = [
      await create({ types: ["configuration.updated"] }),
      await create({ url: "https://a.example/answers/500" })
    ]
    const configurations = `/application/${studio.applicationId}/v2/configuration`
    const { body: shop } = await call("POST", configurations, { name: "Shop", configuration: { price: 1 } })
    for (const value of [2, 3]) {
      const patch = { changes: [{ op: "set", path: ["price"], value }] }
      assert.strictEqual((await call("PATCH", `${configurations}/${shop.id}`, patch)).status, 200)
    }
    const sent = await eventually("both messages", async () => {
      const all = await listed(good.id, "?state=delivered")
      return all.length === 2 ? all : undefined
    })
    const details = await call("GET", `${home}/${good.id}/deliveries/${sent[1]!.id}`)
    const { data, ...message } = JSON.parse(details.body.payload)
    assert.strictEqual(message.type, "configuration.updated")
    assert.deepInclude(data, { organizationId: studio.organizationId, applicationId: studio.applicationId })
    assert.deepStrictEqual(data.object, { kind: "configurations", id: String(shop.id), name: "Shop" })
    assert.deepInclude(data.changes, { path: "configuration.price", before: "1", after: "2" })
    assert.deepInclude(details.body.attempts[0], { status: 204, problem: null })

    const failing = await eventually("an attempt that failed", async () =>
      (await listed(bad.id)).find(({ state, type }) => state === "waiting" && type === "configuration.created")
    )
    const tried = await eventually("its outcome", async () => {
      const { body } = await call("GET", `${home}/${bad.id}/deliveries/${failing.id}`)
      return body.tries === 1 ? body : undefined
    })
    assert.deepInclude(tried.lastAttempt, { status: 500, problem: "Status 500 is no success" })
    assert.isString((await call("GET", `${home}/${bad.id}`)).body.failingSince)
    const later = (await listed(bad.id, "?type=configuration.updated")).map(({ state }) => state)
    assert.deepStrictEqual(later, ["waiting", "waiting"])
    await call("PATCH", `${home}/${bad.id}`, { url: "https://a.example/" })
    assert.strictEqual((await call("POST", `${home}/${bad.id}/deliveries/${failing.id}/replay`)).status, 202)
    await eventually("all that waited", async () =>
      (await listed(bad.id, "?state=delivered&type=configuration.updated")).length === 2 ? true : undefined
    )
    assert.isNull((await call("GET", `${home}/${bad.id}`)).body.failingSince)
    const page = await call("GET", `${home}/${bad.id}/deliveries?limit=1`)
    const next = await call("GET", `${home}/${bad.id}/deliveries?limit=1&cursor=${page.body.nextCursor}`)
    assert.isBelow(next.body.items[0].id, page.body.items[0].id)
    refused(await call("GET", `${home}/${bad.id}/deliveries?cursor=x`), 400, "CURSOR_INVALID")
    refused(await call("GET", `${home}/${good.id}/deliveries/${failing.id}`), 404, "DELIVERY_NOT_FOUND")
    for (const { id } of [good, bad]) await call("DELETE", `${home}/${id}`)
  })

  it("tell a token what was sent of its own environments alone", async () => {
    const types = ["configuration.created"]
    const [plain, chat] = [await create({ types }), await create({ types, format: "slack" })]
    const configuration = { name: "Prices", configuration: { price: 1 } }
    await call("POST", `/application/${studio.applicationId}/v2/configuration`, configuration)
    const permissions = ["webhooks:read"]
    const other = bearer(
      await mintPersonalToken(request, studio, { permissions, environmentIds: [studio.development] })
    )
    const every = bearer(await mintPersonalToken(request, studio, { permissions }))
    for (const { id } of [plain, chat]) {
      const sent = await eventually("the message", async () => (await listed(id))[0])
      const path = `${home}/${id}/deliveries/${sent.id}`
      const hidden = await call("GET", path, undefined, other)
      refused(hidden, 403, "FORBIDDEN")
      assert.include(hidden.body.message, `does not cover environment ${studio.production}`)
      assert.include((await call("GET", path, undefined, every)).body.payload, "Prices")
      await call("DELETE", `${home}/${id}`)
    }
  })

  it("are tried with a button, switched off where they are not wanted any more, and signed with a new secret", async () => {
    const gone = await create({ url: "https://a.example/answers/410" })
    const tested = await call("POST", `${home}/${gone.id}/test`)
    assert.deepInclude(tested.body, { type: "webhook.test", state: "failed", tries: 1 })
    const present = await call("GET", `${home}/${gone.id}`)
    assert.deepInclude(present.body, {
      isActive: false,
      switchedOff: "The receiver answered 410: it wants no messages any more"
    })
    const back = await call("PATCH", `${home}/${gone.id}`, { isActive: true })
    assert.deepInclude(back.body, { isActive: true, switchedOff: null, failingSince: null })
    const rotated = await call("POST", `${home}/${gone.id}/rotate`, { overlapHours: 1 })
    assert.notStrictEqual(rotated.body.secret, gone.secret)
    assert.isString(rotated.body.previousUntil)
    const at = await call("POST", `${home}/${gone.id}/rotate`, { overlapHours: 0 })
    assert.isNull(at.body.previousUntil)
    assert.lengthOf(createHmac("sha256", at.body.secret).digest(), 32)
    await call("DELETE", `${home}/${gone.id}`)
  })

  it("are for those who may, of the own organization, and not more than twenty", async () => {
    const made = await create()
    const developer = await joinAs(request, studio, `developer-hooks-${label}`, "Developer")
    refused(await developer.call("GET", home), 403, "FORBIDDEN")
    const stranger = await openStudio(request, `eve-hooks-${label}`)
    refused(await call("GET", home, undefined, stranger.cookie), 404, "ORGANIZATION_NOT_FOUND")
    const own = `/organization/${stranger.organizationId}/webhooks/${made.id}`
    refused(await call("GET", own, undefined, stranger.cookie), 404, "WEBHOOK_NOT_FOUND")
    refused(await call("DELETE", own, undefined, stranger.cookie), 404, "WEBHOOK_NOT_FOUND")
    const token = bearer(await mintPersonalToken(request, studio, { permissions: ["webhooks:read", "webhooks:write"] }))
    assert.strictEqual((await call("GET", home, undefined, token)).status, 200)
    refused(await call("POST", home, { name: "x", url: "https://a.example/" }, token), 401, "CREDENTIAL_NOT_ACCEPTED")
    for (let count = 1; count < mostWebhooks; count++) await create()
    refused(await call("POST", home, { name: "x", url: "https://a.example/" }), 409, "WEBHOOK_LIMIT_REACHED")
  })
})

import { assert, beforeAll, describe, it } from "@effect/vitest"
import { Layer } from "effect"
import { MailerMemory } from "../../../src/adapters/memory/operations/Mailer.ts"
import type { Mail } from "../../../src/ports/operations/Mailer.ts"
import { caller, joinAs, refused } from "../../support/Caller.ts"
import { eventually } from "../../support/Npm.ts"
import { stores } from "../../support/Stores.ts"
import { openStudio, type Studio } from "../../support/access/Studio.ts"
import { testApp } from "../../support/TestApp.ts"

describe.each(stores)("webhooks by mail over %s", (label, store) => {
  const sent: Array<Mail> = []
  const { request } = testApp(Layer.merge(store, MailerMemory(sent)))
  const member = `ada-mails-${label}@studio.test`
  let studio: Studio
  let home: string
  let call: ReturnType<typeof caller>

  const create = (url: string, types: ReadonlyArray<string> = ["cohort.created"]) =>
    call("POST", home, { name: "Ada", url, types })

  beforeAll(async () => {
    studio = await openStudio(request, `ada-mails-${label}`)
    home = `/organization/${studio.organizationId}/webhooks`
    call = caller(request, { ...studio.cookie, environment_id: String(studio.production) })
  })

  it("reach a member with what happened, once, and are listed as deliveries", async () => {
    const made = await create(`mailto:${member.toUpperCase()}`)
    assert.strictEqual(made.status, 201, made.text)
    const tried = await call("POST", `${home}/${made.body.id}/test`)
    assert.deepInclude(tried.body, { state: "delivered", tries: 1 })
    assert.include(sent[0]?.text, "This is a test of the webhook Ada.")
    const cohort = { name: "Whales <b>", kind: "static", unitIds: ["a"] }
    const project = `/application/${studio.applicationId}`
    assert.strictEqual((await call("POST", `${project}/analytics/v1/cohorts`, cohort)).status, 201)
    const mail = await eventually("the mail", () => sent[1])
    assert.deepInclude(mail, { to: member.toUpperCase(), subject: "cohort created: Whales <b>" })
    assert.include(mail.text, "cohort created: Whales <b> – by ")
    assert.include(mail.text, "http://127.0.0.1:4210")
    const { items } = (await call("GET", `${home}/${made.body.id}/deliveries`)).body
    assert.deepStrictEqual(
      items.map(({ state }: { readonly state: string }) => state),
      ["delivered", "delivered"]
    )
    assert.strictEqual(sent.length, 2)
  })

  it("go to nobody else, to one address at a time, and to nobody who has left", async () => {
    const stranger = await create("mailto:eve@elsewhere.test")
    refused(stranger, 422, "WEBHOOK_ADDRESS_INVALID")
    assert.include(stranger.body.message, "eve@elsewhere.test")
    for (const url of [
      `mailto:${member},eve@elsewhere.test`,
      `mailto:${member}?bcc=eve@elsewhere.test`,
      `mailto:${member}%2Ceve@elsewhere.test`,
      "mailto:"
    ]) {
      refused(await create(url), 400, "VALIDATION_FAILED")
    }
    const made = await create("https://hooks.studio.test/in", ["cohort.removed"])
    const change = (url: string) => call("PATCH", `${home}/${made.body.id}`, { url })
    refused(await change("mailto:eve@elsewhere.test"), 422, "WEBHOOK_ADDRESS_INVALID")

    const guest = `guest-mails-${label}`
    const { membershipId } = await joinAs(request, studio, guest, "Viewer")
    const changed = await change(`mailto:${guest}@studio.test`)
    assert.strictEqual(changed.status, 200, changed.text)
    const gone = await call("DELETE", `/organization/${studio.organizationId}/members/${membershipId}`)
    assert.strictEqual(gone.status, 204, gone.text)
    const before = sent.length
    const tried = await call("POST", `${home}/${made.body.id}/test`)
    assert.strictEqual(tried.body.state, "waiting")
    assert.include(tried.body.lastAttempt.problem, "no member any more")
    assert.strictEqual(sent.length, before)
  })
})

describe("webhooks by mail with limits", () => {
  const sent: Array<Mail> = []
  const { request } = testApp(Layer.merge(stores[0]![1], MailerMemory(sent)), { rateLimits: true })

  it("bring one address 60 mails an hour, from all of them together, and the rest later", async () => {
    const url = "mailto:often-mails@studio.test"
    const studio = await openStudio(request, "often-mails")
    const call = caller(request, studio.cookie)
    const own = await call("POST", "/organization", { name: "Another" })
    assert.strictEqual(own.status, 201, own.text)
    const homes = [studio.organizationId, own.body.id].map((id) => `/organization/${id}/webhooks`)
    const tests = await Promise.all(
      homes.map(async (home) => `${home}/${(await call("POST", home, { name: "Ada", url })).body.id}/test`)
    )
    const answers = []
    for (let each = 0; each < 61; each++) answers.push(await call("POST", tests[each % 2] ?? ""))
    assert.deepStrictEqual(
      answers.map(({ body }) => body.state),
      [...Array.from({ length: 60 }, () => "delivered"), "waiting"]
    )
    assert.include(answers[60]?.body.lastAttempt.problem, "60 mails of webhooks that it may get in an hour")
    assert.lengthOf(sent, 60)
  })
})

describe.each(stores)("webhooks by mail without a mail server over %s", (label, store) => {
  const { request } = testApp(store)

  it("are refused", async () => {
    const studio = await openStudio(request, `no-mails-${label}`)
    const call = caller(request, studio.cookie)
    const url = `mailto:no-mails-${label}@studio.test`
    const made = await call("POST", `/organization/${studio.organizationId}/webhooks`, { name: "Ada", url })
    refused(made, 409, "MAIL_NOT_CONFIGURED")
  })
})

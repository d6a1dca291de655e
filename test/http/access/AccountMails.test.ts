import { assert, describe, it } from "@effect/vitest"
import { Layer } from "effect"
import { MailerMemory } from "../../../src/adapters/memory/operations/Mailer.ts"
import type { Mail } from "../../../src/ports/operations/Mailer.ts"
import { caller, refused } from "../../support/Caller.ts"
import { signUp } from "../../support/access/Person.ts"
import { eventually } from "../../support/Npm.ts"
import { openStudio } from "../../support/access/Studio.ts"
import { stores } from "../../support/Stores.ts"
import { testApp } from "../../support/TestApp.ts"

const path = "/users/auth/password-reset/mail"
const newPassword = "another battery staple"

describe.each(stores)("mails about accounts over %s", (_, store) => {
  const sent: Array<Mail> = []
  const { request } = testApp(Layer.merge(store, MailerMemory(sent)), { rateLimits: true })
  const register = (name: string) => signUp(request, `${name}@studio.test`)

  const mailsTo = (address: string) => sent.filter(({ to }) => to === address)
  const asked = async (email: string) => {
    const { status, text } = await request("POST", path, { body: { email } })
    assert.deepStrictEqual({ status, text }, { status: 204, text: "" })
  }

  it("lead whoever has lost the password back in, once, and name the address in the letters of the account", async () => {
    assert.deepStrictEqual((await request("GET", "/users/auth/password-reset")).body, { byMail: true })
    await register("lost")
    await asked("LOST@studio.test")
    const mail = await eventually("the mail", () => mailsTo("lost@studio.test")[0])
    const [, token] = /http:\/\/127\.0\.0\.1:4210\/reset-password#(\S+)/.exec(mail.text) ?? []
    const use = () => request("POST", "/users/auth/password-reset", { body: { token, password: newPassword } })
    assert.strictEqual((await use()).status, 204)
    refused(await use(), 404, "PASSWORD_RESET_NOT_FOUND")
    const signIn = { body: { email: "lost@studio.test", password: newPassword } }
    assert.strictEqual((await request("POST", "/users/auth/signin", signIn)).status, 200)
  })

  it("are answered alike where nobody has the address, come three times an hour at most, and name every mistake", async () => {
    await register("often")
    await asked("nobody@studio.test")
    for (let time = 0; time < 5; time++) await asked("often@studio.test")
    await eventually("three mails", () => (mailsTo("often@studio.test").length >= 3 ? true : undefined))
    await register("last")
    await asked("last@studio.test")
    await eventually("a later mail", () => mailsTo("last@studio.test")[0])
    assert.strictEqual(mailsTo("often@studio.test").length, 3)
    assert.deepStrictEqual(mailsTo("nobody@studio.test"), [])
    refused(await request("POST", path, { body: { email: "no address" } }), 400, "VALIDATION_FAILED")
    const strange = await request("POST", path, { body: { email: "a@studio.test", more: 1 } })
    refused(strange, 400, "VALIDATION_FAILED")
    assert.include(strange.body.message, "more")
  })

  it("bring invitations, and say where they could not be sent", async () => {
    const studio = await openStudio(request, "inviting")
    const call = caller(request, studio.cookie)
    const home = `/organization/${studio.organizationId}`
    const roles = (await call("GET", `${home}/v2/roles`)).body
    const { id: roleId } = (roles.items ?? roles).find(({ name }: { readonly name: string }) => name === "Viewer")
    const invite = (email: string) => call("POST", `${home}/invitations`, { email, roleId })
    const made = await invite("guest@elsewhere.test")
    assert.strictEqual(made.body.mail, "sent")
    const [mail] = mailsTo("guest@elsewhere.test")
    assert.include(mail?.text, `http://127.0.0.1:4210/invite/${made.body.token}`)
    assert.include(mail?.text, made.body.expiresAt.slice(0, 10))
    assert.strictEqual((await invite("refused@elsewhere.test")).body.mail, "failed")
  })

  const inviteFrom = async (name: string) => {
    const studio = await openStudio(request, name)
    const call = caller(request, studio.cookie)
    const home = `/organization/${studio.organizationId}`
    const roles = (await call("GET", `${home}/v2/roles`)).body
    const { id: roleId } = roles.find((role: { readonly name: string }) => role.name === "Viewer")
    return async (email: string): Promise<string> => {
      const made = await call("POST", `${home}/invitations`, { email, roleId })
      assert.strictEqual(made.status, 201)
      return made.body.mail
    }
  }

  it("bring three invitations an hour of one organization to one address, and still make the others", async () => {
    const [one, other] = [await inviteFrom("bothering"), await inviteFrom("bothering-too")]
    const told: Array<string> = []
    for (const invite of [one, one, one, one, other, one]) told.push(await invite("Bothered@elsewhere.test"))
    assert.deepStrictEqual(told, ["sent", "sent", "sent", "failed", "sent", "failed"])
    assert.lengthOf(mailsTo("Bothered@elsewhere.test"), 4)
    assert.strictEqual(await one("somebody-else@elsewhere.test"), "sent")
  })

  it("bring twenty invitations an hour to one address, from whichever organizations", async () => {
    const told: Array<string> = []
    for (let each = 0; each < 7; each++) {
      const invite = await inviteFrom(`many-${each}`)
      for (let again = 0; again < 4; again++) told.push(await invite("wanted@elsewhere.test"))
    }
    assert.lengthOf(mailsTo("wanted@elsewhere.test"), 20)
    assert.deepStrictEqual(told.slice(-4), ["sent", "sent", "failed", "failed"])
  })
})

describe.each(stores)("without a mail server over %s", (_, store) => {
  const { request } = testApp(store)

  it("nobody is promised a mail", async () => {
    assert.deepStrictEqual((await request("GET", "/users/auth/password-reset")).body, { byMail: false })
    refused(await request("POST", path, { body: { email: "ada@studio.test" } }), 409, "MAIL_NOT_CONFIGURED")
  })
})

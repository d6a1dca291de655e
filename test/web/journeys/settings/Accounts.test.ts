import { afterAll, assert, describe, it } from "@effect/vitest"
import { codeOf } from "../../../support/access/Authenticators.ts"
import { mailServer, plainText } from "../../../support/access/MailServer.ts"
import { missingBrowser, sayWhatIsMissing } from "../../../support/Browser.ts"
import { barriersOn } from "../../../support/Visitor.ts"
import { eventually } from "../../../support/Npm.ts"
import { inBrowser, inDemoStudio, isOpenEverywhere } from "../../InBrowser.ts"
import { apiOf, joinTeam, password } from "../../Team.ts"

sayWhatIsMissing()

const stranger = { storageState: { cookies: [], origins: [] } }
const email = "lost@studio.example"
const newPassword = "another battery staple"

describe.skipIf(missingBrowser !== null)("accounts", () => {
  const studio = inDemoStudio()

  it("an owner gives somebody who has lost the password a link, and they come back in", async () => {
    const owner = await studio.visit()
    const member = await studio.visit(stranger)
    const ownerApi = apiOf(owner.context.request, studio.server.url)
    await joinTeam(ownerApi, apiOf(member.context.request, studio.server.url), "Viewer", email)
    await member.context.clearCookies()

    const { page } = owner
    await page.goto(`${studio.place}/settings/members`)
    await page.getByRole("button", { name: "New password for Viewer" }).click()
    assert.deepStrictEqual(await barriersOn(page), [])
    await page.getByRole("button", { name: "Make the link" }).click()
    const link = await page.locator("[data-secret]").innerText()
    assert.deepStrictEqual(await barriersOn(page), [])
    await page.getByRole("button", { name: "I have kept it" }).click()

    await member.page.goto("/signin")
    await member.page.getByText("Lost the password?").waitFor()
    await member.page.goto(link)
    assert.deepStrictEqual(await barriersOn(member.page), [])
    await member.page.getByLabel("New password").fill(newPassword)
    await member.page.getByRole("button", { name: "Save the password" }).click()
    await member.page.getByRole("link", { name: "Sign in" }).click()
    await member.page.getByLabel("E-mail").fill(email)
    await member.page.getByLabel("Password").fill(newPassword)
    await member.page.getByRole("button", { name: "Sign in" }).click()
    await member.page.waitForURL(/\/p\/\d+\//)

    await member.page.goto("/signin")
    await member.page.goto(link)
    await member.page.getByLabel("New password").fill(newPassword)
    await member.page.getByRole("button", { name: "Save the password" }).click()
    await member.page.getByText("This link was used or has ended").waitFor()
    assert.deepStrictEqual([...(await member.leave()), ...(await owner.leave())], [])
  })

  it("a member sets up an authenticator app, signs in with its codes and with a recovery code, and takes it away", async () => {
    const { page, context, leave } = await studio.visit(stranger)
    const api = apiOf(context.request, studio.server.url)
    const owner = await studio.visit()
    await joinTeam(apiOf(owner.context.request, studio.server.url), api, "Viewer", "factor@studio.example")
    await page.goto(`${studio.place}/settings/account`)
    await page.getByRole("button", { name: "Set up an app" }).click()
    const dialog = page.getByRole("dialog")
    await dialog.getByLabel("Present password").fill(password)
    assert.deepStrictEqual(await barriersOn(page), [])
    await dialog.getByRole("button", { name: "Go on" }).click()
    await dialog.getByRole("img", { name: "QR code for the authenticator app" }).waitFor()
    const secret = (await dialog.locator("[data-secret]").innerText()).replaceAll(" ", "")
    assert.deepStrictEqual(await barriersOn(page), [])
    await dialog.getByRole("textbox", { name: "Code" }).fill("000 000")
    await dialog.getByRole("button", { name: "Ask for codes from now on" }).click()
    await dialog.getByText("This is no code of your app").waitFor()
    await dialog.getByRole("textbox", { name: "Code" }).fill(codeOf(secret))
    await dialog.getByRole("button", { name: "Ask for codes from now on" }).click()
    await page.getByRole("dialog", { name: "Your recovery codes" }).waitFor()
    const codes = (await page.locator("[data-secret]").innerText()).split("\n")
    assert.lengthOf(codes, 10)
    assert.deepStrictEqual(await barriersOn(page), [])
    await page.getByRole("button", { name: "I have kept it" }).click()
    await page.getByText("10 recovery codes are left.").waitFor()

    const signIn = async (code: string) => {
      await context.clearCookies()
      await page.goto("/signin")
      await page.getByLabel("E-mail").fill("factor@studio.example")
      await page.getByLabel("Password").fill(password)
      await page.getByRole("button", { name: "Sign in" }).click()
      await page.getByRole("textbox", { name: "Code" }).fill(code)
      assert.deepStrictEqual(await barriersOn(page), [])
      await page.getByRole("button", { name: "Sign in" }).click()
      await page.waitForURL(/\/p\/\d+\//)
    }
    await signIn(codeOf(secret, 1))
    await signIn(codes[0]?.toUpperCase() ?? "")

    await page.goto(`${studio.place}/settings/account`)
    await page.getByText("9 recovery codes are left.").waitFor()
    await page.getByRole("button", { name: "Take it away" }).click()
    await dialog.getByLabel("Present password").fill(password)
    await dialog.getByRole("textbox", { name: "Code" }).fill(codes[1] ?? "")
    await dialog.getByRole("button", { name: "Take it away" }).click()
    await page.getByRole("button", { name: "Set up an app" }).waitFor()
    assert.deepStrictEqual([...(await leave()), ...(await owner.leave())], [])
  })

  it("somebody can be invited by who is faster than the list of roles", async () => {
    const { page, leave } = await studio.visit()
    let release = () => undefined as void
    const released = new Promise<void>((resolve) => (release = resolve))
    await page.route("**/v2/roles", async (route) => {
      await released
      await route.continue()
    })
    await page.goto(`${studio.place}/settings/members`)
    await page.getByRole("button", { name: "Invite", exact: true }).click()
    const form = page.getByRole("dialog", { name: "Invite somebody" })
    await form.getByLabel("E-mail").fill("quick@studio.example")
    release()
    await form.getByRole("option", { name: "Viewer" }).waitFor({ state: "attached" })
    assert.strictEqual(await form.getByLabel("Role", { exact: true }).locator("option:checked").textContent(), "Viewer")
    await form.getByRole("button", { name: "Make the link" }).click()
    await page.locator("[data-secret]").waitFor()
    assert.deepStrictEqual(await leave(), [])
  })

  it("what runs in the background for one person is not shown to who signs in after them, and is there again for them", async () => {
    const owner = await studio.visit()
    const ownerApi = apiOf(owner.context.request, studio.server.url)
    const { page, context, leave } = await studio.visit(stranger)
    const api = apiOf(context.request, studio.server.url)
    const people = { Viewer: "second@studio.example", Admin: "first@studio.example" } as const
    for (const [role, address] of Object.entries(people)) {
      await context.clearCookies()
      await joinTeam(ownerApi, api, role, address)
    }
    await page.route("**/queries/insights/execute", () => undefined)
    await page.goto(`${studio.place}/insights?m=Login:uniqueUsers&range=20d`)
    await page.getByRole("button", { name: "Run in the background" }).click()
    const runs = page.getByRole("list", { name: "In the background" })
    await runs.getByText("is answered.").waitFor()
    const become = async (before: string, address: string) => {
      await page.locator("summary", { hasText: before }).click()
      await page.getByRole("button", { name: "Sign out" }).click()
      await page.getByLabel("E-mail").fill(address)
      await page.getByLabel("Password").fill(password)
      await page.getByRole("button", { name: "Sign in" }).click()
      await page.getByRole("heading", { level: 1 }).waitFor()
    }
    await become("Admin", people.Viewer)
    await page.locator("summary", { hasText: "Viewer" }).waitFor()
    assert.strictEqual(await runs.count(), 0)
    await become("Viewer", people.Admin)
    await runs.getByText("is answered.").waitFor()
    await page.unrouteAll({ behavior: "ignoreErrors" })
    assert.deepStrictEqual([...(await leave()), ...(await owner.leave())], [])
  })

  it("the log of changes of somebody who has left says whose it is", async () => {
    const { page, context, leave } = await studio.visit()
    const owner = apiOf(context.request, studio.server.url)
    const gone = await studio.visit(stranger)
    await joinTeam(owner, apiOf(gone.context.request, studio.server.url), "Viewer", "gone@studio.example")
    await gone.leave()
    const [{ id }] = await owner.ask("GET", "/organization")
    const { items } = await owner.ask("GET", `/organization/${id}/members`)
    const member = items.find(({ user }: { readonly user: { email: string } }) => user.email === "gone@studio.example")
    await owner.ask("DELETE", `/organization/${id}/members/${member.membershipId}`)
    await page.goto(`${studio.place}/settings/changes?who=${member.user.id}`)
    const who = page.getByRole("combobox", { name: /^Who/ })
    await who.getByRole("option", { name: "Somebody who has left" }).waitFor({ state: "attached" })
    assert.strictEqual(await who.inputValue(), String(member.user.id))
    await who.selectOption("Everybody")
    await page.waitForURL(/\/changes$/)
    assert.deepStrictEqual(await leave(), [])
  })
})

const mails = await mailServer()

describe.skipIf(missingBrowser !== null)("accounts of a server that sends mails", () => {
  const server = inBrowser(["--smtp", mails.address, "--mail-from", "Emberkeep <live@emberkeep.example>"])
  afterAll(() => mails.close())

  const linkTo = async (address: string, path: string): Promise<string> => {
    const mail = await eventually(`a mail to ${address}`, () =>
      mails.received.find(({ to, source }) => to.includes(address) && source.includes(path))
    )
    const [link] = new RegExp(`http://\\S+${path}\\S+`).exec(plainText(mail)) ?? []
    return link ?? ""
  }

  it("lets people in whom a mail invites, and back in who have lost the password", async () => {
    const owner = await server.visit()
    const ownerApi = apiOf(owner.context.request, server.server.url)
    await ownerApi.signUp("Owner", "owner@studio.example")
    await ownerApi.signIn("owner@studio.example")
    const [{ id }] = await ownerApi.ask("GET", "/organization")
    const roles = await ownerApi.ask("GET", `/organization/${id}/v2/roles`)
    const viewer = roles.find(({ name }: { readonly name: string }) => name === "Viewer")
    const invited = await ownerApi.ask("POST", `/organization/${id}/invitations`, { email, roleId: viewer.id })
    assert.strictEqual(invited.mail, "sent")

    const { page, leave } = await server.visit()
    await page.goto(new URL(await linkTo(email, "/invite/")).pathname)
    await page.getByRole("link", { name: "Create an account" }).click()
    await page.getByLabel("Name").fill("Guest")
    await page.getByLabel("E-mail").fill(email)
    await page.getByLabel("Password").fill(newPassword)
    await page.getByRole("button", { name: "Create the account" }).click()
    await page.getByRole("button", { name: "Accept the invitation" }).click()
    await page.waitForURL((url) => !url.pathname.startsWith("/invite"))
    await page.context().clearCookies()

    await page.goto("/signin")
    await page.getByRole("link", { name: "Lost the password?" }).click()
    await isOpenEverywhere(page, "asking for a link")
    await page.getByLabel("E-mail").fill(email)
    await page.getByRole("button", { name: "Mail me a link" }).click()
    await page.getByText(`If ${email} has an account`).waitFor()
    await isOpenEverywhere(page, "a link is on its way")
    const { pathname, hash } = new URL(await linkTo(email, "/reset-password"))
    await page.goto(pathname + hash)
    await page.getByLabel("New password").fill("a third battery staple")
    await page.getByRole("button", { name: "Save the password" }).click()
    await page.getByText("You have a new password").waitFor()
    assert.deepStrictEqual([...(await leave()), ...(await owner.leave())], [])
  })
})

import { assert, beforeAll, describe, it } from "@effect/vitest"
import { EventEmitter, once } from "node:events"
import type { Page, Request } from "playwright-core"
import { missingBrowser, sayWhatIsMissing } from "../../support/Browser.ts"
import { inBrowser, isOpenInBothThemes } from "../InBrowser.ts"
import { apiOf, joinTeam, password } from "../Team.ts"

const ada = { name: "Ada", email: "ada@example.com", password: "correct horse", motive: "" }

sayWhatIsMissing()

describe.skipIf(missingBrowser !== null)("a session", () => {
  const world = inBrowser()

  const signIn = async (page: Page) => {
    await page.goto("/signin")
    await page.getByLabel("E-mail").fill(ada.email)
    await page.getByLabel("Password").fill(ada.password)
    await page.getByRole("button", { name: "Sign in" }).click()
    await page.getByRole("heading", { level: 1, name: "Setup" }).waitFor()
  }

  beforeAll(async () => {
    const created = await fetch(`${world.server.url}/users/auth/signup`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(ada)
    })
    assert.strictEqual(created.status, 201)
  })

  it("that ends in mid-work is taken up over the page", async () => {
    const { page, context, leave } = await world.visit()
    await signIn(page)
    await page.getByRole("link", { name: "Live markers" }).click()
    const draft = page.getByLabel("Player")
    await draft.fill("player-42")

    await context.clearCookies()
    const dialog = page.getByRole("dialog", { name: "Sign in again" })
    await dialog.waitFor()
    await isOpenInBothThemes(page, "sign in again")
    assert.strictEqual(await dialog.getByLabel("E-mail").inputValue(), ada.email)
    assert.strictEqual(await page.evaluate("document.activeElement?.name"), "password")
    await dialog.getByLabel("Password").fill("wrong horse")
    await dialog.getByRole("button", { name: "Sign in" }).click()
    await dialog.getByText("do not belong together").waitFor()
    await dialog.getByLabel("Password").fill(ada.password)
    await dialog.getByRole("button", { name: "Sign in" }).click()
    await dialog.waitFor({ state: "hidden" })
    assert.strictEqual(await draft.inputValue(), "player-42")
    await page.getByText("No such marker in the last seven days").waitFor()
    assert.deepStrictEqual(await leave(), [])
  })

  it("that was taken up again is not ended by the answer to a question from before", async () => {
    const { page, context, leave } = await world.visit()
    await signIn(page)
    await page.getByRole("link", { name: "Live markers" }).click()
    const player = page.getByLabel("Player")
    await player.waitFor()
    await context.clearCookies()
    // A question that was never answered: the page asks it again and again, and a sign-in does not cancel it.
    await player.fill("player-42")
    const dialog = page.getByRole("dialog", { name: "Sign in again" })
    await dialog.waitFor()

    const steps = new EventEmitter()
    const held = new Set<Request>()
    const refused = once(steps, "refused")
    const released = once(steps, "released")
    await page.route("**/application/**", async (route) => {
      const response = await route.fetch()
      if (response.status() === 401) {
        held.add(route.request())
        steps.emit("refused")
        await released
      }
      await route.fulfill({ response })
    })
    await refused
    await dialog.getByLabel("Password").fill(ada.password)
    await dialog.getByRole("button", { name: "Sign in" }).click()
    await dialog.waitFor({ state: "hidden" })
    // The page may have given one of them up meanwhile, for another player for example.
    const late = Promise.race([
      page.waitForResponse((response) => response.status() === 401),
      page.waitForEvent("requestfailed", (request) => held.has(request))
    ])
    steps.emit("released")
    await late
    await page.evaluate("new Promise((done) => setTimeout(done, 200))")
    assert.strictEqual(await dialog.count(), 0)
    await page.unrouteAll({ behavior: "ignoreErrors" })
    assert.deepStrictEqual(await leave(), [])
  })

  it("that is signed out of leaves no other tab open", async () => {
    const { page, context, leave } = await world.visit()
    await signIn(page)
    const other = await context.newPage()
    await other.goto(page.url())
    await other.getByRole("heading", { level: 1, name: "Setup" }).waitFor()
    await page.locator("summary", { hasText: "Ada" }).click()
    await page.getByRole("button", { name: "Sign out" }).click()
    await page.waitForURL(/\/signin$/)
    await other.waitForURL(/\/signin$/)
    assert.strictEqual(await other.getByText("Ada").count(), 0)
    assert.deepStrictEqual(await leave(), [])
  })

  it("that has ended leaves no page of it open to another person who signs in beside it", async () => {
    const { page, context, leave } = await world.visit()
    await signIn(page)
    const owner = apiOf(context.request, world.server.url)
    const stranger = await world.visit()
    const eve = apiOf(stranger.context.request, world.server.url)
    await joinTeam(owner, eve, "Viewer", "eve@example.com")
    const [{ id }] = await owner.ask("GET", "/organization")
    const { items } = await owner.ask("GET", `/organization/${id}/members`)
    const { membershipId } = items.find(({ user }: { readonly user: { email: string } }) =>
      user.email.startsWith("eve")
    )
    await owner.ask("DELETE", `/organization/${id}/members/${membershipId}`)
    await context.clearCookies()
    const beside = await context.newPage()
    await beside.goto("/signin")
    await beside.getByLabel("E-mail").fill("eve@example.com")
    await beside.getByLabel("Password").fill(password)
    await beside.getByRole("button", { name: "Sign in" }).click()
    const own = /\/p\/2\/production\/setup$/
    await beside.waitForURL(own)
    await page.waitForURL(own)
    assert.strictEqual(await page.getByText("Ada").count(), 0)
    assert.deepStrictEqual([...(await stranger.leave()), ...(await leave())], [])
  })

  it("leaves in the log of changes what was done in it", async () => {
    const { page, leave } = await world.visit()
    await signIn(page)
    const settings = page.url().replace(/\/setup$/, "/settings")
    await page.goto(`${settings}/organization`)
    await page.getByLabel("Name", { exact: true }).fill("Emberkeep Games")
    await page.getByRole("button", { name: "Save" }).first().click()
    await page.getByText("Saved.").waitFor()
    await page.goto(`${settings}/changes`)
    const entry = page.getByRole("button", { name: /^Organization and members: changed/ }).first()
    await entry.click()
    await page.getByText('"Emberkeep Games"').first().waitFor()
    await page.getByRole("button", { name: "Check that nothing was rewritten" }).click()
    await page.getByText(/each with the hash of the one before: nothing was rewritten\.$/).waitFor()
    await page.getByLabel("What").selectOption("roles")
    await page.getByText("No change is like that.").waitFor()
    assert.deepStrictEqual(await leave(), [])
  })

  it("is told from others by the button that ends it, and a double click ends one", async () => {
    const { page, leave } = await world.visit()
    await signIn(page)
    const { name: _name, motive: _motive, ...credentials } = ada
    for (let times = 0; times < 2; times++) {
      await fetch(`${world.server.url}/users/auth/signin`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(credentials)
      })
    }
    await page.goto(page.url().replace(/\/setup$/, "/settings/account"))
    const buttons = page.getByRole("button", { name: /^Sign out there \S/ })
    await buttons.nth(1).waitFor()
    const many = await page.getByText("Sign out there", { exact: true }).count()
    assert.strictEqual(await buttons.count(), many)
    await buttons.first().click()
    await buttons.nth(many - 1).waitFor({ state: "detached" })
    await buttons.first().and(page.locator(":enabled")).waitFor()
    await buttons.first().dispatchEvent("click", { detail: 2 })
    await page.reload()
    await buttons.first().waitFor()
    assert.strictEqual(await buttons.count(), many - 1)
    assert.deepStrictEqual(await leave(), [])
  })

  it("is shown in a browser that stores nothing, in the theme that is chosen there", async () => {
    const { page, context, leave } = await world.visit()
    await context.addInitScript(`for (const name of ["localStorage", "sessionStorage"])
      Object.defineProperty(window, name, { get: () => { throw new DOMException("Denied", "SecurityError") } })`)
    await signIn(page)
    await page.locator("summary", { hasText: "Ada" }).click()
    await page.getByRole("radio", { name: "Dark" }).click()
    await page.locator("html[data-theme=dark]").waitFor()
    assert.isTrue(await page.getByRole("radio", { name: "Dark" }).isChecked())
    await page.keyboard.press("Escape")
    await page.getByRole("link", { name: "Live markers" }).click()
    await page.getByLabel("Player").fill("player-42")
    await page.getByRole("link", { name: "Markers & arguments" }).click()
    await page.getByRole("heading", { level: 1, name: "Markers & arguments" }).waitFor()
    assert.deepStrictEqual(await leave(), [])
  })

  // The last one: people come in at another page once a marker is planned.
  it("that ends while a description is typed leaves it there, to be saved after all", async () => {
    const { page, context, leave } = await world.visit()
    await signIn(page)
    await page.getByRole("link", { name: "Markers & arguments" }).click()
    await page.getByRole("button", { name: "Plan a marker" }).first().click()
    await page.getByLabel("Name, exactly as the game will send it").fill("LevelCompleted")
    await page.keyboard.press("Enter")
    await page.getByRole("button", { name: /^Description of LevelCompleted/ }).click()
    const field = page.getByRole("textbox", { name: "Description of LevelCompleted" })
    await field.fill("A level was won")
    await context.clearCookies()
    await page.keyboard.press("Enter")
    const dialog = page.getByRole("dialog", { name: "Sign in again" })
    await dialog.getByLabel("Password").fill(ada.password)
    await dialog.getByRole("button", { name: "Sign in" }).click()
    await dialog.waitFor({ state: "hidden" })
    await page.getByText("Your session had ended, so that nothing was done.").first().waitFor()
    await page.getByRole("button", { name: "Description of LevelCompleted: A level was won" }).click()
    assert.strictEqual(await field.inputValue(), "A level was won")
    const saved = page.waitForResponse((response) => response.request().method() === "PUT" && response.ok())
    await page.keyboard.press("Enter")
    await saved
    await page.getByText("Your session had ended, so that nothing was done.").waitFor({ state: "hidden" })
    await page.reload()
    await page.getByRole("button", { name: "Description of LevelCompleted: A level was won" }).waitFor()
    assert.deepStrictEqual(await leave(), [])
  })
})

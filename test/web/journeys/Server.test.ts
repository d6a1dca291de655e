import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { BrowserContextOptions } from "playwright-core"
import { codeOf } from "../../support/access/Authenticators.ts"
import { missingBrowser, sayWhatIsMissing } from "../../support/Browser.ts"
import { inBrowser, isOpenEverywhere } from "../InBrowser.ts"
import { apiOf, joinTeam, password } from "../Team.ts"

sayWhatIsMissing()

const owner = "ada@studio.example"
const backups = mkdtempSync(join(tmpdir(), "backups-"))
afterAll(() => rmSync(backups, { recursive: true, force: true }))

const pictures = process.env["GAMEKEEPER_PICTURES"]

describe.skipIf(missingBrowser !== null)("the server and its owners", () => {
  const world = inBrowser(["--owner", owner, "--backup-to", backups])
  let place = ""
  let session: BrowserContextOptions = {}
  let member: BrowserContextOptions = {}

  beforeAll(async () => {
    const ada = await world.visit()
    const api = apiOf(ada.context.request, world.server.url)
    await api.signUp("Ada", owner)
    const { organizations } = await api.signIn(owner)
    place = `/p/${organizations[0].applications[0].id}/production`
    session = { storageState: await ada.context.storageState() }
    const bea = await world.visit()
    await joinTeam(api, apiOf(bea.context.request, world.server.url), "Admin", "bea@studio.example")
    member = { storageState: await bea.context.storageState() }
    await ada.leave()
    await bea.leave()
  })

  it("an owner sees its state, makes a backup and tries it", async () => {
    const { page, leave } = await world.visit(session)
    await page.goto("/server")
    await page.waitForURL(`**${place}/settings/server`)
    await page.getByText("Everything works.").waitFor()
    await page.getByText("metadata.sqlite", { exact: true }).waitFor()
    await page.getByText("Nobody is told by mail").waitFor()
    await page.getByRole("button", { name: "Back up now" }).click()
    await page.getByText(/The last backup, of .*, went well/).waitFor({ timeout: 180_000 })
    const row = page.getByRole("table").getByRole("row").nth(1)
    await row.getByText("complete").waitFor()
    await isOpenEverywhere(page, "the server")
    if (pictures !== undefined) await page.screenshot({ path: join(pictures, "server-phone.png"), fullPage: true })
    await page.setViewportSize({ width: 1440, height: 900 })
    await row.getByRole("button", { name: /Try the backup of/ }).click()
    await page.getByText(/The last trial, of .*, went well/).waitFor({ timeout: 180_000 })
    if (pictures !== undefined) await page.screenshot({ path: join(pictures, "server.png"), fullPage: true })
    assert.deepStrictEqual(await leave(), [])
  })

  it("an owner who begins a backup while one runs sees that one end", async () => {
    const { page, leave } = await world.visit(session)
    await page.goto("/server")
    await page.getByText("Everything works.").waitFor()
    const button = page.getByRole("button", { name: "Back up now" })
    await button.waitFor()
    // By the clock or by somebody else, after the page has read that nothing runs.
    await page.route("**/backups", (route) =>
      route.request().method() === "POST"
        ? route.fulfill({
            status: 409,
            json: { statusCode: 409, code: "BACKUP_RUNNING", error: "Conflict", message: "One runs" }
          })
        : route.continue()
    )
    const begun = await page.request.post(new URL("/backups", world.server.url).href, { data: {} })
    assert.isTrue(begun.ok(), await begun.text())
    await button.click()
    await page.getByRole("alert").getByText("One runs").waitFor()
    await page.getByText(/The last backup, of .*, went well/).waitFor({ timeout: 180_000 })
    await leave()
  })

  it("nobody else sees it", async () => {
    const { page, leave } = await world.visit(member)
    await page.goto(`${place}/settings/server`)
    await page.getByText("Not your server").waitFor()
    await page.getByText(/--owner [^ ]+@/).waitFor()
    assert.strictEqual(await page.getByRole("link", { name: "Server", exact: true }).count(), 0)
    let answer = () => {}
    const held = new Promise<void>((resolve) => {
      answer = resolve
    })
    await page.route("**/users/auth/passkey", async (route) => {
      await held
      await route.continue()
    })
    await page.goto(`${place}/settings/account`)
    const denied = page.getByRole("button", { name: "Add a passkey" })
    await denied.focus()
    await page.locator(".denied-why", { hasText: "One moment" }).waitFor()
    answer()
    const reason = page.locator(".denied-why", { hasText: "Passkeys need an https address" })
    await reason.waitFor()
    await page.keyboard.press("Escape")
    await reason.waitFor({ state: "detached" })
    await page.keyboard.press("Enter")
    await reason.waitFor()
    await isOpenEverywhere(page, "a button that is denied")
    assert.deepStrictEqual(await leave(), [])
  })

  it("an organization demands a second factor, and leads its members to one", async () => {
    const ada = await world.visit(session)
    await ada.page.goto(`${place}/settings/organization`)
    const demand = ada.page.getByRole("checkbox", { name: "Members need a second factor" })
    await isOpenEverywhere(ada.page, "what an organization demands")
    if (pictures !== undefined) await ada.page.screenshot({ path: join(pictures, "demand.png"), fullPage: true })
    await demand.click()
    const heading = (page: typeof ada.page) => page.getByRole("heading", { name: "A second factor is needed" })
    await heading(ada.page).waitFor()

    const bea = await world.visit(member)
    await bea.page.goto(`${place}/home`)
    await heading(bea.page).waitFor()
    await isOpenEverywhere(bea.page, "the demand of a second factor")
    if (pictures !== undefined) await bea.page.screenshot({ path: join(pictures, "demanded.png"), fullPage: true })
    await bea.page.getByRole("button", { name: "Set up an app" }).click()
    const dialog = bea.page.getByRole("dialog")
    await dialog.getByLabel("Present password").fill(password)
    await dialog.getByRole("button", { name: "Go on" }).click()
    const secret = (await dialog.locator("[data-secret]").innerText()).replaceAll(" ", "")
    await dialog.getByRole("textbox", { name: "Code" }).fill(codeOf(secret))
    await dialog.getByRole("button", { name: "Ask for codes from now on" }).click()
    await bea.page.getByRole("button", { name: "I have kept it" }).click()
    await heading(bea.page).waitFor({ state: "detached" })
    await bea.page.goto(`${place}/settings/organization`)
    await bea.page.getByRole("checkbox", { name: "Members need a second factor" }).click()
    await bea.page.locator("input[type=checkbox]:enabled:not(:checked)").waitFor()
    await ada.page.reload()
    await demand.waitFor()
    await Promise.all([ada.leave(), bea.leave()])
  })
})

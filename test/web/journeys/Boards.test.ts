import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Browser, Page } from "playwright-core"
import { launchBrowser, missingBrowser, sayWhatIsMissing } from "../../support/Browser.ts"
import { startServer } from "../../support/Server.ts"
import { barriersOn, visit } from "../../support/Visitor.ts"
import { createStudio } from "../Studio.ts"

sayWhatIsMissing()

describe.skipIf(missingBrowser !== null)("saved questions and boards", () => {
  const folder = mkdtempSync(join(tmpdir(), "gamekeeper-"))
  let server: Awaited<ReturnType<typeof startServer>>
  let browser: Browser
  let studio: Awaited<ReturnType<typeof createStudio>>

  beforeAll(async () => {
    server = await startServer(folder, ["--demo"])
    browser = await launchBrowser()
    studio = await createStudio(browser, server)
  })

  afterAll(async () => {
    await browser?.close()
    await server?.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  const save = async (page: Page, name?: string) => {
    await page.keyboard.press("s")
    const dialog = page.getByRole("dialog", { name: "Save the question" })
    await dialog.getByLabel("Name").waitFor()
    if (name !== undefined) await dialog.getByLabel("Name").fill(name)
    await dialog.getByRole("button", { name: "Save" }).click()
    await page.waitForURL(/\?q=[0-9a-f-]{36}$/)
  }

  it("a question is saved, changed, brought back, put on a board and opened from there", async () => {
    const { page, leave } = await visit(browser, server.url, { storageState: studio.state })
    await page.goto(`${studio.place}/insights?m=Login:uniqueUsers&by=property:platform&range=14d&show=bars`)
    await page.getByRole("row", { name: /android/ }).waitFor()
    await page.keyboard.press("s")
    const dialog = page.getByRole("dialog", { name: "Save the question" })
    assert.strictEqual(await dialog.getByLabel("Name").inputValue(), "Players with Login, by platform, last 14 days")
    assert.deepStrictEqual(await barriersOn(page), [])
    await page.keyboard.press("Escape")
    await dialog.waitFor({ state: "hidden" })
    await save(page)
    const address = page.url()
    await page.reload()
    await page.getByRole("row", { name: /android/ }).waitFor()
    assert.isTrue(await page.getByRole("radio", { name: "Bars" }).isChecked())
    await page.getByText("changed").waitFor({ state: "hidden" })

    await page.getByRole("radio", { name: "7 d", exact: true }).click()
    await page.waitForURL(/\?q=.*range=7d/)
    await page.getByText("changed", { exact: true }).waitFor()
    await page.getByRole("button", { name: "Go back to what was saved" }).click()
    await page.waitForURL(address)
    await page.getByText("changed", { exact: true }).waitFor({ state: "hidden" })

    await page.goto(`${studio.place}/funnels?s=Install&s=ShopOpened&s=Purchase`)
    await page.locator(".funnel").waitFor()
    await save(page, "Way to the shop")
    await page.goto(`${studio.place}/retention?start=Install&back=Login&for=7`)
    await page.locator(".grid .cell").first().waitFor()
    await save(page, "Coming back")
    await page.reload()
    await page.locator(".saved-name", { hasText: "Coming back" }).waitFor()

    await page.getByRole("link", { name: "Boards", exact: true }).click()
    await page.getByRole("button", { name: "New board" }).waitFor()
    assert.deepStrictEqual(await barriersOn(page), [])
    await page.getByRole("button", { name: "New board" }).click()
    await page.getByLabel("Name").fill("The wall")
    await page.getByRole("button", { name: "Create" }).click()
    await page.getByText("Nothing is on this board yet").waitFor()
    await page.getByRole("button", { name: "Add a question" }).click()
    for (const name of ["Players with Login", "Way to the shop", "Coming back"]) {
      await page.getByRole("combobox", { name: /^Add a question/ }).click()
      await page.getByRole("option", { name: new RegExp(`^${name}`) }).click()
      await page.locator(".tile > header h2", { hasText: name }).waitFor()
    }
    const names = () => page.locator(".tile > header h2").allTextContents()
    const grip = page.getByRole("button", { name: /^Move Coming back/ })
    await grip.focus()
    await page.keyboard.press("ArrowLeft")
    await page.waitForFunction("document.querySelectorAll('.tile > header h2')[1].textContent === 'Coming back'")
    await page.getByRole("radiogroup", { name: "Size of Coming back" }).getByRole("radio", { name: "XL" }).click()
    await page.getByLabel("Time of Coming back").selectOption("30d")
    await page.getByLabel("Time of the board").selectOption("7d")
    assert.deepStrictEqual(await barriersOn(page), [])
    await page.getByRole("button", { name: "Done" }).click()
    await page.getByRole("button", { name: "Edit" }).waitFor()
    const shown = await names()
    assert.deepStrictEqual(shown, ["Players with Login, by platform, last 14 days", "Way to the shop", "Coming back"])
    await page.locator(".tile .grid .cell").first().waitFor()
    await page.locator(".tile .funnel").waitFor()
    await page.locator(".tile .chart-bar").first().waitFor()
    assert.deepStrictEqual(await barriersOn(page), [])

    await page.getByRole("button", { name: "Pin" }).click()
    await page.getByRole("button", { name: "Pinned" }).waitFor()
    await page.getByRole("button", { name: "Present" }).click()
    await page.waitForFunction("document.documentElement.dataset.theme === 'dark'")
    assert.deepStrictEqual(await barriersOn(page), [])
    await page.getByRole("button", { name: "End presentation" }).click()
    await page.waitForFunction("document.documentElement.dataset.theme === 'light'")

    await page.getByRole("link", { name: "Way to the shop" }).click()
    await page.waitForURL(/\/funnels\?q=/)
    await page.locator(".funnel").waitFor()
    assert.deepStrictEqual(await leave(), [])
  })

  it("two people who change a board do not undo each other unseen", async () => {
    const { page, leave } = await visit(browser, server.url, { storageState: studio.state })
    await page.goto(`${studio.place}/boards`)
    await page.getByRole("link", { name: "The wall" }).click()
    await page.getByRole("button", { name: "Edit" }).click()
    const address = page.url().replace(/\/p\/(\d+)\/[^/]+\/boards/, "/application/$1/boards")
    const theirs = await page.request.get(address)
    const { name: _, createdBy: _by, createdAt: _at, updatedAt: _on, id: _id, ...rest } = await theirs.json()
    const put = await page.request.put(address, { data: { ...rest, name: "Theirs" }, headers: { origin: server.url } })
    assert.strictEqual(put.status(), 200)
    await page.getByLabel("Name").fill("Mine")
    await page.getByRole("button", { name: "Done" }).click()
    await page.getByText("Somebody else has changed this board").waitFor()
    assert.deepStrictEqual(await barriersOn(page), [])
    await page.getByRole("button", { name: "Show theirs, drop mine" }).click()
    await page.getByRole("heading", { name: "Theirs", level: 1 }).waitFor()
    assert.deepStrictEqual(await leave(), [])
  })

  it("saved questions are found, starred, renamed, and deleted with a word on the boards that hold them", async () => {
    const { page, leave } = await visit(browser, server.url, { storageState: studio.state })
    await page.goto(`${studio.place}/saved`)
    await page.getByRole("link", { name: "Coming back" }).waitFor()
    await page.getByLabel("Search saved questions").fill("SHOP")
    await page.getByRole("link", { name: "Coming back" }).waitFor({ state: "hidden" })
    await page.getByRole("button", { name: "Star Way to the shop" }).click()
    await page.waitForFunction(`document.querySelector("[aria-label='Star Way to the shop']").ariaPressed === "true"`)
    await page.goto(`${studio.place}/saved?starred=1`)
    await page.getByRole("link", { name: "Way to the shop" }).waitFor()
    assert.strictEqual(await page.getByRole("link", { name: "Coming back" }).count(), 0)
    await page.getByRole("button", { name: "Rename Way to the shop" }).click()
    await page.getByLabel("Name", { exact: true }).fill("To the shop")
    await page.getByRole("button", { name: "Rename", exact: true }).click()
    await page.getByRole("link", { name: "To the shop" }).waitFor()
    await page.getByRole("button", { name: "Delete To the shop" }).click()
    await page.getByText("these boards lose their tile").waitFor()
    await page.getByRole("listitem").getByText("Theirs").waitFor()
    assert.deepStrictEqual(await barriersOn(page), [])
    await page.getByRole("button", { name: "Delete", exact: true }).click()
    await page.getByText("No saved question is like that").waitFor()
    assert.deepStrictEqual(await leave(), [])
  })

  it("home says how the game does, and shows the pinned board", async () => {
    const { page, leave } = await visit(browser, server.url, { storageState: studio.state })
    await page.goto("/")
    await page.waitForURL(/\/home$/)
    await page.getByText("Production, at one look.").waitFor()
    assert.match(await page.title(), /^Home · /)
    const today = page.getByRole("region", { name: "Today so far in numbers" })
    await today.getByRole("row", { name: /^Players \d/ }).waitFor()
    await today.getByRole("row", { name: /^Revenue/ }).waitFor()
    await page.getByText("Revenue is the sum of price of Purchase").waitFor()
    await page.getByText(/were back the day after|could be back yet/).waitFor()
    await page.getByRole("link", { name: "Theirs" }).click()
    await page.waitForURL(/\/boards\//)
    assert.deepStrictEqual(await leave(), [])
  })

  it("an address that is too long to be passed on becomes a short one", async () => {
    const { page, leave } = await visit(browser, server.url, { storageState: studio.state })
    const values = Array.from({ length: 60 }, (_, index) => `a-country-with-a-rather-long-name-${index}`).join("|")
    await page.goto(`${studio.place}/insights?m=Login:uniqueUsers&f=property:country:isNot:${values}|DE`)
    await page.waitForURL(/insights\?q=[0-9a-f-]{36}$/)
    await page.getByRole("img", { name: /where country is not/ }).waitFor()
    await page.goto(`${studio.place}/saved`)
    await page.getByRole("link", { name: "Coming back" }).waitFor()
    assert.strictEqual(await page.getByText("where country is not").count(), 0)
    assert.deepStrictEqual(await leave(), [])
  })

  it.each(["light", "dark"] as const)(
    "pages are open to everybody in the %s theme, on a desk and on a phone",
    async (colorScheme) => {
      for (const viewport of [
        { width: 1440, height: 900 },
        { width: 390, height: 844 }
      ]) {
        const { page, leave } = await visit(browser, server.url, { storageState: studio.state, colorScheme, viewport })
        const isOpen = async (what: string) => {
          assert.deepStrictEqual(await barriersOn(page), [], what)
          const overflow: number = await page.evaluate(
            "document.documentElement.scrollWidth - document.documentElement.clientWidth"
          )
          assert.isAtMost(overflow, 0, `${what} is wider than the screen of ${viewport.width}`)
        }
        await page.goto(`${studio.place}/home`)
        await page.locator(".tile .chart-bar").first().waitFor()
        await page.getByRole("row", { name: /^Players/ }).waitFor()
        await isOpen("home")
        await page.goto(`${studio.place}/saved`)
        await page.getByRole("link", { name: "Coming back" }).waitFor()
        await isOpen("saved questions")
        await page.goto(`${studio.place}/boards`)
        await page.getByRole("link", { name: "Theirs" }).waitFor()
        await isOpen("boards")
        await page.getByRole("link", { name: "Theirs" }).click()
        await page.locator(".tile .grid .cell").first().waitFor()
        await page.locator(".tile .chart-bar").first().waitFor()
        await isOpen("board")
        await page.getByRole("button", { name: "Edit" }).click()
        await page.locator(".tile-controls").first().waitFor()
        await page.locator(".tile .chart-bar").first().waitFor()
        await isOpen("board editor")
        assert.deepStrictEqual(await leave(), [])
      }
    }
  )
})

import { assert, describe, it } from "@effect/vitest"
import { readFileSync } from "node:fs"
import { missingBrowser, sayWhatIsMissing } from "../../support/Browser.ts"
import { inDemoStudio, isOpenToEverybody } from "../InBrowser.ts"

sayWhatIsMissing()

describe.skipIf(missingBrowser !== null)("what cannot be done yet says why", () => {
  const studio = inDemoStudio()

  it("buttons of forms that lack something, to whoever presses them", async () => {
    const { page, leave } = await studio.visit()
    const press = async (button: string, why: string) => {
      await page.getByRole("button", { name: button, exact: true }).click({ force: true })
      await page.locator(".denied-why").getByText(why).waitFor()
    }
    await page.goto(`${studio.place}/boards`)
    await page.locator(".board-list a").first().click()
    await page.getByRole("button", { name: "Edit", exact: true }).click()
    await page.getByLabel("Name", { exact: true }).fill(" ")
    await press("Done", "A board needs a name.")
    await page.goto(`${studio.place}/alerts`)
    await page.getByRole("button", { name: "New alert" }).first().click()
    await press("Show what it would have found", "Choose the saved question that it watches.")
    await press("Make the alert", "Choose the saved question that it watches.")
    await isOpenToEverybody(page, "an alert that watches nothing yet")
    await page.goto(`${studio.place}/cohorts/new`)
    await press("Make the cohort", "A cohort needs a name.")
    await page.getByLabel("Name", { exact: true }).fill("Nobody")
    await press("Make the cohort", "It has no condition yet, or one is not complete.")
    await page.getByRole("radio", { name: "By a list" }).click()
    await press("Make the cohort", "It needs the list of its players.")
    await page.goto(`${studio.place}/settings/webhooks`)
    await page.getByRole("button", { name: "New webhook" }).first().click()
    await page.getByLabel("Everything that happens").uncheck()
    await press("Make the webhook", "Tick something that it is told of.")
    await page.goto(`${studio.place}/settings/roles`)
    await page.getByRole("button", { name: "Copy Analyst" }).click()
    const name = page.getByRole("region", { name: "Role", exact: true }).getByLabel(/^Name/)
    await name.fill("")
    await press("Review", "A role needs a name.")
    await name.fill("Viewer")
    await press("Review", "Another role has this name.")
    assert.deepStrictEqual(await leave(), [])
  })

  it("rows of retention once the curve has as many as it takes", async () => {
    const { page, leave } = await studio.visit()
    await page.goto(`${studio.place}/retention?start=Install&back=Login`)
    const rows = page.locator(".grid .series-name:not([aria-disabled])")
    for (let row = 0; row < 8; row++) await rows.nth(row).click()
    const denied = page.locator(".grid .series-name[aria-disabled]")
    await denied.first().focus()
    await page.locator(".denied-why").getByText("The curve shows 8 rows at most: take one of them out first.").waitFor()
    await page.keyboard.press("Enter")
    assert.strictEqual(await page.locator(".grid .series-name[aria-pressed=true]").count(), 8)
    await isOpenToEverybody(page, "a curve with as many rows as it takes")
    assert.deepStrictEqual(await leave(), [])
  })

  it("an experiment in the list whose results are not known", async () => {
    const { page, leave } = await studio.visit()
    const json = { code: "RESULTS_TOO_LARGE", message: "It has too many players to be compared just now" }
    await page.route(/experiments[/]\d+[/]results/, (route) => route.fulfill({ status: 422, json }))
    await page.goto(`${studio.place}/experiments`)
    const verdict = page.getByRole("cell", { name: /^not known/ }).first()
    await verdict.getByText(json.message).waitFor()
    await isOpenToEverybody(page, "experiments whose results are not known")
    await leave()
  })

  it("a line for a script where the page has no clipboard: it is downloaded, and what happened is seen", async () => {
    const { page, leave } = await studio.visit()
    await page.addInitScript("Object.defineProperty(window, 'isSecureContext', { value: false })")
    await page.goto(`${studio.place}/insights?m=Login:uniqueUsers&range=7d`)
    await page.getByText("Export", { exact: true }).click()
    const line = page.getByRole("button", { name: "Copy as curl, for a script" })
    const [file] = await Promise.all([page.waitForEvent("download"), line.click()])
    assert.include(readFileSync(await file.path()).toString(), "curl")
    await page.getByText("The line is downloaded: pages without https have no clipboard").waitFor()
    assert.deepStrictEqual(await leave(), [])
  })

  it("a menu that is open stays in the window that becomes narrower", async () => {
    const { page, leave } = await studio.visit({ viewport: { width: 1440, height: 900 } })
    await page.goto(`${studio.place}/insights?m=Login:uniqueUsers&range=7d`)
    await page.locator("summary[aria-label='More ways to look at it']").click()
    for (const width of [640, 1440, 900, 560, 1440, 390]) {
      await page.setViewportSize({ width, height: 900 })
      await page.waitForFunction(
        "(({ left, right }) => left >= 0 && right <= innerWidth)(document.querySelector('details[open] .menu-body').getBoundingClientRect())"
      )
    }
    assert.deepStrictEqual(await leave(), [])
  })
})

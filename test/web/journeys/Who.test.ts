import { assert, describe, it } from "@effect/vitest"
import { readFileSync } from "node:fs"
import type { Locator, Page } from "playwright-core"
import { missingBrowser, sayWhatIsMissing } from "../../support/Browser.ts"
import { barriersOn } from "../../support/Visitor.ts"
import { inDemoStudio, isOpenInBothThemes } from "../InBrowser.ts"

sayWhatIsMissing()

const numberIn = (text: string | null): number => Number((/[\d,]+/.exec(text ?? "")?.[0] ?? "").replaceAll(",", ""))

/** All players of a sheet, page after page. */
const playersIn = async (sheet: Locator): Promise<number> => {
  await sheet.getByRole("rowheader").first().waitFor()
  const more = sheet.getByRole("button", { name: "Show more" })
  while (await more.isVisible()) {
    const rows = await sheet.getByRole("rowheader").count()
    await more.click()
    await sheet.getByRole("rowheader").nth(rows).waitFor()
  }
  return sheet.getByRole("rowheader").count()
}

/** Makes a cohort of the players of a sheet, and answers how many members it has. */
const cohortOf = async (sheet: Locator, name: string): Promise<number> => {
  await sheet.getByLabel("Make a cohort of them").fill(name)
  await sheet.getByRole("button", { name: "Make a cohort" }).click()
  const said = sheet.getByText(`The cohort ${name} has`)
  await said.waitFor()
  return numberIn(((await said.textContent()) ?? "").split(" has ")[1] ?? "")
}

const overflowOf = (page: Page): Promise<number> =>
  page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")

describe.skipIf(missingBrowser !== null)("the players behind a number", () => {
  const studio = inDemoStudio()

  it("an insight leads to its players and to a cohort of as many, in both themes", async () => {
    const { page, leave } = await studio.visit()
    // The demo goes on: of the days before today every question is answered the same.
    await page.goto(`${studio.place}/insights?m=Login:uniqueUsers&by=property:platform&range=14d,past&show=table`)
    const cell = page.getByRole("row").nth(3).locator(".number-link").first()
    const number = numberIn(await cell.textContent())
    assert.isAbove(number, 0)
    await cell.click()
    await page.getByRole("menuitem", { name: /^Only / }).waitFor()
    // It says which number it is about, also to who taps on a chart and so has seen no tip.
    assert.match(
      await page.getByRole("menu").locator(".popup-head").innerText(),
      new RegExp(`^${number.toLocaleString("en-US")} players? · \\w+ · \\w{3} \\d+ \\w{3}`)
    )
    await isOpenInBothThemes(page, "menu")
    await page.getByRole("menuitem", { name: "Who are these players" }).click()
    const sheet = page.getByRole("dialog")
    assert.strictEqual(numberIn(await sheet.getByRole("heading", { level: 2 }).textContent()), number)
    assert.strictEqual(await playersIn(sheet), number)
    await isOpenInBothThemes(page, "sheet")
    const [file] = await Promise.all([
      page.waitForEvent("download"),
      sheet.getByRole("button", { name: "CSV" }).click()
    ])
    const lines = readFileSync(await file.path(), "utf8")
      .trim()
      .split("\r\n")
    assert.deepStrictEqual([lines.length - 1, lines[0]], [number, "player,times,last at"])
    assert.strictEqual(await cohortOf(sheet, "Logins"), number)
    await isOpenInBothThemes(page, "cohort")
    const player = sheet.getByRole("rowheader").first().getByRole("link")
    assert.include(await player.getAttribute("href"), `${studio.place}/players/`)
    await page.keyboard.press("Escape")
    await sheet.waitFor({ state: "hidden" })
    assert.deepStrictEqual(await leave(), [])
  })

  it("a point of a chart is narrowed, broken down and opened, by mouse and by keyboard", async () => {
    const { page, leave } = await studio.visit()
    await page.goto(`${studio.place}/insights?m=Login:totalEvents&range=14d`)
    const chart = page.getByRole("img", { name: /^Number of Login/ })
    await chart.click({ position: { x: 400, y: 100 } })
    await page.getByRole("menuitem", { name: "Break down by platform" }).click()
    await page.waitForURL(/by=property:platform/)
    await page.locator(".series-name", { hasText: "ios" }).waitFor()

    await chart.focus()
    for (const key of ["End", "ArrowLeft", "Enter"]) await page.keyboard.press(key)
    await page.getByRole("menuitem", { name: /^Without / }).click()
    await page.waitForURL(/f=property:platform:isNot:/)
    const without = new URL(page.url()).searchParams.get("f")?.split(":").at(-1) ?? ""
    await page.locator(".series-name", { hasText: without }).waitFor({ state: "hidden" })
    await chart.focus()
    for (const key of ["End", "ArrowLeft", "Enter"]) await page.keyboard.press(key)
    await page.getByRole("menuitem", { name: /^Only / }).click()
    await page.waitForURL(/f=property:platform:is:/)
    await page
      .getByRole("img", { name: /where platform is not .* and platform is / })
      .click({ position: { x: 300, y: 100 } })
    await page.getByRole("menuitem", { name: "Open this day by the hour" }).click()
    await page.waitForURL(/range=(\d{4}-\d{2}-\d{2})\.\.\1/)
    await page.getByRole("img", { name: /, on \d{4}-\d{2}-\d{2}$/ }).waitFor()
    assert.strictEqual(await page.getByRole("radio", { name: "Hour" }).getAttribute("aria-checked"), "true")

    await page.goto(`${studio.place}/insights?m=Login:totalEvents&m=Login:uniqueUsers&fx=A+/+B&range=14d&show=number`)
    await page.locator(".number-link").last().click()
    const item = page.getByRole("menuitem", { name: /^Who are these players/ })
    assert.strictEqual(await item.getAttribute("aria-disabled"), "true")
    assert.include(await item.textContent(), "A formula counts no players")
    await page.keyboard.press("Escape")
    await item.waitFor({ state: "hidden" })
    assert.deepStrictEqual(await leave(), [])
  })

  it("a cell of retention leads to who came back and to who did not, together the row", async () => {
    const viewport = { width: 390, height: 844 }
    const { page, leave } = await studio.visit({ viewport })
    await page.goto(`${studio.place}/retention?start=Install&back=Login`)
    const row = page.locator(".grid tbody tr").nth(5)
    const size = numberIn(await row.locator(".number-link").textContent())
    await row.locator(".cell-link").first().click()
    const sheet = page.getByRole("dialog")
    const returned = numberIn(await sheet.getByRole("heading", { level: 2 }).textContent())
    assert.strictEqual(await playersIn(sheet), returned)
    await sheet.getByRole("radio", { name: "Did not" }).click()
    await sheet.getByRole("heading", { name: /not back on day 1/ }).waitFor()
    const left = numberIn(await sheet.getByRole("heading", { level: 2 }).textContent())
    assert.strictEqual(await playersIn(sheet), left)
    assert.strictEqual(returned + left, size)
    assert.deepStrictEqual(await barriersOn(page), [])
    assert.isAtMost(await overflowOf(page), 0)
    assert.strictEqual(await cohortOf(sheet, "Lost on the first day"), left)
    assert.deepStrictEqual(await leave(), [])
  })

  it("a funnel's players become a cohort of as many", async () => {
    const { page, leave } = await studio.visit()
    await page.goto(`${studio.place}/funnels?range=30d,past&s=Install&s=ShopOpened&s=Purchase`)
    await page.getByRole("button", { name: /left$/ }).last().click()
    const sheet = page.getByRole("dialog")
    const number = numberIn(await sheet.getByRole("heading", { level: 2 }).textContent())
    const next = sheet.getByRole("region", { name: "What they did next" })
    await next.getByRole("term").first().waitFor()
    assert.isAtMost(await next.getByRole("term").count(), 4)
    assert.strictEqual(await cohortOf(sheet, "Lost before the purchase"), number)
    assert.deepStrictEqual(await barriersOn(page), [])

    const behind = async (name: string) => {
      const said = numberIn(await sheet.getByRole("heading", { level: 2 }).textContent())
      assert.strictEqual(await playersIn(sheet), said)
      assert.strictEqual(await cohortOf(sheet, name), said)
      await page.keyboard.press("Escape")
      await sheet.waitFor({ state: "hidden" })
      return said
    }
    await page.goto(`${studio.place}/funnels?s=Install&s=ShopOpened&s=Purchase&by=property:platform`)
    const bar = page.getByRole("button", { name: /^ios: .* reached ShopOpened$/ })
    const told = numberIn(((await bar.getAttribute("aria-label")) ?? "").split(",").slice(1).join(","))
    await bar.click()
    assert.strictEqual(await behind("Shoppers on ios"), told)
    await page.goto(`${studio.place}/funnels?s=Install&s=ShopOpened&s=Purchase&by=property:platform&show=convert`)
    const bin = page
      .getByRole("list", { name: /^ios, time from/ })
      .getByRole("button", { disabled: false })
      .first()
    const inBin = numberIn(await bin.getAttribute("aria-label"))
    await bin.click()
    assert.strictEqual(await behind("Quick buyers on ios"), inBin)
    assert.deepStrictEqual(await leave(), [])
  })
})

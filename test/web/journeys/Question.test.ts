import { assert, describe, it } from "@effect/vitest"
import { readFileSync } from "node:fs"
import type { Page } from "playwright-core"
import { missingBrowser, sayWhatIsMissing } from "../../support/Browser.ts"
import { barriersOn } from "../../support/Visitor.ts"
import { inDemoStudio, isOpenToEverybody, screens } from "../InBrowser.ts"

sayWhatIsMissing()

describe.skipIf(missingBrowser !== null)("a question", () => {
  const studio = inDemoStudio()

  const byPlatform = "insights?m=Login:uniqueUsers&by=property:platform&range=14d"

  const open = async (colorScheme: "light" | "dark" = "light", width = 1440) => {
    const visitor = await studio.visit({
      colorScheme,
      viewport: { width, height: 900 }
    })
    await visitor.page.goto(`${studio.place}/${byPlatform}`)
    await visitor.page.getByRole("row", { name: /android/ }).waitFor()
    return visitor
  }

  const downloaded = async (page: Page, name: string | RegExp) => {
    await page.getByText("Export", { exact: true }).click()
    const [file] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name }).click()])
    return readFileSync(await file.path())
  }

  it.each(["light", "dark"] as const)("has a period in words, from a calendar, and by keys (%s)", async (theme) => {
    const { page, leave } = await open(theme)
    await page.locator(".period summary").click()
    const field = page.getByRole("textbox", { name: "Period" })
    await field.waitFor()
    assert.deepStrictEqual(await barriersOn(page), [])
    await field.fill("soonish")
    await page.getByText("Not a period").waitFor()
    await field.fill("3 weeks")
    await page.getByText("Enter shows last 3 weeks").waitFor()
    await page.keyboard.press("Enter")
    await page.waitForURL(/range=3w/)

    await page.locator(".period summary").click()
    await page.getByRole("checkbox", { name: "Not today, which is not over" }).check()
    await page.waitForURL(/range=3w,past/)
    await page.getByText("is not over: it is drawn dashed").waitFor({ state: "hidden" })

    const days = page.locator(".day:not(:disabled)")
    await days.nth(3).click()
    await days.nth(5).focus()
    await page.keyboard.press("ArrowLeft")
    await page.keyboard.press("Enter")
    await page.waitForURL(/range=\d{4}-\d\d-\d\d\.\.\d{4}-\d\d-\d\d/)

    await page.locator("h1").click()
    await page.keyboard.press("t")
    await page.waitForURL(/range=(\d{4}-\d\d-\d\d)\.\.\1/)
    const today = page.url()
    await page.keyboard.press(",")
    await page.waitForURL((url) => url.href !== today)
    await page.keyboard.press(".")
    await page.waitForURL(today)
    await page.keyboard.press("c")
    await page.waitForURL(/compare=1/)
    assert.deepStrictEqual(await leave(), [])
  })

  it("is drawn in every shape, without barriers", async () => {
    const { page, leave } = await open()
    await page.getByRole("radio", { name: "Area", exact: true }).click()
    await page.locator(".chart-band").first().waitFor()
    await page.getByLabel("More ways to look at it").click()
    await page.getByLabel("Percent of the whole").check()
    await page.getByText("100 %", { exact: true }).waitFor()
    assert.deepStrictEqual(await barriersOn(page), [])
    await page.getByRole("radio", { name: "Line", exact: true }).click()
    await page.getByLabel("Percent of the whole").uncheck()
    await page.getByLabel("Logarithmic axis, for lines").check()
    await page.locator(".chart-axis").getByText("1,000", { exact: true }).waitFor()
    await page.getByRole("radiogroup", { name: "Mean of the last steps" }).getByText("7").click()
    await page.waitForURL(/mean=7/)
    await page.getByRole("img", { name: "Players with Login, by platform, mean of 7, last 14 days" }).waitFor()
    await page.getByRole("radio", { name: "Totals", exact: true }).click()
    await page.getByRole("list", { name: /^Players with Login/ }).waitFor()
    assert.deepStrictEqual(await barriersOn(page), [])
    assert.deepStrictEqual(await leave(), [])
  })

  it("has a table that sorts, hides and isolates", async () => {
    const { page, leave } = await open()
    const names = () => page.locator(".series-name").allTextContents()
    await page.getByRole("button", { name: "Series" }).click()
    const byName = await names()
    assert.deepStrictEqual(byName, [...byName].sort())
    await page.getByRole("columnheader", { name: "Series" }).getByText("↑").waitFor()
    await page.getByRole("button", { name: "Series" }).click()
    assert.deepStrictEqual(await names(), [...byName].reverse())
    await page.getByRole("button", { name: "ios" }).click()
    await page.waitForURL(/hide=/)
    await page.getByRole("button", { name: "ios" }).click()
    await page.waitForURL((url) => !url.href.includes("hide="))
    await page.getByRole("button", { name: "ios" }).dblclick()
    await page.locator(".row-hidden").nth(1).waitFor()
    await page.getByRole("button", { name: "ios" }).dblclick()
    await page.locator(".row-hidden").first().waitFor({ state: "detached" })
    assert.deepStrictEqual(await leave(), [])
  })

  it("leaves as a table, a drawing, a picture and a line for a script", async () => {
    const { page, context, leave } = await open()
    await context.grantPermissions(["clipboard-read", "clipboard-write"])
    const csv = (await downloaded(page, "Table (CSV)")).toString()
    assert.match(csv, /^begins,(android|ios|windows),/)
    assert.strictEqual(csv.trim().split("\r\n").length, 16)
    const svg = (await downloaded(page, "Drawing (SVG)")).toString()
    for (const part of ["Players with Login, by platform, last 14 days", "android", 'stroke="rgb(']) {
      assert.include(svg, part)
    }
    const png = await downloaded(page, "Picture (PNG)")
    assert.deepStrictEqual([...png.subarray(1, 4)].map((byte) => String.fromCharCode(byte)).join(""), "PNG")
    const width: number = await page.evaluate("document.querySelector('.chart svg').clientWidth")
    assert.strictEqual(png.readUInt32BE(16), 2 * (width + 32))
    await page.getByText("Export", { exact: true }).click()
    await page.getByRole("button", { name: "Copy as curl, for a script" }).click()
    await page.getByText("The line is copied").waitFor({ state: "attached" })
    const line: string = await page.evaluate("navigator.clipboard.readText()")
    assert.include(line, `${studio.server.url}${"/application/"}`)
    assert.include(line, "$SECRET")
    assert.deepStrictEqual(await leave(), [])
  })

  it("of a funnel has steps that move by drag and by keys, and a rate over time", async () => {
    const { page, leave } = await open()
    await page.goto(`${studio.place}/funnels?s=Install&s=ShopOpened&s=Purchase`)
    await page.getByText("Most players are lost between").waitFor()
    const last = page.getByRole("combobox", { name: "Step 3: Purchase" })
    await last.focus()
    await page.keyboard.press("Alt+ArrowUp")
    await page.waitForURL(/s=Install&s=Purchase&s=ShopOpened/)
    await page.keyboard.press("Alt+ArrowUp")
    await page.waitForURL(/s=Purchase&s=Install&s=ShopOpened/)
    await page.getByText("Purchase is step 1 now").waitFor({ state: "attached" })
    const handles = page.locator(".step-handle")
    await handles.first().dragTo(handles.nth(2))
    await page.waitForURL(/s=Install&s=ShopOpened&s=Purchase/)
    await page.getByRole("radio", { name: "Over time" }).click()
    await page.getByRole("img", { name: /share of players who pass all steps$/ }).waitFor()
    assert.deepStrictEqual(await barriersOn(page), [])
    assert.deepStrictEqual(await leave(), [])
  })

  it.each(screens)("of a funnel is broken down in every shape ($width px)", async ({ width }) => {
    const { page, leave } = await open(width === 390 ? "dark" : "light", width)
    await page.goto(`${studio.place}/funnels?s=Install&s=ShopOpened&s=Purchase`)
    await page.getByRole("combobox", { name: "Break down by: Nothing" }).click()
    await page.getByRole("option", { name: /^platform/ }).click()
    await page.waitForURL(/by=property:platform/)
    const bars = page.locator(".funnel-groups .funnel-bar")
    await bars.first().waitFor()
    assert.strictEqual(await bars.count(), 9)
    await isOpenToEverybody(page, "groups")
    await page.getByRole("button", { name: "ios", exact: true }).click()
    await page.waitForURL(/hide=ios/)
    await bars.nth(6).waitFor({ state: "detached" })
    await page.getByRole("button", { name: "ios", exact: true }).click()
    await bars.nth(6).waitFor()
    await page.getByRole("radio", { name: "Over time" }).click()
    await page.locator(".chart-line").nth(2).waitFor({ state: "attached" })
    await isOpenToEverybody(page, "groups over time")
    await page.getByRole("radio", { name: "Time to convert" }).click()
    await page.locator(".histogram").nth(2).waitFor()
    await page.getByRole("combobox", { name: "From step: 1 Install" }).click()
    await page.getByRole("option", { name: "2 ShopOpened" }).click()
    await page.waitForURL(/between=2:3/)
    await page.getByRole("list", { name: "ios, time from ShopOpened to Purchase" }).waitFor()
    await isOpenToEverybody(page, "times to convert")
    assert.deepStrictEqual(await leave(), [])
  })

  it.each(["light", "dark"] as const)("of retention has a curve of the rows that are picked (%s)", async (theme) => {
    const { page, leave } = await open(theme)
    await page.goto(`${studio.place}/retention?start=Install&back=Login`)
    const rows = page.locator(".grid .series-name:not(:disabled)")
    await rows.nth(1).click()
    await rows.nth(2).click()
    await page.waitForURL(/rows=.+\|.+/)
    assert.strictEqual(await page.locator(".curve-legend li").count(), 3)
    assert.strictEqual(await page.locator(".retention-curve .chart-line").count(), 3)
    assert.deepStrictEqual(await barriersOn(page), [])
    await rows.nth(1).click()
    await page.locator(".curve-legend li").nth(2).waitFor({ state: "detached" })
    await page.getByText("+ Benchmark").click()
    await page.getByLabel("Day", { exact: true }).fill("7")
    await page.getByLabel("Percent").fill("99.5")
    await page.getByRole("button", { name: "Add", exact: true }).click()
    await page.waitForURL(/goal=7:99.5/)
    await page.getByText(/^missed: /).waitFor()
    assert.deepStrictEqual(await barriersOn(page), [])
    await page.getByRole("button", { name: "Remove the benchmark of day 7" }).click()
    await page.waitForURL((url) => !url.href.includes("goal="))
    assert.deepStrictEqual(await leave(), [])
  })

  it("that takes long is handed to the background, given up, and opened when it is answered", async () => {
    const { page, leave } = await open()
    // No answer comes to the page itself until the end: what it shows was answered in the background.
    const held: Array<() => void> = []
    await page.route("**/queries/insights/execute", (route) => {
      held.push(() => void route.abort())
    })
    await page.goto(`${studio.place}/insights?m=Login:uniqueUsers&range=21d`)
    await page.getByText(/^Still working … \d+ s$/).waitFor()
    await isOpenToEverybody(page, "still working")
    await page.getByRole("button", { name: "Run in the background" }).click()
    await page.getByText("The question waits").waitFor()
    const runs = page.getByRole("list", { name: "In the background" })
    await runs.getByText("is answered.").waitFor()
    await page.goto(`${studio.place}/funnels`)
    await isOpenToEverybody(page, "answered")
    await runs.getByRole("button", { name: "Open the answer" }).click()
    await page.getByRole("img", { name: "Players with Login, last 21 days" }).waitFor()
    await page.getByRole("button", { name: "Cancel" }).waitFor({ state: "hidden" })

    await page.getByRole("radio", { name: "7 d", exact: true }).click()
    await page.getByRole("button", { name: "Cancel", exact: true }).click()
    await page.getByText(/^Still working/).waitFor({ state: "hidden" })
    for (const release of held) release()
    assert.deepStrictEqual(await leave(), [])
  })

  it("fits a phone, with its period open too", async () => {
    const { page, leave } = await open("light", 390)
    await page.locator(".period summary").click()
    await page.getByRole("textbox", { name: "Period" }).waitFor()
    assert.isAtMost(await page.evaluate("document.documentElement.scrollWidth"), 390)
    assert.deepStrictEqual(await barriersOn(page), [])
    assert.deepStrictEqual(await leave(), [])
  })
})

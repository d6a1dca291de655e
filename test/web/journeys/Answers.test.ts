import { assert, describe, it } from "@effect/vitest"
import { readFileSync } from "node:fs"
import type { Page } from "playwright-core"
import { missingBrowser, sayWhatIsMissing } from "../../support/Browser.ts"
import { barriersOn } from "../../support/Visitor.ts"
import { inDemoStudio, isOpenToEverybody } from "../InBrowser.ts"

sayWhatIsMissing()

describe.skipIf(missingBrowser !== null)("an answer", () => {
  const studio = inDemoStudio()

  const open = async (address: string, colorScheme: "light" | "dark" = "light") => {
    const visitor = await studio.visit({ colorScheme, viewport: { width: 1440, height: 900 } })
    await visitor.page.goto(`${studio.place}/${address}`)
    return visitor
  }

  const downloaded = async (page: Page, name: string | RegExp) => {
    await page.getByText("Export", { exact: true }).click()
    const [file] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name }).click()])
    return readFileSync(await file.path())
  }

  it("leaves as a table, a drawing, a picture and a line for a script", async () => {
    const { page, context, leave } = await open("insights?m=Login:uniqueUsers&by=property:platform&range=14d")
    await page.getByRole("row", { name: /android/ }).waitFor()
    await context.grantPermissions(["clipboard-read", "clipboard-write"])
    const csv = (await downloaded(page, "Table (CSV)")).toString()
    assert.match(csv, /^begins,(android|ios|windows),/)
    assert.strictEqual(csv.trim().split("\r\n").length, 16)
    assert.match(csv, /\r\n\d{4}-\d\d-\d\dT00:00\+00:00,/)
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

    await page.getByLabel("Compare with before").check()
    await page.locator(".chart-before").first().waitFor({ state: "attached" })
    const [names = "", ...compared] = (await downloaded(page, "Table (CSV)")).toString().trim().split("\r\n")
    const columns = names.split(",").slice(1)
    assert.deepStrictEqual(
      columns.filter((_, at) => at % 2 === 1),
      columns.filter((_, at) => at % 2 === 0).map((name) => `${name} (previous period)`)
    )
    assert.match(compared.at(0) ?? "", /^[^,]+(,\d+){6}$/)
    assert.deepStrictEqual(await leave(), [])
  })

  it("leaves with the colours that its series have on the page, which keep them when others come", async () => {
    const { page, leave } = await open(
      "insights?m=Login:uniqueUsers&by=property:platform&range=14d&f=property:platform:is:ios|windows"
    )
    await page.getByRole("row", { name: /windows/ }).waitFor()
    const wider = `${studio.place}/insights?m=Login:uniqueUsers&by=property:platform&range=14d`
    await page.evaluate(`history.pushState(null, "", ${JSON.stringify(wider)})`)
    await page.getByRole("row", { name: /android/ }).waitFor()
    const svg = (await downloaded(page, "Drawing (SVG)")).toString()
    for (const name of ["android", "ios", "windows"]) {
      const swatch = page.getByRole("row", { name: new RegExp(name) }).locator(".swatch")
      const onPage: string = await swatch.evaluate((element) => getComputedStyle(element).backgroundColor)
      const [, fill = ""] = new RegExp(`<rect [^>]*fill="([^"]+)"[^>]*/><text [^>]*>${name}<`).exec(svg) ?? []
      const channels = /^#(..)(..)(..)$/
        .exec(fill)
        ?.slice(1)
        .map((hex) => Number.parseInt(hex, 16))
      assert.strictEqual(`rgb(${channels?.join(", ")})`, onPage, name)
    }
    assert.deepStrictEqual(await leave(), [])
  })

  it("is printed without what leads elsewhere", async () => {
    const { page, leave } = await open("insights?m=Login:uniqueUsers&by=property:platform&range=14d")
    await page.getByRole("row", { name: /android/ }).waitFor()
    await page.emulateMedia({ media: "print" })
    await page.locator(".chart svg").waitFor()
    await page.getByText("Players with Login, by platform, last 14 days").first().waitFor()
    for (const part of [page.getByRole("navigation"), page.getByLabel("Question"), page.getByText("Save")]) {
      assert.strictEqual(await part.filter({ visible: true }).count(), 0)
    }
    assert.deepStrictEqual(await leave(), [])
  })

  it("shows values below 0 in every shape", async () => {
    const { page, leave } = await open(
      "insights?m=Login:uniqueUsers&off=A&fx=100+-+A&range=14d&show=bars&by=property:platform"
    )
    await page.getByRole("row", { name: /android/ }).waitFor()
    assert.isAbove(await page.locator(".chart-bar").count(), 14)
    await page.getByRole("radio", { name: "Area", exact: true }).click()
    await page.locator(".chart-bar").first().waitFor({ state: "detached" })
    const lines = page.locator(".chart-line:not(.chart-open)")
    assert.strictEqual(await lines.count(), 3)
    assert.strictEqual(await page.locator(".chart-band").count(), 0)
    assert.deepStrictEqual(await leave(), [])
  })

  it("shows a value without any beside it", async () => {
    const { page, leave } = await studio.visit()
    await page.route("**/queries/insights/execute", async (route) => {
      const response = await route.fetch()
      const answer = await response.json()
      const [first] = answer.series
      first.values = first.values.map((value: number, index: number) => (index % 2 === 0 ? null : value))
      await route.fulfill({ response, json: answer })
    })
    await page.goto(`${studio.place}/insights?m=Login:uniqueUsers&range=14d`)
    await page.locator(".chart-dot").first().waitFor()
    assert.strictEqual(await page.locator(".chart-dot").count(), 7)
    assert.deepStrictEqual(await leave(), [])
  })

  it("over a single day is an area that is seen", async () => {
    const { page, leave } = await open("insights?m=Login:uniqueUsers&range=1d,past&step=day&show=area")
    await page.locator(".chart-dot").waitFor()
    assert.deepStrictEqual(await leave(), [])
  })

  it("of a funnel leaves in each of its shapes", async () => {
    const { page, leave } = await open("funnels?s=Install&s=ShopOpened&s=Purchase&range=14d")
    await page.getByText("Most players are lost between").waitFor()
    const steps = (await downloaded(page, "Table (CSV)")).toString().trim().split("\r\n")
    assert.strictEqual(
      steps[0],
      "step,marker,players,percent of first,percent of step before,average seconds,median seconds"
    )
    const [first = "", , last = ""] = steps.slice(1)
    assert.match(first, /^1,Install,\d+,100,/)
    assert.match(last, /^3,Purchase,\d+,[\d.]+,[\d.]+,[\d.]+,[\d.]+$/)
    const bars = (await downloaded(page, "Drawing (SVG)")).toString()
    for (const part of ["Install to Purchase within 7 days, last 14 days", "3 Purchase", ">100 %<", 'fill="#']) {
      assert.include(bars, part)
    }
    const png = await downloaded(page, "Picture (PNG)")
    assert.strictEqual(png.readUInt32BE(16), 2 * (880 + 32))
    await isOpenToEverybody(page, "a funnel that was exported")

    await page.goto(`${studio.place}/funnels?s=Install&s=Purchase&by=property:platform&range=14d&show=convert&hide=ios`)
    await page.locator(".histogram").first().waitFor()
    const times = (await downloaded(page, "Table (CSV)")).toString()
    assert.match(times, /^group,from seconds,to seconds,players\r\n/)
    assert.match(times, /\r\nios,/)
    const drawn = (await downloaded(page, "Drawing (SVG)")).toString()
    assert.include(drawn, "android · ")
    assert.notInclude(drawn, "ios · ")

    await page.getByRole("radio", { name: "Over time" }).click()
    await page.getByRole("img", { name: /share of players who pass all steps$/ }).waitFor()
    const rates = (await downloaded(page, "Table (CSV)")).toString()
    assert.match(rates, /^begins,group,players,passed all steps,percent,over\r\n\d{4}-/)
    assert.include((await downloaded(page, "Drawing (SVG)")).toString(), "android")
    assert.deepStrictEqual(await leave(), [])
  })

  it("of retention leaves as its grid and as its curve", async () => {
    const { page, context, leave } = await open("retention?start=Install&back=Login&for=7&goal=7:20")
    await context.grantPermissions(["clipboard-read", "clipboard-write"])
    await page.locator(".retention-curve .chart-line").nth(1).waitFor()
    const [head = "", ...rows] = (await downloaded(page, "Table (CSV)")).toString().trim().split("\r\n")
    assert.isTrue(head.startsWith("begins,players,day 1,day 1 %,day 2,"))
    // The grid begins with the average of all rows.
    assert.strictEqual(rows.length, (await page.locator(".grid tbody tr").count()) - 1)
    const [from, size, count, rate] = (rows[0] ?? "").split(",")
    assert.match(from ?? "", /^\d{4}-\d\d-\d\dT/)
    assert.closeTo(Number(rate), (Number(count) / Number(size)) * 100, 0.01)
    assert.isTrue((rows.at(-1) ?? "").endsWith(",,"))
    const curve = (await downloaded(page, "Drawing (SVG)")).toString()
    for (const part of ["Average", "Benchmark", "by day", 'stroke="rgb(']) assert.include(curve, part)
    await page.getByText("Export", { exact: true }).click()
    await page.getByRole("button", { name: "Copy as curl, for a script" }).click()
    await page.getByText("The line is copied").waitFor({ state: "attached" })
    assert.include(await page.evaluate("navigator.clipboard.readText()"), "/queries/retention/execute")
    assert.deepStrictEqual(await leave(), [])
  })

  it("of retention is named as what it is until the next one is there", async () => {
    const { page, leave } = await open("retention?start=Install&back=Login")
    const row = page.locator(".grid .series-name").first()
    const day = await row.textContent()
    let release = () => {}
    const released = new Promise<void>((done) => (release = done))
    await page.route("**/queries/retention/execute", (route) => released.then(() => route.continue()))
    await page.getByRole("radio", { name: "Week" }).click()
    await page.getByText(/in the last 14 weeks and who come back with Login, by week$/).waitFor()
    assert.strictEqual(await row.textContent(), day)
    release()
    await row.filter({ hasText: "Week of" }).waitFor()
    assert.deepStrictEqual(await leave(), [])
  })

  it.each(["light", "dark"] as const)("of retention has a curve of the rows that are picked (%s)", async (theme) => {
    const { page, leave } = await open("retention?start=Install&back=Login", theme)
    const rows = page.locator(".grid .series-name:not([aria-disabled])")
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

  it("of a map in steps ends where a comparison is chosen meanwhile, which has none", async () => {
    const { page, leave } = await open("heatmaps")
    const link = await page.getByRole("link", { name: "The island", exact: true }).getAttribute("href")
    await page.goto(`${link}&m=PlayerDied&range=7d`)
    const play = page.getByRole("button", { name: "Play", exact: true })
    await play.waitFor()
    let goOn = () => {}
    let isHeld = true
    const released = new Promise<void>((go) => (goOn = go))
    await page.route("**/queries/heatmaps/execute", async (route) => {
      if (isHeld) await released
      await route.continue()
    })
    await play.click()
    await page.getByText(/^Loading 0 of/).waitFor()
    isHeld = false
    await page.getByRole("combobox", { name: /^Compare with/ }).click()
    await page.getByRole("option", { name: "The period before" }).click()
    await page.getByText("A comparison cannot be played.").waitFor()
    await page.getByText(/^Loading/).waitFor({ state: "hidden" })
    assert.strictEqual(await page.getByRole("slider", { name: "Time" }).count(), 0)
    goOn()
    await page.unrouteAll({ behavior: "wait" })
    assert.deepStrictEqual(await leave(), [])
  })
})

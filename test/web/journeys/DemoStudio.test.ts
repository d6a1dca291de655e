import { assert, describe, it } from "@effect/vitest"
import { readFileSync } from "node:fs"
import { missingBrowser, sayWhatIsMissing } from "../../support/Browser.ts"
import { barriersOn } from "../../support/Visitor.ts"
import { inDemoStudio, isOpenEverywhere } from "../InBrowser.ts"

sayWhatIsMissing()

describe.skipIf(missingBrowser !== null)("the demo studio", () => {
  const studio = inDemoStudio()

  it("a question is built by keyboard alone, and Back undoes one decision", async () => {
    const { page, leave } = await studio.visit()
    await page.goto(`${studio.place}/insights`)
    await page.getByRole("img").first().waitFor()

    await page.getByRole("combobox", { name: /^Marker A:/ }).focus()
    await page.keyboard.press("Enter")
    const search = page.getByLabel("Search marker a")
    await search.waitFor()
    await page.keyboard.type("purch")
    await page
      .locator("[data-active-item]")
      .getByText(/^Purchase/)
      .waitFor()
    await page.keyboard.press("Enter")
    await page.waitForURL(/m=Purchase:uniqueUsers/)

    await page.getByRole("combobox", { name: /^Measure A:/ }).focus()
    await page.keyboard.press("Enter")
    await page.getByLabel("Search measure a").waitFor()
    await page.keyboard.type("sum of")
    await page
      .locator("[data-active-item]")
      .getByText(/^Sum of/)
      .waitFor()
    await page.keyboard.press("Enter")
    await page.waitForURL(/m=Purchase:sum:level/)
    await page.getByRole("img", { name: "Sum of level of Purchase, last 30 days" }).waitFor()

    await page.getByRole("combobox", { name: /^Break down by:/ }).focus()
    await page.keyboard.press("Enter")
    await page.getByLabel("Search break down by").waitFor()
    await page.keyboard.type("platform")
    await page
      .locator("[data-active-item]")
      .getByText(/^platform/)
      .waitFor()
    await page.keyboard.press("Enter")
    await page.waitForURL(/by=property:platform/)
    await page.getByRole("row", { name: /android/ }).waitFor()

    const chart = page.getByRole("img", { name: "Sum of level of Purchase, by platform, last 30 days" })
    await chart.focus()
    await page.keyboard.press("End")
    await page.locator(".chart-tip", { hasText: "so far" }).waitFor()
    await page.keyboard.press("ArrowLeft")
    await page.locator(".chart-tip").getByText("so far").waitFor({ state: "hidden" })

    await page.goBack()
    await page.getByRole("img", { name: "Sum of level of Purchase, last 30 days" }).waitFor()
    assert.deepStrictEqual(await leave(), [])
  })

  it("filters, comparison, formulas and shapes ask what they say", async () => {
    const { page, leave } = await studio.visit()
    await page.goto(`${studio.place}/insights?m=Purchase:totalEvents&m=Login:uniqueUsers&range=14d`)
    await page.getByRole("row", { name: /Players with Login/ }).waitFor()
    await page.getByRole("button", { name: "Formula" }).click()
    await page.getByLabel(/^Formula over A, B/).fill("A / C")
    await page.getByRole("button", { name: "Add", exact: true }).click()
    await page.getByText("there is no metric C").waitFor()
    await page.getByLabel(/^Formula over A, B/).fill("A / B * 100")
    await page.getByRole("button", { name: "Add", exact: true }).click()
    await page.getByRole("row", { name: /^A \/ B \* 100/ }).waitFor()

    await page.getByRole("combobox", { name: /^Add a filter: / }).click()
    await page.getByRole("option", { name: /^country property/ }).click()
    await page.getByRole("combobox", { name: /^Value of country/ }).click()
    await page.getByRole("option", { name: /^DE/ }).click()
    await page.waitForURL(/f=property:country:is:DE/)
    await page.getByLabel("Compare with before").check()
    await page.getByRole("columnheader", { name: "Change" }).waitFor()
    for (const shape of ["Bars", "Number", "Table"]) {
      await page.getByRole("radio", { name: shape, exact: true }).click()
      assert.deepStrictEqual(await barriersOn(page), [])
    }
    await page.getByRole("rowheader", { name: /so far$/ }).waitFor()
    assert.deepStrictEqual(await leave(), [])
  })

  it("a funnel leads to the players who were lost, as many as it says", async () => {
    const { page, leave } = await studio.visit()
    // The demo goes on: of the days before today every question is answered the same.
    await page.goto(`${studio.place}/funnels?range=30d,past`)
    await page.getByText("Choose at least two steps").waitFor()
    for (const marker of ["Install", "ShopOpened", "Purchase"]) {
      await page.getByRole("combobox", { name: /^Add a step/ }).click()
      await page.getByRole("option", { name: new RegExp(`^${marker}`) }).click()
      await page.waitForURL(new RegExp(`s=${marker}`))
    }
    await page.locator(".funnel h2", { hasText: "Purchase" }).waitFor()
    const left = page.getByRole("button", { name: /left$/ }).last()
    const [count = ""] = /[\d,]+/.exec((await left.textContent()) ?? "") ?? []
    await left.click()
    const sheet = page.getByRole("dialog", { name: `${count} players left before Purchase` })
    await sheet.getByRole("rowheader").first().waitFor()
    assert.deepStrictEqual(await barriersOn(page), [])
    for (let shown = 0; shown < 50 && (await sheet.getByRole("button", { name: "Show more" }).isVisible()); shown++) {
      const rows = await sheet.getByRole("rowheader").count()
      await sheet.getByRole("button", { name: "Show more" }).click()
      await sheet.getByRole("rowheader").nth(rows).waitFor()
    }
    assert.strictEqual(await sheet.getByRole("rowheader").count(), Number(count.replace(",", "")))
    await page.keyboard.press("Escape")
    await sheet.waitFor({ state: "hidden" })
    assert.strictEqual(await page.evaluate("document.activeElement.textContent"), await left.textContent())
    assert.deepStrictEqual(await leave(), [])
  })

  it("a chart notes what changed the game, one request for a range, by pointer and by keys, and in its drawing", async () => {
    const { page, leave } = await studio.visit()
    const asked: Array<string> = []
    page.on("request", (request) => {
      const { pathname } = new URL(request.url())
      if (pathname.endsWith("/changes")) asked.push(request.url())
    })
    const notes = page.getByRole("list", { name: "What changed the game" })
    const marks = notes.locator("[data-note]")
    const application = `/application/${studio.place.split("/")[2]}`
    const headers = { origin: studio.server.url }
    const made = await page.request.post(`${application}/v2/configuration`, {
      headers,
      data: { name: "Noted", configuration: { price: 1 } }
    })
    const { id } = await made.json()
    for (const price of [2, 3]) {
      const data = { changes: [{ op: "set", path: ["price"], value: price }], reason: `for ${price}` }
      await page.request.patch(`${application}/v2/configuration/${id}`, { headers, data })
    }
    await page.goto(`${studio.place}/insights?m=Login:uniqueUsers&m=Purchase:totalCount&range=90d`)
    await marks.nth(1).waitFor()
    await page.getByRole("radio", { name: "Bars", exact: true }).click()
    await page.getByRole("radio", { name: "Line", exact: true }).click()
    await marks.nth(1).waitFor()
    assert.strictEqual(new Set(asked).size, 1, "charts of one range share one answer")

    // All of them are one stop of Tab; arrows lead from one to the next.
    assert.strictEqual(await notes.locator("[data-note][tabindex='0']").count(), 1)
    await notes.locator("[data-note][tabindex='0']").focus()
    await page.locator(".note-tip").waitFor()
    const first = await page.locator(".note-tip").textContent()
    await page.keyboard.press("ArrowRight")
    await page.locator(".note-tip").waitFor()
    assert.notStrictEqual(await page.locator(".note-tip").textContent(), first)
    await page.keyboard.press("Escape")
    await page.locator(".note-tip").waitFor({ state: "detached" })
    assert.deepStrictEqual(await barriersOn(page), [])

    await page.getByText("Export", { exact: true }).click()
    const [file] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "Drawing (SVG)" }).click()
    ])
    const svg = readFileSync(await file.path(), "utf8")
    assert.include(svg, "Noted: Version 3: for 3")
    assert.match(svg, /Version 1\.\d\.0: First seen/)

    // What happened together is one mark, which lists it.
    const last = notes.getByRole("button", { name: /^\d+ notes: / }).last()
    await last.click()
    await page.mouse.move(5, 5)
    await notes.getByRole("link", { name: "Noted: Version 2: for 2" }).waitFor()
    await notes.getByRole("link", { name: "Noted: Version 3: for 3" }).click()
    await page.waitForURL(new RegExp(`/configurations/${id}\\?view=history$`))
    await page.goBack()
    await page.getByLabel("Notes", { exact: true }).uncheck()
    await notes.waitFor({ state: "detached" })
    await page.reload()
    await page.getByRole("img").first().waitFor()
    assert.strictEqual(await notes.count(), 0)
    await page.getByLabel("Notes", { exact: true }).check()
    await marks.first().waitFor()
    assert.deepStrictEqual(await leave(), [])
  })

  it("every page is open to everybody in both themes, on a desk and on a phone", async () => {
    const { page, leave } = await studio.visit()
    const pages: ReadonlyArray<readonly [path: string, shown: string]> = [
      ["insights?m=Login:uniqueUsers&by=property:platform&range=14d&compare=1", ".chart-line"],
      ["funnels?s=Install&s=LevelCompleted&s=ShopOpened&s=Purchase", ".funnel"],
      ["funnels", ".empty"],
      ["retention?start=Install&back=Login", ".grid .cell"],
      ["markers", ".marker"],
      ["setup", ".marker-json"],
      ["nothing", ".empty"]
    ]
    for (const [path, shown] of pages) {
      await page.goto(`${studio.place}/${path}`)
      await page.locator(shown).first().waitFor()
      await isOpenEverywhere(page, path)
    }
    await page.goto(`${studio.place}/insights`)
    await page.getByRole("combobox", { name: /^Marker A:/ }).click()
    await page.locator(".popup-item").first().waitFor()
    await isOpenEverywhere(page, "picker")
    assert.deepStrictEqual(await leave(), [])
  })

  it("a chosen theme outlives the visit and is there before the first paint", async () => {
    const { page, leave } = await studio.visit({ colorScheme: "light" })
    await page.goto(`${studio.place}/setup`)
    await page.locator("summary", { hasText: "Demo owner" }).click()
    await page.getByRole("radio", { name: "Dark" }).click()
    await page.reload({ waitUntil: "commit" })
    await page.locator("html[data-theme=dark]").waitFor()
    assert.deepStrictEqual(await leave(), [])
  })

  it("shows what is chosen to those who choose the colours of their system", async () => {
    const { page, leave } = await studio.visit({ forcedColors: "active" })
    await page.goto(`${studio.place}/insights`)
    const chosen = page.getByRole("radio", { name: "30 d" })
    await chosen.waitFor()
    await page.waitForFunction(() => document.querySelector('link[href*="forcedColors"]') !== null)
    const colourOf = (name: string) =>
      page.getByRole("radio", { name, exact: true }).evaluate((button) => getComputedStyle(button).backgroundColor)
    assert.strictEqual(await chosen.getAttribute("aria-checked"), "true")
    assert.notStrictEqual(await colourOf("30 d"), await colourOf("7 d"))
    assert.strictEqual(await colourOf("14 d"), await colourOf("7 d"))
    // Bars that are drawn as backgrounds are there too.
    await page.goto(`${studio.place}/funnels?s=Install&s=Login&s=Purchase`)
    const bar = page.locator(".funnel-reached").first()
    await bar.waitFor()
    const [reached, behind] = await bar.evaluate((element) =>
      [element, document.querySelector(".card") ?? element].map((each) => getComputedStyle(each).backgroundColor)
    )
    assert.notStrictEqual(reached, behind)
    assert.deepStrictEqual(await leave(), [])
  })
})

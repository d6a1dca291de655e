import { assert, describe, it } from "@effect/vitest"
import type { Locator } from "playwright-core"
import { missingBrowser, sayWhatIsMissing } from "../../support/Browser.ts"
import { inDemoStudio, isOpenEverywhere } from "../InBrowser.ts"
import { apiOf } from "../Team.ts"

sayWhatIsMissing()

describe.skipIf(missingBrowser !== null)("saved questions", () => {
  const studio = inDemoStudio()

  const queries = () => `/application/${studio.place.split("/")[2] ?? ""}/analytics/v1/queries`

  it("of the demo are opened by their pages, with controls for all that they ask", async () => {
    const { page, leave } = await studio.visit()
    await page.goto(`${studio.place}/saved`)
    const links = page.locator("main tbody th a")
    await links.nth(8).waitFor()
    const addresses = await links.evaluateAll((all) => all.map((link) => link.getAttribute("href") ?? ""))
    assert.strictEqual(addresses.length, 9)
    for (const address of addresses) {
      await page.goto(address)
      await page.locator(".saved-name").waitFor()
    }
    await page.goto(`${studio.place}/boards`)
    await page.getByRole("link", { name: "Money" }).click()
    await page.locator(".tile-numbers").getByText("Revenue of a buyer").waitFor()
    await page.getByRole("link", { name: "Revenue of a buyer" }).click()
    const first = page.getByRole("button", { name: "Draw metric A" })
    assert.strictEqual(await first.getAttribute("aria-pressed"), "false")
    await page.getByRole("button", { name: "Change the formula Revenue of a buyer" }).click()
    await page.getByLabel("Name").fill("Spent by a buyer")
    await isOpenEverywhere(page, "a formula")
    await page.getByRole("button", { name: "Change", exact: true }).click()
    await page
      .getByRole("cell", { name: "Spent by a buyer" })
      .or(page.getByRole("rowheader", { name: "Spent by a buyer" }))
      .waitFor()
    assert.strictEqual(await page.locator(".series-name").count(), 1)
    await first.click()
    await page.locator(".series-name").nth(1).waitFor()
    await page.goto(`${studio.place}/retention?start=Install&back=Login&for=7&of=14`)
    await page.getByText("followed for 7 days").first().waitFor()
    await page.locator(".grid tbody tr").nth(14).waitFor()
    await page.getByRole("radiogroup", { name: /^Rows/ }).getByText("7", { exact: true }).click()
    await page.waitForURL(/for=7$/)
    await isOpenEverywhere(page, "retention")
    assert.deepStrictEqual(await leave(), [])
  })

  it("and experiments say on a phone what they say on a desk", async () => {
    const { page, leave } = await studio.visit({ viewport: { width: 390, height: 844 } })
    const isInSight = (place: Locator) =>
      place.evaluate((element) => {
        const { left, right, width } = element.getBoundingClientRect()
        return width > 0 && left >= 0 && right <= window.innerWidth
      })
    await page.goto(`${studio.place}/saved`)
    const question = page.getByRole("row", { name: /^(Star )?Players a day, by platform/ }).first()
    assert.isTrue(await isInSight(question.getByText("Insight", { exact: true })))
    assert.isTrue(await isInSight(question.getByRole("button", { name: /^Delete/ })))
    await page.goto(`${studio.place}/experiments`)
    const experiment = page.getByRole("row", { name: /Cheaper starter pack/ })
    assert.isTrue(await isInSight(experiment.getByText("Running")))
    const verdict = experiment.locator(".verdict")
    await verdict.waitFor()
    assert.isTrue(await isInSight(verdict))
    await experiment.getByRole("link").click()
    const effect = page.locator(".score .score-effect").first()
    await effect.getByText("no change").waitFor()
    const label = (cell: Locator) => cell.evaluate((element) => getComputedStyle(element, "::before").content)
    const cells = page.locator(".score td[data-name]")
    assert.deepStrictEqual(
      [await label(cells.nth(0)), await label(cells.nth(1)), await label(cells.nth(2))],
      ['"Value"', '"Change"', '"Chance to win"']
    )
    assert.deepStrictEqual(await leave(), [])
  })

  it("with parts that a page has no control for show their answer there", async () => {
    const { page, context, leave } = await studio.visit()
    const api = apiOf(context.request, studio.server.url)
    const save = (name: string, queryType: string, spec: object) =>
      api.ask("POST", queries(), { name, queryType, spec })
    const time = { step: "day", relative: { step: "day", value: 14 } }
    const login = { name: "Login" }
    const steps = [
      { id: "1", name: "Install" },
      { id: "2", name: "Login" }
    ]
    const metrics = [{ id: "A", data: { type: "uniqueUsers", name: "Login" } }]
    const made = [
      [
        "insights",
        ".chart-line",
        await save("In Tokyo", "insight", { time: { ...time, timezone: "Asia/Tokyo" }, metrics })
      ],
      [
        "funnels",
        ".funnel-bar",
        await save("Hours", "funnel", { time, steps, conversionWindow: { step: "hour", value: 7 } })
      ],
      [
        "retention",
        ".grid .cell",
        await save("Recurring", "retention", { time, start: login, interval: "day", intervals: 7 })
      ]
    ] as const
    for (const [where, drawing, { id }] of made) {
      await page.goto(`${studio.place}/${where}?q=${id}`)
      await page.getByText("A program made this question").waitFor()
      await page.locator(drawing).first().waitFor({ state: "attached" })
      await isOpenEverywhere(page, `${where} without controls`)
    }
    assert.deepStrictEqual(await leave(), [])
  })
})

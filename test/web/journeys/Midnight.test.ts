import { assert, describe, it } from "@effect/vitest"
import { missingBrowser, sayWhatIsMissing } from "../../support/Browser.ts"
import { inDemoStudio } from "../InBrowser.ts"

sayWhatIsMissing()

const minute = 60_000

describe.skipIf(missingBrowser !== null)("a page that stays open over midnight", () => {
  const studio = inDemoStudio()

  it.each([
    ["insights?range=7d,past", "insights/execute"],
    ["insights?range=7d", "insights/execute"],
    ["retention", "retention/execute"],
    ["", "retention/execute"]
  ])("%s asks again once the next day has begun", async (path, question) => {
    const { page, leave } = await studio.visit()
    const midnight = new Date()
    midnight.setUTCHours(24, 0, 0, 0)
    await page.clock.install({ time: midnight.getTime() - 2 * minute })
    const asked = () =>
      page.waitForRequest((request) => request.method() === "POST" && request.url().endsWith(question))
    const first = asked()
    await page.goto(`${studio.place}/${path}`)
    const before = (await first).postDataJSON()
    await page.waitForLoadState("networkidle").catch(() => undefined)
    const second = asked()
    await page.clock.fastForward(4 * minute)
    const after = (await second).postDataJSON()
    if ("to" in before.time)
      assert.strictEqual(Date.parse(after.time.to) - Date.parse(before.time.to), 24 * 60 * minute)
    else assert.deepStrictEqual(after, before)
    assert.deepStrictEqual(await leave(), [])
  })

  it("shows who came back on the day after, once that has begun", async () => {
    const { page, leave } = await studio.visit()
    const midnight = new Date()
    midnight.setUTCHours(24, 0, 0, 0)
    await page.clock.install({ time: midnight.getTime() - 120 * minute })
    // The server's clock stands before midnight: its answers move on by a day once the clock of the page has.
    let daysLater = 0
    await page.route("**/queries/retention/execute", async (route) => {
      const response = await route.fetch()
      const answer = await response.json()
      for (const row of answer.series[0].cohorts) {
        row.start = new Date(Date.parse(row.start) + daysLater * 1440 * minute).toISOString()
      }
      answer.meta.asOf = new Date(midnight.getTime() + (daysLater === 0 ? -120 : 4) * minute).toISOString()
      await route.fulfill({ response, json: answer })
    })
    await page.goto(`${studio.place}/retention?start=Install&back=Login`)
    const newest = page.locator(".grid tbody tr")
    await newest.last().waitFor()
    const day = await newest.last().getByRole("rowheader").textContent()
    assert.strictEqual(await newest.last().locator(".cell-open").count(), 0)
    daysLater = 1
    await page.clock.fastForward(124 * minute)
    const yesterday = newest.nth(-2)
    await yesterday.filter({ hasText: day ?? "" }).waitFor()
    assert.strictEqual(await yesterday.locator(".cell-open").count(), 1)
    assert.deepStrictEqual(await leave(), [])
  })

  it("compares maps of one time, and plays the next day too", async () => {
    const { page, leave } = await studio.visit()
    const midnight = new Date()
    midnight.setUTCHours(24, 0, 0, 0)
    await page.clock.install({ time: midnight.getTime() - 2 * minute })
    await page.goto(`${studio.place}/heatmaps`)
    await page.getByRole("link", { name: "The island", exact: true }).click()
    await page.getByRole("combobox", { name: /^Compare with/ }).click()
    await page.getByRole("option", { name: "Cohorts" }).click()
    await page.getByText(/: blue is more of everybody else/).waitFor()
    await page.waitForLoadState("networkidle")
    const asked: Array<{ readonly time: { readonly from?: string } }> = []
    page.on("request", (request) => {
      if (request.url().endsWith("heatmaps/execute")) asked.push(request.postDataJSON())
    })
    await page.clock.fastForward(4 * minute)
    for (let look = 0; look < 100 && asked.length < 2; look++) await page.evaluate("fetch('/health')")
    assert.strictEqual(asked.length, 2)
    assert.notDeepEqual(asked[0], asked[1])

    await page.getByRole("combobox", { name: /^Compare with/ }).click()
    await page.getByRole("option", { name: "Nothing" }).click()
    await page.getByRole("button", { name: "Play", exact: true }).click()
    await page.getByRole("button", { name: "Whole period" }).waitFor()
    assert.strictEqual(asked.at(-1)?.time.from, midnight.toISOString())
    assert.deepStrictEqual(await leave(), [])
  })
})

import { assert, describe, it } from "@effect/vitest"
import { missingBrowser, sayWhatIsMissing } from "../../support/Browser.ts"
import { barriersOn } from "../../support/Visitor.ts"
import { inDemoStudio, isOpenToEverybody } from "../InBrowser.ts"

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

  it("is asked of another environment as it is", async () => {
    const { page, leave } = await open()
    await page.getByLabel("Environment", { exact: true }).selectOption({ label: "Development" })
    await page.waitForURL((url) => url.pathname.endsWith("/development/insights"))
    assert.strictEqual(new URL(page.url()).search, "?m=Login:uniqueUsers&by=property:platform&range=14d")
    assert.deepStrictEqual(await leave(), [])
  })

  it("shows the number that a filter asks for, also where another filter or another address stood in its place", async () => {
    const { page, leave } = await open()
    const levels = "insights?m=Login:uniqueUsers&range=14d&f=argument:level:equal:5&f=argument:level:equal:10&match=any"
    await page.goto(`${studio.place}/${levels}`)
    const numbers = page.getByLabel("Value of level")
    const shown = () => numbers.evaluateAll((all) => all.map((each) => Reflect.get(each, "value")))
    await numbers.nth(1).waitFor()
    assert.deepStrictEqual(await shown(), ["5", "10"])
    await page.getByRole("button", { name: "Remove the filter level" }).first().click()
    await numbers.nth(1).waitFor({ state: "detached" })
    assert.deepStrictEqual(await shown(), ["10"])
    await page.goBack()
    await numbers.nth(1).waitFor()
    assert.deepStrictEqual(await shown(), ["5", "10"])
    assert.deepStrictEqual(await leave(), [])
  })

  it("has filters for each metric, whose values the server looks for as one types", async () => {
    const { page, leave } = await open()
    await page.goto(`${studio.place}/insights?m=Login:uniqueUsers&m=Login:uniqueUsers&range=14d`)
    const rows = page.locator(".series-name")
    await rows.nth(1).waitFor()
    await page.getByRole("combobox", { name: "Add a filter of metric B" }).click()
    await page.getByRole("option", { name: /^platform/ }).click()
    await page.waitForURL(/fB=property:platform:is/)
    // All values but these are far down the list: the server is asked for what is typed, and a question that typing overtakes is given up.
    const asked: Array<string> = []
    const many = Array.from({ length: 100 }, (_, index) => ({ value: `value ${index}`, count: 1000 - index }))
    let release = () => {}
    const held = new Promise<void>((done) => {
      release = done
    })
    const overtaken: Array<string> = []
    page.on("requestfailed", (request) => overtaken.push(new URL(request.url()).searchParams.get("search") ?? ""))
    await page.route("**/markers/properties/values?*", async (route) => {
      const search = new URL(route.request().url()).searchParams.get("search") ?? ""
      asked.push(search)
      if (search === "") return route.fulfill({ json: many })
      if (search === "an") {
        await held
        return route.abort().catch(() => undefined)
      }
      return route.continue()
    })
    await page.reload()
    await page.getByRole("combobox", { name: "Value of platform: Choose a value" }).click()
    const search = page.getByRole("combobox", { name: "Search value of platform" })
    await search.waitFor()
    await page.getByText("40 more: search to find them").waitFor()
    await search.pressSequentially("an")
    await page.getByText("Searching …").waitFor()
    await isOpenToEverybody(page, "a search of values")
    while (!asked.includes("an")) await page.waitForTimeout(20)
    await search.pressSequentially("DR")
    await page.getByRole("option", { name: /^android/ }).click()
    release()
    await page.waitForURL(/fB=property:platform:is:android/)
    assert.include(overtaken, "an")
    const words = "Players with Login and players with Login (platform is android), last 14 days"
    await page.getByRole("img", { name: words }).waitFor()
    const numbers = await page
      .locator(".table tbody tr")
      .evaluateAll((lines) =>
        lines.map((line) => Number((line.querySelector(".number-link")?.textContent ?? "").replaceAll(/\D/g, "")))
      )
    assert.isAbove(numbers[0] ?? 0, numbers[1] ?? 0)
    assert.isAbove(numbers[1] ?? 0, 0)
    await page.getByRole("combobox", { name: "Add a filter: + Filter" }).waitFor()
    await isOpenToEverybody(page, "filters of a metric")
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
    const foot = page.locator(".card-foot")
    assert.notInclude(await foot.innerText(), "dashed")
    const metrics = "m=Purchase:sum:price&m=Login:uniqueUsers"
    await page.goto(`${studio.place}/insights?${metrics}&by=property:country&range=14d&show=totals`)
    await page.getByText("Sum of price of Purchase · DE").first().waitFor()
    const bars = page.locator(".total-bars")
    const isCut = () =>
      bars.locator("span").evaluateAll((names) => names.some((name) => name.scrollWidth > name.clientWidth))
    assert.isFalse(await isCut())
    const looks = await bars.locator("li").evaluateAll((all) => all.map(({ className }) => className))
    assert.strictEqual(new Set(looks).size, looks.length, "each bar has its own look")
    await page.setViewportSize({ width: 390, height: 844 })
    assert.isFalse(await isCut())
    await page.getByRole("radio", { name: "Line", exact: true }).click()
    await foot.getByText("it is drawn dashed").waitFor()
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
    // As often as a question is asked again by itself, the server is away.
    let away = 3
    await page.route("**/executions/state", (route) =>
      away-- > 0 ? route.abort("connectionrefused") : route.continue()
    )
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
    const complaints = await leave()
    assert.isBelow(away, 0)
    assert.deepStrictEqual(
      complaints.filter((complaint) => !complaint.includes("ERR_CONNECTION_REFUSED")),
      []
    )
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

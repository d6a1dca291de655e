import { assert, describe, it } from "@effect/vitest"
import type { Page } from "playwright-core"
import { missingBrowser, sayWhatIsMissing } from "../../support/Browser.ts"
import { inDemoStudio } from "../InBrowser.ts"
import { apiOf } from "../Team.ts"

sayWhatIsMissing()

/** What has the focus, by its name. */
const focused = (page: Page): Promise<string> =>
  page.evaluate(
    "document.activeElement === document.body ? 'nothing' : document.activeElement.getAttribute('aria-label') ?? document.activeElement.textContent"
  )

describe.skipIf(missingBrowser !== null)("who uses keys alone", () => {
  const studio = inDemoStudio()

  /** Presses the button with Enter, and answers what has the focus when it has gone. */
  const afterRemoving = async (page: Page, path: string, name: string) => {
    await page.goto(studio.place + path)
    const button = page.getByRole("button", { name, exact: true }).first()
    await button.focus()
    await page.keyboard.press("Enter")
    await button.waitFor({ state: "detached" })
    return focused(page)
  }

  it("stays where a part of the question was taken away", async () => {
    const { page, leave } = await studio.visit()
    for (const [path, name, next] of [
      ["/insights?m=Login:uniqueUsers&f=property:country:is:DE", "Remove the filter country", "Add a filter: + Filter"],
      ["/funnels?s=Install&s=Login&s=Purchase", "Remove step 3", "Step 2: Login"],
      ["/players?col=country&col=platform", "Remove the column country", "Remove the column platform"]
    ] as const) {
      assert.strictEqual(await afterRemoving(page, path, name), next, path)
    }
    assert.deepStrictEqual(await leave(), [])
  })

  it("goes back with the browser's own keys from where arrows move something", async () => {
    const { page, leave } = await studio.visit()
    await page.goto(`${studio.place}/insights?m=Login:uniqueUsers`)
    const chart = page.locator(".chart svg[tabindex]").first()
    await chart.waitFor()
    await page.evaluate("addEventListener('keydown', (event) => { window.isTaken = event.defaultPrevented })")
    const isTaken = async (keys: string) => {
      await page.keyboard.press(keys)
      return page.evaluate("window.isTaken")
    }
    const days = page.getByRole("radiogroup", { name: "Period" }).getByRole("radio", { checked: true })
    for (const control of [days, chart]) {
      await control.focus()
      assert.isFalse(await isTaken("Control+ArrowLeft"))
      assert.strictEqual(await days.textContent(), "30 d")
    }
    assert.isTrue(await isTaken("ArrowLeft"))
    assert.deepStrictEqual(await leave(), [])
  })

  it("closes a tip that the pointer has opened, wherever the focus is", async () => {
    const { page, leave } = await studio.visit()
    await page.goto(`${studio.place}/insights?m=Login:uniqueUsers`)
    const tip = page.locator(".chart-tip")
    await page.locator(".chart svg[tabindex]").first().hover()
    await tip.waitFor()
    assert.strictEqual(await page.locator(".chart :focus").count(), 0)
    await page.keyboard.press("Escape")
    await tip.waitFor({ state: "detached", timeout: 5000 })
    // What shows the chart stays: it is left by the next press.
    await page.goto(`${studio.place}/boards`)
    await page.getByRole("link", { name: "Money" }).first().click()
    const end = page.getByRole("button", { name: "End presentation" })
    await page.getByRole("button", { name: "Present" }).click()
    await page.locator(".chart svg[tabindex]").first().hover()
    await tip.waitFor()
    await page.keyboard.press("Escape")
    await tip.waitFor({ state: "detached", timeout: 5000 })
    assert.strictEqual(await end.count(), 1)
    await page.keyboard.press("Escape")
    await end.waitFor({ state: "detached" })
    assert.deepStrictEqual(await leave(), [])
  })

  it("stays in the list of which a row was deleted, and comes to the page that a link opens", async () => {
    const { page, leave } = await studio.visit()
    const { ask } = apiOf(page.request, studio.server.url)
    const project = `/application/${studio.place.split("/")[2]}`
    for (const name of ["Alpha", "Beta"]) {
      await ask("POST", `${project}/analytics/v1/queries`, {
        name,
        queryType: "insight",
        spec: {
          time: { relative: { step: "day", value: 7 } },
          metrics: [{ id: "A", data: { type: "dau", name: "Login" } }]
        }
      })
    }
    await page.goto(`${studio.place}/saved`)
    const row = page.getByRole("row", { name: /Beta/ })
    await row.getByRole("button", { name: /^Delete/ }).focus()
    await page.keyboard.press("Enter")
    const dialog = page.getByRole("dialog")
    await dialog.getByRole("button", { name: /^Delete/ }).click()
    await row.waitFor({ state: "detached" })
    await dialog.waitFor({ state: "detached" })
    assert.strictEqual(await focused(page), "Star Alpha")

    await page.getByRole("link", { name: "Alpha", exact: true }).focus()
    await page.keyboard.press("Enter")
    await page.waitForURL(/\/insights\?/)
    await page.getByRole("heading", { name: "Insights", level: 1 }).waitFor()
    assert.isTrue(await page.getByRole("main").evaluate((main) => main === document.activeElement))
    assert.deepStrictEqual(await leave(), [])
  })

  it("closes a menu by Esc from its button too, and finds it whole in a window that is enlarged", async () => {
    const { page, leave } = await studio.visit({ viewport: { width: 640, height: 360 } })
    await page.goto(`${studio.place}/insights`)
    const open = page.locator("details.menu[open]")
    const widerThanWindow = () => page.evaluate("document.documentElement.scrollWidth > innerWidth")
    for (const name of ["Export", "Custom …", "More ways to look at it"]) {
      const summary = page
        .locator("main summary")
        .filter({ hasText: name })
        .or(page.locator(`summary[aria-label="${name}"]`))
      await summary.focus()
      await page.keyboard.press("Enter")
      const body = open.locator(".menu-body")
      await body.waitFor()
      for (let frame = 0; frame < 100 && (await widerThanWindow()); frame++) await page.waitForTimeout(20)
      assert.isFalse(await widerThanWindow(), name)
      const place = await body.boundingBox()
      assert.isAtLeast(place?.x ?? -1, 0, name)
      await summary.focus()
      await page.keyboard.press("Escape")
      await open.waitFor({ state: "detached" })
      assert.isTrue(await summary.evaluate((element) => element === document.activeElement), name)
    }
    // Whoever goes on closes it as well, by a click or by keys.
    const exporting = page.locator("summary", { hasText: "Export" })
    await exporting.click()
    await open.waitFor()
    await page.getByRole("heading", { name: "Insights", level: 1 }).click()
    await open.waitFor({ state: "detached" })
    await exporting.click()
    await page.getByRole("button", { name: "Copy as curl" }).focus()
    await page.getByRole("button", { name: "Save", exact: true }).focus()
    await open.waitFor({ state: "detached" })
    assert.deepStrictEqual(await leave(), [])
  })

  it("has the button again that was refused, however often it was pressed", async () => {
    const { page, leave } = await studio.visit()
    await page.route("**/deeplinks", async (route) => {
      if (route.request().method() === "GET" || route.request().resourceType() === "document") return route.fallback()
      await new Promise((done) => setTimeout(done, 200))
      return route.fulfill({
        status: 409,
        json: { statusCode: 409, code: "DEEPLINK_SLUG_TAKEN", error: "Conflict", message: "Another link has it" }
      })
    })
    await page.goto(`${studio.place}/deeplinks`)
    await page.getByRole("button", { name: "New deeplink" }).click()
    await page.getByLabel(/^Name/).fill("Spring")
    await page.getByLabel(/^Address/).fill("https://game.example/play")
    const create = page.getByRole("button", { name: "Create" })
    for (let times = 1; times <= 3; times++) {
      const answer = page.waitForResponse((response) => response.request().method() === "POST")
      await create.click()
      await answer
      await page.getByRole("alert").getByText("Another link has it").waitFor()
      for (let frame = 0; frame < 100 && (await create.isDisabled()); frame++) await page.waitForTimeout(20)
      await page.waitForTimeout(100)
      assert.strictEqual(await focused(page), "Create", `${times}`)
    }
    await leave()
  })

  it("stays on a button while what it does is under way, and where there is nothing left for it to do", async () => {
    const { page, leave } = await studio.visit()
    const { ask } = apiOf(page.request, studio.server.url)
    const root = `/application/${studio.place.split("/")[2]}/v2`
    const { id: baseConfigurationId } = await ask("POST", `${root}/configuration`, {
      name: "Keys",
      configuration: { price: 1 }
    })
    const { id } = await ask("POST", `${root}/experiments`, {
      name: "By keys",
      unitType: "user",
      assignmentMode: "weightedHash",
      baseConfigurationId,
      groups: [
        { name: "As it is", weight: 5000, isControl: true },
        { name: "Dear", weight: 5000, changeset: { operations: [{ op: "set", path: ["price"], value: 2 }] } }
      ]
    })
    let isHeld = Promise.resolve()
    await page.route("**/*", async (route) => {
      if (route.request().method() !== "GET") await isHeld
      return route.continue()
    })
    /** What has the focus while the server has not answered yet, and what has it afterwards. */
    const press = async (name: string, done: () => Promise<unknown>) => {
      let answer = () => {}
      isHeld = new Promise((resolve) => {
        answer = resolve
      })
      const sent = page.waitForRequest((request) => request.method() !== "GET")
      const button = page.getByRole("button", { name, exact: true })
      await button.focus()
      await page.keyboard.press("Enter")
      await sent
      await page.waitForTimeout(100)
      const meanwhile = await focused(page)
      await page.keyboard.press("Enter")
      answer()
      await done()
      await page.waitForTimeout(100)
      return [meanwhile, await focused(page)]
    }
    const patches: Array<string> = []
    page.on("request", (request) => request.method() !== "GET" && patches.push(request.url()))
    await page.goto(`${studio.place}/experiments/${id}?tab=setup`)
    const planned = () => page.getByText("planned", { exact: true }).waitFor()
    assert.deepStrictEqual(await press("Plan a step", planned), ["Plan a step", "Plan a step"])
    await page.getByLabel("Percent of players").fill("35")
    const set = () => page.getByRole("button", { name: "At 35 %" }).waitFor()
    assert.deepStrictEqual(await press("Set to 35 %", set), ["Set to 35 %", "At 35 %"])
    assert.lengthOf(patches, 2)

    await page.goto(`${studio.place}/settings/project`)
    await page.getByLabel("Name").fill("Keys alone")
    const saved = () => page.getByText("Saved.", { exact: true }).waitFor()
    assert.deepStrictEqual(await press("Save", saved), ["Saving …", "Save"])
    assert.lengthOf(patches, 3)
    assert.deepStrictEqual(await leave(), [])
  })
})

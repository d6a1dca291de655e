import { assert, describe, it } from "@effect/vitest"
import type { Page, Route } from "playwright-core"
import { missingBrowser, sayWhatIsMissing } from "../../support/Browser.ts"
import { configurationsOf, replace } from "../ConfigurationParts.ts"
import { inDemoStudio } from "../InBrowser.ts"
import { apiOf } from "../Team.ts"

sayWhatIsMissing()

/** Holds the first request of a method to an address until it is let go; `met` is there once it has come. */
const hold = async (page: Page, address: string, method: string, then: (route: Route) => Promise<void>) => {
  let letGo = () => {}
  let meet = () => {}
  const isFree = new Promise<void>((done) => (letGo = done))
  const met = new Promise<void>((done) => (meet = done))
  let isFirst = true
  await page.route(address, async (route) => {
    if (route.request().method() !== method || !isFirst) return route.fallback()
    isFirst = false
    meet()
    await isFree
    return then(route)
  })
  return { met, letGo }
}

const unreachable = "The server cannot be reached. Look whether it was done before you try again."

describe.skipIf(missingBrowser !== null)("who does not wait for the server", () => {
  const studio = inDemoStudio()
  const { applicationId, post } = configurationsOf(studio)

  it("stays where they went, and finds no draft of what was saved meanwhile", async () => {
    const { page, leave } = await studio.visit()
    await page.goto(`${studio.place}/cohorts/new`)
    await page.getByLabel("Name", { exact: true }).fill("Left behind")
    await page.getByRole("radio", { name: "By a list" }).click()
    await page.locator("textarea").fill("player-00001\nplayer-00002")
    const made = await hold(page, "**/analytics/v1/cohorts", "POST", (route) => route.continue())
    await page.getByRole("button", { name: "Make the cohort" }).click()
    await made.met
    await page.getByRole("link", { name: "Boards", exact: true }).click()
    await page.getByRole("heading", { name: "Boards" }).waitFor()
    const answered = page.waitForResponse((each) => each.request().method() === "POST" && each.status() === 201)
    made.letGo()
    await answered
    await page.getByRole("link", { name: "Cohorts", exact: true }).waitFor()
    await page.getByRole("button", { name: "New board" }).first().click()
    const form = page.getByRole("dialog", { name: "New board" })
    await form.getByLabel("Name").fill("Done and left")
    assert.match(page.url(), /[/]boards$/)
    await form.getByRole("button", { name: "Create" }).click()
    await page.getByRole("button", { name: "Edit" }).click()
    await page.getByLabel("Description").fill("For the wall")
    const saved = await hold(page, "**/boards/*", "PUT", (route) => route.continue())
    await page.getByRole("button", { name: "Done" }).click()
    await saved.met
    const address = page.url()
    await page.getByRole("link", { name: "Cohorts", exact: true }).click()
    await page.getByRole("link", { name: "Left behind" }).waitFor()
    const stored = page.waitForResponse((each) => each.request().method() === "PUT" && each.ok())
    saved.letGo()
    await stored
    await page.goto(address)
    await page.getByText("For the wall").waitFor()
    assert.strictEqual(await page.getByText("was kept in this browser").count(), 0)
    assert.deepStrictEqual(await leave(), [])
  })

  it("is told on the next page that it failed, until they have put that away", async () => {
    const { page, leave } = await studio.visit()
    await page.goto(`${studio.place}/boards`)
    await page.getByRole("button", { name: "New board" }).first().click()
    const form = page.getByRole("dialog", { name: "New board" })
    await form.getByLabel("Name").fill("Nobody waits for it")
    const json = { code: "STORAGE_FULL", message: "The disk is full" }
    const made = await hold(page, "**/boards", "POST", (route) => route.fulfill({ status: 507, json }))
    await form.getByRole("button", { name: "Create" }).click()
    await made.met
    await form.getByRole("button", { name: "Cancel" }).click()
    await page.getByRole("link", { name: "Cohorts", exact: true }).click()
    await page.getByRole("heading", { name: "Cohorts" }).waitFor()
    made.letGo()
    const toast = page.getByRole("list", { name: "In the background" })
    await toast
      .getByRole("alert")
      .getByText(/^Boards · .*: what you did there has failed\. The disk is full/)
      .waitFor()
    await page.getByRole("link", { name: "Saved questions", exact: true }).click()
    await toast.getByRole("button", { name: /^Close: Boards/ }).click()
    await toast.waitFor({ state: "detached" })
    await leave()
  })

  it("is told beside the page where what failed has no place of its own, as a star has none", async () => {
    const { page, leave } = await studio.visit()
    await page.goto(`${studio.place}/saved`)
    const json = { code: "STORAGE_FULL", message: "The disk is full" }
    await page.route("**/star", (route) => route.fulfill({ status: 507, json }))
    const star = page.getByRole("button", { name: /^Star / }).first()
    await star.click()
    const toast = page.getByRole("list", { name: "In the background" })
    await toast
      .getByRole("alert")
      .getByText(/what you did there has failed\. The disk is full/)
      .waitFor()
    assert.strictEqual(await star.getAttribute("aria-pressed"), "false")
    await leave()
  })

  it("is told that it may have been done where the answer was cut off, and sees whether it was", async () => {
    const { page, leave } = await studio.visit()
    await page.goto(`${studio.place}/boards`)
    await page.getByRole("button", { name: "New board" }).first().click()
    const form = page.getByRole("dialog", { name: "New board" })
    await form.getByLabel("Name").fill("Made all the same")
    await page.route("**/boards", async (route) => {
      if (route.request().method() !== "POST") return route.fallback()
      await route.fetch()
      return route.abort("connectionreset")
    })
    await form.getByRole("button", { name: "Create" }).click()
    await form.getByRole("alert").getByText(unreachable).waitFor()
    await page.locator(".board-list").getByText("Made all the same").waitFor()
    await leave()
  })

  it("sees of JSON only what is wrong with what stands there", async () => {
    const { page, leave } = await studio.visit()
    const { ask } = apiOf(page.request, studio.server.url)
    const { id } = await post(page, "configuration", { name: "Checked", configuration: { price: 10 } })
    const path = `/application/${applicationId()}/v2/configuration/${id}`
    await ask("PATCH", path, { schema: { properties: { price: { maximum: 100 } } } })
    await page.goto(`${studio.place}/configurations/${id}?view=json`)
    const text = page.getByRole("textbox", { name: "Document as JSON" })
    await text.getByText("10").waitFor()
    const late = await hold(page, "**/check", "POST", (route) => route.continue())
    await replace(text, '{ "price": 500 }')
    await late.met
    const inTime = page.waitForResponse(/[/]check$/)
    await replace(text, '{ "price": 50 }')
    await inTime
    const tooLate = page.waitForResponse(/[/]check$/)
    late.letGo()
    await tooLate
    await page.evaluate("new Promise((done) => setTimeout(done, 200))")
    assert.strictEqual(await page.getByRole("list", { name: "What keeps it from being published" }).count(), 0)
    assert.deepStrictEqual(await leave(), [])
  })

  it("goes on with the question that they have changed, not with the long one before it", async () => {
    const { page, leave } = await studio.visit()
    const values = Array.from({ length: 160 }, (_, at) => `a-value-${at}`).join("|")
    const kept = await hold(page, "**/analytics/v1/queries", "POST", (route) => route.continue())
    await page.goto(`${studio.place}/insights?m=Login:uniqueUsers&f=property:platform:is:${values}&range=14d`)
    await kept.met
    await page.getByRole("radio", { name: "7 d", exact: true }).click()
    await page.waitForURL(/range=7d/)
    const answered = page.waitForResponse((each) => each.request().method() === "POST" && each.status() === 201)
    kept.letGo()
    await answered
    await page.waitForURL(/[?]q=/)
    await page.getByRole("radio", { name: "7 d", exact: true }).waitFor()
    assert.isTrue(await page.getByRole("radio", { name: "7 d", exact: true }).isChecked())
    assert.deepStrictEqual(await leave(), [])
  })
})

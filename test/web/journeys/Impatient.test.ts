import { assert, describe, it } from "@effect/vitest"
import type { Page, Route } from "playwright-core"
import { missingBrowser, sayWhatIsMissing } from "../../support/Browser.ts"
import { inDemoStudio } from "../InBrowser.ts"

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

describe.skipIf(missingBrowser !== null)("who does not wait for the server", () => {
  const studio = inDemoStudio()

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
})

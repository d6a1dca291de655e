import { assert, describe, it } from "@effect/vitest"
import { missingBrowser, sayWhatIsMissing } from "../../support/Browser.ts"
import { inDemoStudio, isOpenEverywhere } from "../InBrowser.ts"
import { apiOf } from "../Team.ts"

sayWhatIsMissing()

describe.skipIf(missingBrowser !== null)("alerts in the browser", () => {
  const studio = inDemoStudio()

  it("one is tried, made, fires, is looked after, muted, changed and removed", async () => {
    const { page, leave } = await studio.visit()
    await page.goto(`${studio.place}/alerts`)
    await page.getByText("No alert yet").waitFor()
    await isOpenEverywhere(page, "no alerts")
    await page.getByRole("button", { name: "New alert" }).first().click()
    const form = page.getByRole("dialog", { name: "New alert" })
    await form.getByLabel("Name", { exact: true }).fill("Players who come")
    assert.isTrue(await form.getByRole("button", { name: "Make the alert" }).isDisabled())
    await form.locator("option", { hasText: "Choose one" }).waitFor({ state: "attached" })
    await form.getByLabel(/^Question/).selectOption({ index: 1 })
    await form.getByLabel("Judged").selectOption("day")
    await form.getByRole("button", { name: "Show what it would have found" }).click()
    await form.getByText(/^In this time it would have told somebody \d+ times?/).waitFor()
    await isOpenEverywhere(page, "new alert")
    if (process.env["SHOTS"]) await page.screenshot({ path: `${process.env["SHOTS"]}/form.png` })

    const heights = await form
      .locator("select, input:not([type=checkbox])")
      .evaluateAll((fields) => fields.map((field) => Math.round(field.getBoundingClientRect().height)))
    assert.strictEqual(new Set(heights).size, 1, "all fields are of one height")
    await form.getByRole("button", { name: "Make the alert" }).scrollIntoViewIfNeeded()
    assert.isTrue(
      await form.evaluate((dialog) => {
        const end = dialog.querySelector(".form-dialog-end")?.getBoundingClientRect()
        dialog.scrollTo(0, 0)
        const onTop = dialog.querySelector(".form-dialog-end")?.getBoundingClientRect()
        return end !== undefined && onTop !== undefined && onTop.bottom <= dialog.getBoundingClientRect().bottom
      }),
      "its end stays in sight"
    )
    await form.getByLabel("It fires when the value").selectOption("threshold")
    await form.getByLabel("Above").fill("-1")
    await form.getByRole("button", { name: "Make the alert" }).click()
    await page.getByRole("heading", { name: "Players who come" }).waitFor()
    const now = page.getByRole("region", { name: "Now" })
    await now.getByText("fired", { exact: true }).waitFor()
    await page
      .getByRole("img", { name: /four weeks/ })
      .or(page.getByText("In this time it would have"))
      .first()
      .waitFor()
    await isOpenEverywhere(page, "an alert")
    if (process.env["SHOTS"]) await page.screenshot({ path: `${process.env["SHOTS"]}/page.png`, fullPage: true })
    await now.getByRole("button", { name: "I look after it" }).click()
    await page.getByLabel("What others should know").fill("It is a test")
    await page.getByRole("button", { name: "Say so" }).click()
    await now.getByText("fired, looked after").waitFor()
    await page.getByRole("region", { name: "List of incidents" }).getByText("It is a test").waitFor()
    await now.getByRole("button", { name: "Mute for a day" }).click()
    await now.getByText("fired, looked after, muted").waitFor()
    await now.getByRole("button", { name: "Unmute" }).click()
    await now.getByRole("button", { name: "Mute for a day" }).waitFor()

    await page.getByRole("button", { name: "Change" }).click()
    const change = page.getByRole("dialog", { name: "Change Players who come" })
    assert.strictEqual(await change.getByLabel("Above").inputValue(), "-1")
    await change.getByLabel("It watches").selectOption("silence")
    await change.getByLabel("Markers, separated by commas").fill("NeverSent")
    await change.getByRole("button", { name: "Save" }).click()
    await now.getByText("too little is known").waitFor()
    // Nobody has to know the number of what is watched.
    await page.getByRole("button", { name: "Change" }).click()
    await change.getByLabel("It watches").selectOption("cohort")
    await change.getByLabel(/^Cohort/).selectOption("Buyers")
    await change.getByRole("button", { name: "Save" }).click()
    await page.getByText(/^Cohort \d+ fails$/).waitFor()
    await page.getByRole("button", { name: "Change" }).click()
    const watched = change.getByLabel(/^Cohort/).locator("option:checked")
    await watched.getByText("Buyers").waitFor({ state: "attached" })
    await change.getByLabel("It watches").selectOption("guardrail")
    await change.getByLabel(/^Experiment/).selectOption("Shorter tutorial")
    await change.getByLabel("It watches").selectOption("silence")
    await change.getByLabel("Markers, separated by commas").fill("NeverSent")
    await change.getByRole("button", { name: "Save" }).click()
    await page.goto(`${studio.place}/alerts`)
    await page.getByRole("region", { name: "List of alerts" }).getByText("NeverSent: none for 60 minutes").waitFor()
    await isOpenEverywhere(page, "alerts")
    if (process.env["SHOTS"]) await page.screenshot({ path: `${process.env["SHOTS"]}/list.png` })
    await page.getByRole("link", { name: "Players who come" }).click()
    await page.getByRole("button", { name: "Remove" }).click()
    await page.getByRole("button", { name: "Remove the alert" }).click()
    await page.getByText("No alert yet").waitFor()
    assert.deepStrictEqual(await leave(), [])
  })

  it("one on a question that is in no list is renamed, and watches the same step", async () => {
    const { context, page, leave } = await studio.visit()
    const api = apiOf(context.request, studio.server.url)
    const home = `/application/${studio.place.split("/")[2]}`
    const [{ id: environmentId }] = await api.ask("GET", `${home}/environments`)
    const headers = { environment_id: String(environmentId) }
    const steps = ["LevelStarted", "LevelCompleted", "Purchase"].map((name) => ({ id: name, name }))
    const spec = {
      time: { step: "day", relative: { step: "day", value: 7 } },
      steps,
      conversionWindow: { step: "day", value: 1 }
    }
    const saved = { name: "Unlisted", listed: false, queryType: "funnel", spec }
    const { id: queryId } = await api.ask("POST", `${home}/analytics/v1/queries`, saved)
    const condition = { kind: "threshold", below: 0.01 }
    const watch = { kind: "funnelStep", queryId, step: 2, every: "day", condition }
    const { id } = await api.ask("POST", `${home}/alerts`, { name: "Buyers", watch }, headers)
    await page.goto(`${studio.place}/alerts/${id}`)
    await page.getByRole("button", { name: "Change" }).click()
    const change = page.getByRole("dialog", { name: "Change Buyers" })
    await change.locator("option", { hasText: "Choose one" }).waitFor({ state: "attached" })
    await change.getByLabel("Name", { exact: true }).fill("Fewer buyers")
    await change.getByRole("button", { name: "Save" }).click()
    await page.getByRole("dialog").waitFor({ state: "detached" })
    await page.getByRole("heading", { name: "Fewer buyers", exact: true }).waitFor()
    const changed = await api.ask("GET", `${home}/alerts/${id}`, undefined, headers)
    assert.deepInclude(changed.watch, { queryId, step: 2 })
    assert.deepStrictEqual(await leave(), [])
  })

  it("with a number that was emptied is not saved, nor tried, with another number", async () => {
    const { context, page, leave } = await studio.visit()
    const api = apiOf(context.request, studio.server.url)
    const home = `/application/${studio.place.split("/")[2]}`
    const [{ id: environmentId }] = await api.ask("GET", `${home}/environments`)
    const headers = { environment_id: String(environmentId) }
    const watch = { kind: "silence", names: "NeverSent", minutes: 90 }
    const { id } = await api.ask("POST", `${home}/alerts`, { name: "Quiet", watch }, headers)
    const sent: Array<string> = []
    page.on("request", (request) => {
      if (request.method() !== "GET" && request.url().includes("/alerts")) sent.push(request.url())
    })
    await page.goto(`${studio.place}/alerts/${id}`)
    await page.getByRole("button", { name: "Change" }).click()
    const change = page.getByRole("dialog", { name: "Change Quiet" })
    const minutes = change.getByLabel("None for so many minutes")
    await minutes.fill("")
    for (const button of ["Show what it would have found", "Save"]) {
      await change.getByRole("button", { name: button }).click()
      assert.strictEqual(await minutes.evaluate((field) => field.ownerDocument.activeElement === field), true, button)
    }
    assert.deepStrictEqual(sent, [])
    await minutes.fill("120")
    await change.getByRole("button", { name: "Save" }).click()
    await page.getByRole("dialog").waitFor({ state: "detached" })
    const { watch: saved } = await api.ask("GET", `${home}/alerts/${id}`, undefined, headers)
    assert.deepInclude(saved, { minutes: 120 })
    // A limit alone may be empty: it says that there is none.
    await page.getByRole("button", { name: "Change" }).click()
    await change.getByLabel("It watches").selectOption("query")
    await change.locator("option", { hasText: "Choose one" }).waitFor({ state: "attached" })
    await change.getByLabel(/^Question/).selectOption({ index: 1 })
    await change.getByLabel("It fires when the value").selectOption("threshold")
    await change.getByLabel("Below").fill("7")
    await change.getByRole("button", { name: "Save" }).click()
    await page.getByRole("dialog").waitFor({ state: "detached" })
    const { watch: limited } = await api.ask("GET", `${home}/alerts/${id}`, undefined, headers)
    assert.deepInclude(limited.condition, { above: null, below: 7 })
    await api.ask("DELETE", `${home}/alerts/${id}`, undefined, headers)
    assert.deepStrictEqual(await leave(), [])
  })
})

import { assert, describe, it } from "@effect/vitest"
import { missingBrowser, sayWhatIsMissing } from "../../support/Browser.ts"
import { barriersOn } from "../../support/Visitor.ts"
import { inDemoStudio, isOpenEverywhere } from "../InBrowser.ts"

sayWhatIsMissing()

describe.skipIf(missingBrowser !== null)("times for somebody who is not where the project is", () => {
  const studio = inDemoStudio()

  it("are those of the person on their account, those of the project elsewhere, and say which", async () => {
    const { page, leave } = await studio.visit({ timezoneId: "Asia/Tokyo" })
    await page.goto(`${studio.place}/settings/account`)
    const session = page.locator(".entries li", { hasText: "you are here" }).locator("time").first()
    await session.getByText(/, \d\d:\d\d GMT\+9$/).waitFor()
    assert.match((await session.getAttribute("title")) ?? "", /, Asia\/Tokyo$/)
    const signIns = page.getByRole("region", { name: "Attempts to sign in" }).getByRole("rowheader")
    assert.match((await signIns.first().textContent()) ?? "", /GMT\+9$/)

    await page.goto(`${studio.place}/configurations`)
    await page.getByRole("link", { name: "Economy" }).click()
    await page.getByText(/Version \d+, published .*, \d\d:\d\d UTC/).waitFor()
    await page.getByRole("radio", { name: "History" }).click()
    await page.getByRole("cell", { name: / UTC$/ }).first().waitFor()
    await page.goto(`${studio.place}/settings/changes`)
    const changes = page.getByRole("region", { name: "List of changes" })
    await changes.getByRole("cell", { name: / UTC$/ }).first().waitFor()
    await page.goto(`${studio.place}/setup`)
    await page.getByText(/arrived at \d\d:\d\d:\d\d UTC\./).waitFor()

    // What is in lists says it too, line by line.
    const clock = { hasText: /^\d\d:\d\d:\d\d UTC$/ }
    const weekday = { hasText: /^\w{3} \d{1,2} \w{3},? \d\d:\d\d UTC$/ }
    await page.goto(`${studio.place}/markers`)
    await page.locator(".marker time", clock).first().waitFor()
    await isOpenEverywhere(page, "live markers with their zone")
    await page.locator(".marker summary").first().click()
    await page
      .getByRole("link", { name: /^Player / })
      .first()
      .click()
    await page.locator(".session h3 time", weekday).first().waitFor()
    await page.locator(".session .marker time", clock).first().waitFor()
    await isOpenEverywhere(page, "timeline with its zone")
    await page.goto(`${studio.place}/cohorts`)
    await page.getByRole("rowheader").getByRole("link").first().click()
    await page.getByText(/ as of \w{3} .* UTC, made /).waitFor()
    await page.goto(`${studio.place}/saved`)
    await page.getByRole("cell").locator("time", weekday).first().waitFor()
    assert.deepStrictEqual(await barriersOn(page), [])
    assert.deepStrictEqual(await leave(), [])
  })

  it("say nothing more where both have the same time", async () => {
    const { page, leave } = await studio.visit({ timezoneId: "Africa/Accra" })
    await page.goto(`${studio.place}/settings/account`)
    await page
      .locator(".entries li", { hasText: "you are here" })
      .locator("time")
      .first()
      .getByText(/, \d\d:\d\d$/)
      .waitFor()
    assert.deepStrictEqual(await leave(), [])
  })
})

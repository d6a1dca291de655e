import { assert, describe, it } from "@effect/vitest"
import { missingBrowser, sayWhatIsMissing } from "../../support/Browser.ts"
import { barriersOn } from "../../support/Visitor.ts"
import { inDemoStudio } from "../InBrowser.ts"

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

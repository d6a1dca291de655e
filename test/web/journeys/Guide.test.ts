import { assert, describe, it } from "@effect/vitest"
import { missingBrowser, sayWhatIsMissing } from "../../support/Browser.ts"
import { barriersOn } from "../../support/Visitor.ts"
import { inBrowser, screens } from "../InBrowser.ts"

sayWhatIsMissing()

describe.skipIf(missingBrowser !== null)("the guide", () => {
  const world = inBrowser()

  it.each(["light", "dark"] as const)(
    "is open to everybody in the %s theme, at a desk and on a phone",
    async (colorScheme) => {
      for (const viewport of screens) {
        const { page, leave } = await world.visit({ colorScheme, viewport })
        for (const path of ["", "ab-test", "reference/permissions", "endpoints/experiments"]) {
          await page.goto(`${world.server.url}/docs/guide/${path}`)
          assert.deepStrictEqual(await barriersOn(page), [], path)
          assert.isTrue(await page.evaluate("document.documentElement.scrollWidth <= innerWidth"), path)
        }
        assert.deepStrictEqual(await leave(), [])
      }
    }
  )

  it("is searched in the browser, by keyboard, also with slips", async () => {
    const { page, leave } = await world.visit()
    await page.goto("/docs/guide")
    await page.getByRole("link", { name: "A gradual rollout" }).first().click()
    await page.waitForURL("**/docs/guide/rollout")
    await page.keyboard.press("/")
    await page.keyboard.type("restor a bakup")
    await page
      .getByRole("option", { name: /backup/i })
      .first()
      .waitFor()
    assert.deepStrictEqual(await barriersOn(page), [])
    await page.getByRole("combobox").fill("configuration as code")
    await page.getByRole("option", { name: /^Configuration as code/, selected: true }).waitFor()
    await page.keyboard.press("Enter")
    await page.waitForURL("**/docs/guide/reference/configuration-as-code")
    await page.getByRole("heading", { level: 1, name: "Configuration as code" }).waitFor()
    assert.deepStrictEqual(await leave(), [])
  })
})

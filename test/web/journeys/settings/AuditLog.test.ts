import { assert, describe, it } from "@effect/vitest"
import { missingBrowser, sayWhatIsMissing } from "../../../support/Browser.ts"
import { inDemoStudio, isOpenToEverybody } from "../../InBrowser.ts"

sayWhatIsMissing()

describe.skipIf(missingBrowser !== null)("the log of changes", () => {
  const studio = inDemoStudio()

  it("is open to everybody where an entry that tells no value is looked into", async () => {
    const { page, leave } = await studio.visit({ colorScheme: "light" })
    await page.goto(`${studio.place}/settings/changes`)
    await page
      .getByRole("button", { name: /^New passwords: set by operator/ })
      .first()
      .click()
    await page.getByText("No value is told.").waitFor()
    await isOpenToEverybody(page, "an entry that tells no value")
    assert.deepStrictEqual(await leave(), [])
  })
})

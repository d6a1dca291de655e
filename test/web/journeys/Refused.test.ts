import { assert, describe, it } from "@effect/vitest"
import { missingBrowser, sayWhatIsMissing } from "../../support/Browser.ts"
import { inDemoStudio } from "../InBrowser.ts"

sayWhatIsMissing()

describe.skipIf(missingBrowser !== null)("what cannot be shown", () => {
  const studio = inDemoStudio()

  it("is told with what helps: no other try of what is refused, all boards, where the markers are", async () => {
    const { page, leave } = await studio.visit()
    await page.goto(`${studio.place}/boards/what-is-no-id`)
    await page.getByRole("heading", { name: "This board is not there any more" }).waitFor()
    await page.getByRole("link", { name: "All boards" }).click()
    await page.getByRole("heading", { name: "Boards", level: 1 }).waitFor()

    await page.goto(`${studio.place}/funnels?steps=`)
    await page.getByRole("heading", { name: "Choose at least two steps" }).waitFor()
    assert.notInclude(await page.locator(".page-head p").first().innerText(), "…")

    const body = {
      statusCode: 422,
      code: "QUERY_INVALID",
      error: "Unprocessable Entity",
      message: "There are too many"
    }
    let status = 422
    await page.route("**/queries/insights/execute", (route) =>
      route.fulfill({ status, json: { ...body, statusCode: status } })
    )
    await page.goto(`${studio.place}/insights`)
    const failed = page.getByRole("alert").filter({ hasText: "There are too many" })
    await failed.waitFor()
    assert.strictEqual(await failed.getByRole("button", { name: "Try again" }).count(), 0)
    status = 409
    await page.reload()
    await failed.getByRole("button", { name: "Try again" }).waitFor()

    await page.goto(`${studio.place.replace(/production$/, "development")}/funnels`)
    await page.getByText("Those of this project are in").getByRole("link", { name: "Production" }).click()
    await page.waitForURL("**/production/home")
    await leave()
  })
})

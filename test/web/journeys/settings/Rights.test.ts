import { assert, describe, it } from "@effect/vitest"
import { missingBrowser, sayWhatIsMissing } from "../../../support/Browser.ts"
import { inDemoStudio } from "../../InBrowser.ts"
import { apiOf } from "../../Team.ts"

sayWhatIsMissing()

describe.skipIf(missingBrowser !== null)("rights in a page of settings", () => {
  const studio = inDemoStudio()

  it("are asked for in the project that is open alone when one comes back to the tab", async () => {
    const { page, leave } = await studio.visit()
    const { ask } = apiOf(page.request, studio.server.url)
    const [{ id: organizationId }] = await ask("GET", "/organization")
    const other = await ask("POST", `/organization/${organizationId}/projects`, { name: "Beside it" })
    await page.goto(`${studio.place}/settings/members`)
    await page.getByRole("button", { name: "Invite", exact: true }).waitFor()
    await page.evaluate("{ const now = Date.now; Date.now = () => now() + 60_000 }")
    const asked: Array<string> = []
    const open = page.waitForResponse((response) => response.url().endsWith("/organization"))
    page.on("request", (request) => asked.push(new URL(request.url()).pathname))
    await page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    await open
    assert.deepStrictEqual(
      asked.filter((path) => path.includes("permissions")),
      [`/application/${studio.place.split("/")[2]}/permissions`]
    )
    await ask("DELETE", `/application/${other.id}`)
    assert.deepStrictEqual(await leave(), [])
  })
})

import { assert, describe, it } from "@effect/vitest"
import { missingBrowser, sayWhatIsMissing } from "../../support/Browser.ts"
import { inDemoStudio } from "../InBrowser.ts"

sayWhatIsMissing()

const minute = 60_000

describe.skipIf(missingBrowser !== null)("a page that stays open over midnight", () => {
  const studio = inDemoStudio()

  it.each([
    ["insights?range=7d,past", "insights/execute"],
    ["insights?range=7d", "insights/execute"],
    ["retention", "retention/execute"],
    ["", "retention/execute"]
  ])("%s asks again once the next day has begun", async (path, question) => {
    const { page, leave } = await studio.visit()
    const midnight = new Date()
    midnight.setUTCHours(24, 0, 0, 0)
    await page.clock.install({ time: midnight.getTime() - 2 * minute })
    const asked = () =>
      page.waitForRequest((request) => request.method() === "POST" && request.url().endsWith(question))
    const first = asked()
    await page.goto(`${studio.place}/${path}`)
    const before = (await first).postDataJSON()
    await page.waitForLoadState("networkidle").catch(() => undefined)
    const second = asked()
    await page.clock.fastForward(4 * minute)
    const after = (await second).postDataJSON()
    if ("to" in before.time)
      assert.strictEqual(Date.parse(after.time.to) - Date.parse(before.time.to), 24 * 60 * minute)
    else assert.deepStrictEqual(after, before)
    assert.deepStrictEqual(await leave(), [])
  })
})

import { mkdtempSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Browser, Page } from "playwright-core"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { launchBrowser, missingBrowser, plainContext, sayWhatIsMissing } from "../support/Browser.ts"
import { fetchRequest, removeFolder, startServer } from "../support/Server.ts"
import { type Answer, gameSite, inGame, onPage } from "./GamePage.ts"
import { play } from "./Gherkin.ts"
import { servedFlags } from "./Served.ts"
import { scenarios } from "./PlayedScenarios.ts"
import { steps } from "./Steps.ts"
import { newWorld } from "./World.ts"

sayWhatIsMissing()

describe.skipIf(missingBrowser !== null)("scenarios of OpenFeature in a browser, over the built server", () => {
  const folder = mkdtempSync(join(tmpdir(), "gamekeeper-openfeature-"))
  let server: Awaited<ReturnType<typeof startServer>>
  let served: Awaited<ReturnType<typeof servedFlags>>
  let site: Awaited<ReturnType<typeof gameSite>>
  let browser: Browser
  let page: Page
  const complaints: Array<string> = []

  beforeAll(async () => {
    server = await startServer(folder, ["--warm-up", "off", "--rate-limits", "off"])
    served = await servedFlags(fetchRequest(server.url))
    site = await gameSite()
    browser = await launchBrowser()
    const context = await browser.newContext(plainContext)
    page = await context.newPage()
    page.on("pageerror", ({ message }) => complaints.push(message))
    await page.goto(site.url)
    await page.waitForFunction("globalThis.game !== undefined")
  })

  afterAll(async () => {
    await browser?.close()
    site?.close()
    await server?.stop()
    removeFolder(folder)
  })

  scenarios.forEach((scenario, at) =>
    it(`${scenario.feature} ${at}: ${scenario.name}`, async () => {
      const world = newWorld(onPage(page, server.url, served.key))
      try {
        await play(scenario, steps, world)
      } finally {
        await world.subject?.close()
      }
      assert.deepStrictEqual(complaints, [])
    })
  )

  it("gives a player who is back what he got, without the server", async () => {
    const question = { type: "number", key: "plain.gems", fallback: 1 }
    const asked = { domain: "ada", question, context: null, hooks: [] }
    await inGame(page, "open", { domain: "ada", state: "stable", url: server.url, key: served.key })
    const before = await inGame<Answer>(page, "details", { ...asked, context: { level: 9 } })
    assert.deepInclude(before.details, { value: 20, reason: "TARGETING_MATCH" })
    await page.reload()
    await page.waitForFunction("globalThis.game !== undefined")
    await inGame(page, "open", { domain: "ada", state: "error", url: server.url, key: served.key })
    assert.deepInclude((await inGame<Answer>(page, "details", asked)).details, { value: 20, reason: "STALE" })
  })
})

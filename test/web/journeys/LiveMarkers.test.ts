import { assert, describe, it } from "@effect/vitest"
import type { Page } from "playwright-core"
import { missingBrowser, sayWhatIsMissing } from "../../support/Browser.ts"
import { barriersOn } from "../../support/Visitor.ts"
import { inBrowser, isOpenInBothThemes } from "../InBrowser.ts"

sayWhatIsMissing()

describe.skipIf(missingBrowser !== null)("a programmer", () => {
  const world = inBrowser()

  let key = ""

  const send = (...markers: ReadonlyArray<object>) =>
    fetch(`${world.server.url}/sdk/v1/markers`, {
      method: "POST",
      headers: { authorization: key, environment: "production", "content-type": "application/json" },
      body: JSON.stringify({ markers })
    })
  const did = (eventName: string, distinctId: string, more: object = {}) => ({
    eventName,
    distinctId,
    timestamp: new Date().toISOString(),
    properties: { level: 3 },
    ...more
  })
  const rowsOf = (page: Page, text: string) => page.locator(".marker", { hasText: text })

  it("watches the game: markers as they come, refused ones with their reason, and the own player alone", async () => {
    const { page, context, leave } = await world.visit()
    await page.goto("/signup")
    await page.getByLabel("Name").fill("Ada")
    await page.getByLabel("E-mail").fill("ada@example.com")
    await page.getByLabel("Password").fill("correct horse")
    await page.getByRole("button", { name: "Create the account" }).click()
    await page.waitForURL(/\/setup$/)
    await page.getByRole("button", { name: "Make a public key" }).click()
    key = (await page.locator(".secret code").textContent()) ?? ""

    // Setup says what is wrong with the first try, and lights up with the second, without being asked.
    await page.getByText("Waiting for the first marker").waitFor()
    await send(did("Login", "ada", { timestamp: "yesterday" }))
    await page.getByText("INVALID_TIMESTAMP").waitFor()
    await send(did("Login", "ada"))
    await page.getByText("of ada arrived at").waitFor()
    assert.deepStrictEqual(await barriersOn(page), [])

    await page.getByRole("link", { name: "Live markers" }).click()
    await page.locator(".live-open").waitFor()
    await rowsOf(page, "Login").waitFor()
    await send(did("Purchase", "grace"), did("Level", "ada"), did("Level", "ada", { timestamp: "tomorrow" }))
    await rowsOf(page, "Purchase").waitFor()
    const refused = rowsOf(page, "INVALID_TIMESTAMP")
    await refused.waitFor()
    assert.include((await refused.getAttribute("class")) ?? "", "marker-refused")
    const rate = page.getByRole("region", { name: "Last minute" }).getByRole("button", { name: /^Purchase/ })
    await rate.waitFor()
    await isOpenInBothThemes(page, "live markers")

    // Space holds the list, and another one lets what waited come in.
    await page.keyboard.press("Space")
    await page.getByText("Paused", { exact: true }).waitFor()
    await send(did("Death", "grace"))
    await page.getByRole("button", { name: "1 new" }).waitFor()
    assert.strictEqual(await rowsOf(page, "Death").count(), 0)
    await page.keyboard.press("Space")
    await rowsOf(page, "Death").waitFor()

    // A marker opened shows what was sent, leads to its player, and holds the list.
    await rowsOf(page, "Purchase").locator("summary").click()
    await page.getByLabel("Purchase as JSON").getByText('"level": 3').waitFor()
    const toPlayer = page.getByRole("link", { name: "Player grace" })
    assert.strictEqual(await toPlayer.getAttribute("href"), "/p/1/production/players/grace")
    await page.getByText("Paused", { exact: true }).waitFor()
    assert.deepStrictEqual(await barriersOn(page), [])

    // Only the own player, and of it only one type.
    await page.getByLabel("Who am I").fill("ada")
    await page.getByRole("button", { name: "Only mine" }).click()
    await page.waitForURL(/markers\?player=ada$/)
    await page.locator(".live-open").waitFor()
    await send(did("Death", "grace"), did("Level", "ada"), did("Death", "ada"))
    await rowsOf(page, "Death").waitFor()
    assert.strictEqual(await rowsOf(page, "grace").count(), 0)
    await page
      .getByRole("region", { name: "Last minute" })
      .getByRole("button", { name: /^Level/ })
      .click()
    await page.waitForURL(/markers\?type=Level&player=ada$/)
    await rowsOf(page, "Level").first().waitFor()
    assert.strictEqual(await rowsOf(page, "Death").count(), 0)

    await page.setViewportSize({ width: 390, height: 844 })
    assert.strictEqual(await page.evaluate("document.documentElement.scrollWidth"), 390)

    // A chart about the present says that it is no longer the newest, and is when asked.
    await page.setViewportSize({ width: 1280, height: 800 })
    const isHeard = page.waitForResponse(/\/stream\?/)
    await page.goto("/p/1/production/insights?m=Level:totalEvents&range=24h")
    const sum = page
      .getByRole("row", { name: /Number of Level/ })
      .getByRole("cell")
      .first()
    await sum.waitFor()
    const before = Number(await sum.textContent())
    await isHeard
    const refresh = page.getByRole("button", { name: "New data" })
    // The page asks once more when its stream has begun: what arrives before that answer is part of it, and not new.
    let sent = 0
    do {
      await send(did("Death", "ada"), did("Level", "ada"))
      sent++
    } while (
      !(await refresh.waitFor({ timeout: 10_000 }).then(
        () => true,
        () => false
      ))
    )
    assert.deepStrictEqual(await barriersOn(page), [])
    await refresh.click()
    await refresh.waitFor({ state: "detached" })
    assert.strictEqual(Number(await sum.textContent()), before + sent)

    // Tabs share one connection, and the other goes on when the first is closed.
    const other = await context.newPage()
    let opened = 0
    other.on("request", (request) => void (opened += request.url().includes("/stream?") ? 1 : 0))
    await page.goto("/p/1/production/markers?type=Level&player=ada")
    await page.locator(".live-open").waitFor()
    await other.goto(page.url())
    await other.locator(".live-open").waitFor()
    assert.strictEqual(opened, 0)
    const isHeardAgain = other.waitForResponse(/\/stream\?/)
    await page.close()
    await isHeardAgain
    await send(did("Level", "ada", { properties: { level: 77 } }))
    await rowsOf(other, "level 77").waitFor()
    assert.isAbove(opened, 0)
    await other.close()
    assert.deepStrictEqual(await leave(), [])
  })

  it("keeps what is on the screen while the server cannot be reached, and goes on afterwards", async () => {
    const { page, context } = await world.visit()
    await page.goto("/signin")
    await page.getByLabel("E-mail").fill("ada@example.com")
    await page.getByLabel("Password").fill("correct horse")
    await page.getByRole("button", { name: "Sign in" }).click()
    await page.waitForURL(/\/p\/1\//)
    const isHeard = page.waitForResponse(/\/stream\?/)
    await page.goto("/p/1/production/insights?m=Level:totalEvents&range=24h")
    const sum = page
      .getByRole("row", { name: /Number of Level/ })
      .getByRole("cell")
      .first()
    await sum.waitFor()
    await isHeard
    await context.setOffline(true)
    await page.getByRole("radio", { name: "7 d" }).click()
    const bar = page.getByText("Not connected, trying again")
    await bar.waitFor()
    assert.deepStrictEqual(await barriersOn(page), [])
    await sum.waitFor()
    await context.setOffline(false)
    await bar.waitFor({ state: "detached" })
    await page.getByRole("img", { name: "Number of Level, last 7 days" }).waitFor()
    await context.close()
  })
})

import { assert, describe, it } from "@effect/vitest"
import { matching, mayBePlayer } from "../../../src/web/palette/Commands.ts"
import { shortcutOf } from "../../../src/web/shell/ShortcutKeys.ts"
import { missingBrowser, sayWhatIsMissing } from "../../support/Browser.ts"
import { apiOf } from "../Team.ts"
import { inDemoStudio, isOpenInBothThemes, screens } from "../InBrowser.ts"

sayWhatIsMissing()

const command = (group: string, name: string) => ({
  key: `${group} ${name}`,
  group,
  name,
  icon: "chart" as const,
  run: () => undefined
})

describe("what the palette finds", () => {
  const commands = [
    command("Pages", "Insights"),
    command("Pages", "Live markers"),
    command("Questions", "Markers by day"),
    command("Cohorts", "Whales"),
    command("Environments", "Development")
  ]
  const cases: ReadonlyArray<readonly [typed: string, names: ReadonlyArray<string>]> = [
    ["", ["Insights", "Live markers", "Markers by day", "Whales", "Development"]],
    ["mark", ["Markers by day", "Live markers"]],
    ["INS", ["Insights"]],
    ["cohort wha", ["Whales"]],
    ["  dev ", ["Development"]],
    ["nothing", []]
  ]
  it.each(cases)("for “%s” it is %o", (typed, names) => {
    assert.deepStrictEqual(
      matching(commands, typed).map(({ name }) => name),
      names
    )
  })

  it("is a player with such an id only where nothing is called so, or the text has digits, and then last", () => {
    const guess = (typed: string) => ({ ...command("Players", typed), isGuess: true })
    const foundFor = (typed: string) =>
      matching([...commands, guess(typed)], typed).map(({ group, name }) => `${group} ${name}`)
    assert.deepStrictEqual(foundFor("mark"), ["Questions Markers by day", "Pages Live markers"])
    assert.deepStrictEqual(foundFor("nothing"), ["Players nothing"])
    assert.deepStrictEqual(
      matching([command("Boards", "Season 4"), guess("4")], "4").map(({ group }) => group),
      ["Boards", "Players"]
    )
  })

  const players: ReadonlyArray<readonly [typed: string, isId: boolean]> = [
    ["player-1", true],
    [" 8f14e45f ", true],
    ["ab", false],
    ["two words", false],
    ["", false]
  ]
  it.each(players)("“%s” may be a player: %s", (typed, isId) => assert.strictEqual(mayBePlayer(typed), isId))

  it("two keys lead where one of them alone does not", () => {
    const shortcuts = ["g i", "i", "d"].map((keys) => ({ keys, words: keys, run: () => undefined }))
    assert.deepStrictEqual(
      [shortcutOf(shortcuts, "g", "i"), shortcutOf(shortcuts, "", "i"), shortcutOf(shortcuts, "g", "d")].map(
        (found) => found?.keys
      ),
      ["g i", "i", "d"]
    )
    assert.isUndefined(shortcutOf(shortcuts, "d", "x"))
  })
})

describe.skipIf(missingBrowser !== null)("the palette", () => {
  const studio = inDemoStudio()

  it("opens in a narrow window too, whose rail is not shown", async () => {
    const { page, leave } = await studio.visit({ viewport: screens[1] })
    await page.goto(`${studio.place}/insights`)
    await page.getByRole("heading", { name: "Insights", level: 1 }).waitFor()
    await page.keyboard.press("Control+k")
    const field = page.getByRole("combobox", { name: "Page, question, marker, player …" })
    await field.waitFor()
    await page.keyboard.type("funn")
    await page.getByRole("option", { selected: true }).getByText("Funnels").waitFor()
    await page.keyboard.press("Enter")
    await page.waitForURL(/\/funnels$/)
    await page.keyboard.press("?")
    await page.getByRole("dialog", { name: "Shortcuts" }).waitFor()
    await page.keyboard.press("Escape")
    // From the menu it stands over it, and both are gone when it has led somewhere.
    await page.getByRole("button", { name: "Menu" }).click()
    await page.getByRole("button", { name: /^Go to …/ }).click()
    await field.fill("retention")
    await page.keyboard.press("Enter")
    await page.waitForURL(/\/retention$/)
    await field.waitFor({ state: "hidden" })
    assert.deepStrictEqual(await leave(), [])
  })

  it("leads everywhere by keyboard, and is open to everybody in both themes", async () => {
    const { page, leave } = await studio.visit()
    await page.goto(`${studio.place}/insights`)
    await page.getByRole("img").first().waitFor()
    await page.keyboard.press("Control+k")
    const field = page.getByRole("combobox", { name: "Page, question, marker, player …" })
    await field.waitFor()
    await isOpenInBothThemes(page, "palette")
    await page.keyboard.type("funn")
    await page.getByRole("option", { selected: true }).getByText("Funnels").waitFor()
    await page.keyboard.press("Enter")
    await page.waitForURL(/\/funnels$/)
    await field.waitFor({ state: "hidden" })

    await page.getByRole("heading", { name: "Funnels", level: 1 }).waitFor()
    await page.keyboard.type("gr")
    await page.waitForURL(/\/retention$/)
    await page.keyboard.press("?")
    const keys = page.getByRole("dialog", { name: "Shortcuts" })
    await keys.getByText("Go to Insights").waitFor()
    await isOpenInBothThemes(page, "shortcuts")
    await keys.getByRole("checkbox").uncheck()
    await page.keyboard.press("Escape")
    await page.keyboard.type("gi")
    assert.match(page.url(), /\/retention$/)
    await page.getByRole("button", { name: /^Go to …/ }).click()
    await field.fill("shortc")
    await page.keyboard.press("Enter")
    await keys.getByRole("checkbox").check()
    await page.keyboard.press("Escape")
    const before = await page.evaluate("document.documentElement.dataset.theme")
    await page.keyboard.press("d")
    assert.notStrictEqual(await page.evaluate("document.documentElement.dataset.theme"), before)
    assert.deepStrictEqual(await leave(), [])
  })

  it("finds what the project holds, and fits a phone", async () => {
    const { page, leave } = await studio.visit({
      viewport: { width: 390, height: 844 }
    })
    await page.goto(`${studio.place}/retention`)
    await page.getByRole("button", { name: "Menu" }).click()
    await page.getByRole("button", { name: /^Go to …/ }).click()
    const field = page.getByRole("combobox", { name: "Page, question, marker, player …" })
    await field.fill("devel")
    await page.getByRole("option", { selected: true }).getByText("Development").waitFor()
    assert.isAtMost(await page.evaluate("document.documentElement.scrollWidth"), 390)
    await page.keyboard.press("Enter")
    await page.waitForURL(/\/development\/retention$/)
    await page.goto(`${studio.place}/retention`)
    await page.getByRole("button", { name: "Menu" }).click()
    await page.getByRole("button", { name: /^Go to …/ }).click()
    await field.fill("shopop")
    await page.getByRole("option", { selected: true }).getByText("ShopOpened").waitFor()
    await page.keyboard.press("Enter")
    await page.waitForURL(/\/plan\?type=ShopOpened$/)
    assert.deepStrictEqual(await leave(), [])
  })

  it("leads to a page whose script is lost, which says so and is there once it is loaded again", async () => {
    const { page, leave } = await studio.visit()
    await page.goto(`${studio.place}/insights`)
    await page.locator(".chart-line").first().waitFor()
    await page.route("**/assets/Retention-*.js", (route) => route.abort())
    await page.getByRole("link", { name: "Retention" }).click()
    await page.getByRole("alert").getByText("A part of this page did not load").waitFor()
    await page.unroute("**/assets/Retention-*.js")
    await page.getByRole("button", { name: "Load the page again" }).click()
    await page.getByRole("heading", { level: 1, name: "Retention" }).waitFor()
    // The browser itself complains about what was kept from it here.
    const complaints = await leave()
    assert.deepStrictEqual(
      complaints.filter((complaint) => !complaint.includes("Retention-") && !complaint.includes("ERR_FAILED")),
      []
    )
  })

  it("finds what is on later pages of a list", async () => {
    const { page, leave } = await studio.visit()
    const { ask } = apiOf(page.request, studio.server.url)
    const bounds = { pointA: { x: 0, y: 0, z: 0 }, pointB: { x: 100, y: 10, z: 100 } }
    const maps = ["Far harbour", "Far lighthouse", "Far mill"]
    for (const name of maps) {
      await ask("POST", `/application/${studio.place.split("/")[2]}/analytics/v1/heatmaps`, { name, bounds })
    }
    // Pages of one, where the palette asks for a thousand.
    await page.route(/limit=1000/, (route) =>
      route.continue({ url: route.request().url().replace("limit=1000", "limit=1") })
    )
    await page.goto(`${studio.place}/insights`)
    await page.getByRole("heading", { name: "Insights", level: 1 }).waitFor()
    await page.keyboard.press("Control+k")
    for (const name of maps) {
      await page.getByRole("combobox", { name: "Page, question, marker, player …" }).fill(name)
      await page.getByRole("option", { name: new RegExp(name) }).waitFor()
    }
    assert.deepStrictEqual(await leave(), [])
  })
})

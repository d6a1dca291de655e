import { assert, describe, it } from "@effect/vitest"
import { configurationsOf, replace } from "../ConfigurationParts.ts"
import { inDemoStudio, isOpenInBothThemes } from "../InBrowser.ts"
import { missingBrowser, sayWhatIsMissing } from "../../support/Browser.ts"
import { apiOf } from "../Team.ts"
import { barriersOn } from "../../support/Visitor.ts"

sayWhatIsMissing()

describe.skipIf(missingBrowser !== null)("configurations in the browser", () => {
  const studio = inDemoStudio()

  const { applicationId, patch, post, holdPrice, live } = configurationsOf(studio)

  it("edit, review, publish, meet somebody else's change, undo, and bring an earlier version back", async () => {
    const { page, leave } = await studio.visit()
    await page.goto(`${studio.place}/configurations`)
    await page.getByRole("button", { name: "New configuration" }).first().click()
    const sheet = page.getByRole("dialog")
    await sheet.getByLabel("Name").fill("Weekend shop")
    await sheet.getByLabel("Document (JSON)").fill('{"price": 499, "shop": {"open": true, "banner": "summer"}}')
    await sheet.getByRole("button", { name: "Create" }).click()
    await page.getByRole("heading", { name: "Weekend shop", level: 1 }).waitFor()
    const id = new URL(page.url()).pathname.split("/").at(-1) ?? ""

    await page.getByLabel("price", { exact: true }).fill("399")
    await page.getByText("1 change is in your draft").waitFor()
    assert.strictEqual((await live(page, id)).price, 499)
    await page.getByRole("button", { name: "Review" }).click()
    const publish = page.getByRole("dialog").getByRole("button", { name: /^Publish to/ })
    assert.isTrue(await publish.isDisabled())
    await page.getByRole("dialog").getByLabel("Reason").fill("Weekend sale")

    // While this is on the screen, somebody else changes the same price and another key.
    await patch(page, id, [
      { op: "set", path: ["price"], value: 450 },
      { op: "set", path: ["shop", "banner"], value: "autumn" }
    ])
    await page.getByRole("dialog").getByText("Both of you changed price. Choose what stands.").waitFor()
    await page.getByText("Nothing can be published before you have chosen.").waitFor()
    assert.isTrue(await publish.isDisabled())
    assert.strictEqual((await live(page, id)).price, 450)
    await page.getByRole("radio", { name: /^Theirs: 450/ }).check()
    await page.getByText("Nothing is left to publish: theirs stands.").waitFor()
    await page.getByRole("radio", { name: /^Mine: 399/ }).check()
    await publish.click()
    await page
      .getByRole("status")
      .getByText(/is live in/)
      .waitFor()
    assert.deepStrictEqual(await live(page, id), { price: 399, shop: { open: true, banner: "autumn" } })

    await page.getByRole("button", { name: "Undo" }).click()
    await page.getByText(/Version 4, published/).waitFor()
    assert.deepStrictEqual(await live(page, id), { price: 450, shop: { open: true, banner: "autumn" } })

    await page.getByRole("radio", { name: "History" }).click()
    await page.getByRole("button", { name: "Version 1", exact: true }).click()
    const opened = page.getByRole("dialog")
    await opened.getByText("From version 4, which is live, to version 1:").waitFor()
    assert.deepStrictEqual(await opened.locator(".change-path").allTextContents(), ["price", "shop › banner"])
    assert.deepStrictEqual(await opened.locator(".change del").allTextContents(), ["450", '"autumn"'])
    await opened.getByText("Needed in production").waitFor()
    await opened.getByLabel("Reason").fill("As it was")
    await opened.getByText("Needed in production").waitFor({ state: "hidden" })
    await opened.getByRole("button", { name: /^Bring version 1 back/ }).click()
    await page.getByText(/Version 5, published/).waitFor()
    assert.deepStrictEqual(await live(page, id), { price: 499, shop: { open: true, banner: "summer" } })
    assert.deepStrictEqual(await leave(), [])
  })

  it("as JSON: mistakes are marked where they are, what is held stays, what is private says so, and Tab leaves", async () => {
    const { page, leave } = await studio.visit()
    const { id } = await post(page, "configuration", {
      name: "Odds",
      configuration: { price: 499, odds: { rare: 0.1 }, link: 1 },
      privacy: [["odds"]]
    })
    await page.goto(`${studio.place}/configurations/${id}?view=json`)
    const text = page.getByRole("textbox", { name: "Document as JSON" })
    await text.getByText("private").waitFor()

    await replace(text, '{\n  "price": 399,\n  "odds": {"rare": }\n}')
    await page.getByText(/^Line 3: /).waitFor()
    await page.getByText("The text is no JSON yet.").waitFor()
    assert.isTrue(await page.getByRole("button", { name: "Review" }).isDisabled())
    await replace(text, '{\n  "price": 499,\n  "odds": {"rare": {"$link": {"configurationId": 987654}}}\n}')
    const problems = page.getByRole("list", { name: "What keeps it from being published" })
    await problems.getByText(/^odds\.rare: links to what is not in this environment/).waitFor()
    await page.locator(".cm-lintRange-error", { hasText: "987654" }).first().waitFor()
    await replace(text, '{\n  "price": 399,\n  "odds": {"rare": 0.5}\n}')
    await page.getByText("3 changes are in your draft").waitFor()
    await problems.waitFor({ state: "hidden" })

    // What is typed over lines goes in their place, and the browser writes no style for it.
    await text.press("Control+Home")
    for (const key of ["ArrowRight", "Shift+ArrowDown", "Shift+ArrowDown", "x"]) await text.press(key)
    await text.getByText(/^\{x/).waitFor()
    await text.press("Control+z")
    await problems.waitFor({ state: "hidden" })

    // Tab indents, and leaves after Escape; letters are not taken for shortcuts of the page.
    await text.press("Control+Home")
    await page.keyboard.press("Tab")
    assert.isTrue((await text.textContent())?.startsWith("  {"))
    await page.keyboard.press("Control+z")
    await page.keyboard.press("Escape")
    await page.keyboard.press("Tab")
    assert.strictEqual(await page.evaluate("document.activeElement?.textContent?.trim()"), "Discard")
    await page.getByRole("button", { name: "Discard" }).click()
    await text.getByText("499").waitFor()
    await text.press("Control+f")
    await page.getByRole("textbox", { name: "Find" }).fill("rare")
    await page.keyboard.press("Escape")

    // What an experiment holds stays as it is.
    const { id: experimentId } = await holdPrice(page, id)
    await page.goto(`${studio.place}/configurations/${id}?view=json`)
    const held = text.locator(".held").first()
    await held.click()
    const before = await text.textContent()
    await page.keyboard.type("9")
    await page.getByText(/cannot be changed while it is held by/).waitFor()
    assert.strictEqual(await text.textContent(), before)
    await text.getByRole("link").first().click()
    await page.waitForURL(new RegExp(`/experiments/${experimentId}$`))
    assert.deepStrictEqual(await leave(), [])
  })

  it("are shown as one player gets them, from the page of the player, and nobody is enrolled by that", async () => {
    const { page, leave } = await studio.visit()
    const name = "As players get it"
    const configuration = await post(page, "configuration", { name, configuration: { price: 10, banner: "summer" } })
    const experiment = await holdPrice(page, configuration.id)
    await page.goto(`${studio.place}/players/player-00017`)
    await page.getByRole("region", { name: "Configurations" }).getByRole("link", { name }).click()
    await page.waitForURL(/view=player&player=player-00017/)
    await page.getByRole("rowheader", { name: "banner" }).waitFor()
    await page
      .getByRole("cell", { name: /^Base, version/ })
      .first()
      .waitFor()
    await page.getByRole("radio", { name: "History" }).click()
    await page.getByRole("radio", { name: "As player …" }).click()

    // Whoever nobody has seen yet gets what a question of the game would give them.
    const preview = async (unitId: string) =>
      (
        await page.request.get(`/application/${applicationId()}/players/${unitId}/configurations/${configuration.id}`)
      ).json()
    let stranger = "stranger-0"
    for (let count = 0; count < 200; count++) {
      stranger = `stranger-${count}`
      if ((await preview(stranger)).configuration.price === 20) break
    }
    await page.getByLabel("Player", { exact: true }).fill(stranger)
    await page.getByRole("button", { name: "Show" }).click()
    const memberships = page.getByRole("list", { name: "Experiments of the player" })
    await memberships.getByText(/from the next question of the game on/).waitFor()
    await page.getByLabel("Only what experiments set").check()
    await page.getByRole("row", { name: "price 10 20 Dearer, Dear" }).waitFor()
    const assigned = `/application/${applicationId()}/v2/experiments/${experiment.id}/assignments?search=stranger-`
    assert.strictEqual((await (await page.request.get(assigned)).json()).total, 0)
    assert.deepStrictEqual(await barriersOn(page), [])
    assert.deepStrictEqual(await leave(), [])
  })

  it("have no barrier and no sideways scrolling, in both themes", async () => {
    const { page, leave } = await studio.visit({ viewport: { width: 390, height: 844 } })
    await page.goto(`${studio.place}/configurations`)

    // A value that an experiment holds is seen whole: less of it would read as another one.
    await page.getByRole("link", { name: "Economy" }).click()
    const held = page.getByLabel("shop › starterPack › price", { exact: true })
    await held.waitFor()
    await page
      .locator(".key-row", { has: held })
      .getByRole("link", { name: /^held by/ })
      .waitFor()
    assert.isAtMost(await held.evaluate((field) => field.scrollWidth - field.clientWidth), 0)
    assert.isAtLeast((await held.boundingBox())?.width ?? 0, 160)
    await isOpenInBothThemes(page, "held values")
    await page.getByRole("link", { name: "Configurations", exact: true }).first().click()
    await page.getByRole("link", { name: "Weekend shop" }).click()
    await page.getByLabel("price", { exact: true }).waitFor()
    await isOpenInBothThemes(page, "configuration")
    await page.getByLabel("price", { exact: true }).fill("1")
    await page.getByRole("button", { name: "Review" }).click()
    await page.getByRole("dialog").getByText("Changed").waitFor()
    await isOpenInBothThemes(page, "review")
    await page.keyboard.press("Escape")
    await page.getByRole("button", { name: "Discard" }).click()
    await page.getByRole("radio", { name: "JSON" }).click()
    await replace(page.getByLabel("Document as JSON"), '{"price": }')
    await page.getByText(/^Line 1: /).waitFor()
    await page.locator(".cm-lintRange-error").waitFor()
    await isOpenInBothThemes(page, "document")
    assert.deepStrictEqual(await leave(), [])
  })

  it("one that is not there is told to be gone, and is not asked for again", async () => {
    const { page, leave } = await studio.visit()
    await page.goto(`${studio.place}/configurations/99999`)
    await page.getByRole("heading", { name: "It is not here" }).waitFor()
    await page.getByText("CONFIGURATION_NOT_FOUND").waitFor()
    assert.strictEqual(await page.getByRole("button", { name: "Try again" }).count(), 0)
    assert.deepStrictEqual(await barriersOn(page), [])
    assert.deepStrictEqual(await leave(), [])
  })

  it("what was copied to one environment is said of no other one", async () => {
    const { page, leave } = await studio.visit()
    const { ask } = apiOf(page.request, studio.server.url)
    await ask("POST", `/application/${applicationId()}/environments`, { name: "Staging", alias: "staging" })
    const { id } = await post(page, "configuration", { name: "Ladder", configuration: { rungs: 7 } })
    await page.goto(`${studio.place}/configurations/${id}`)
    await page.getByRole("button", { name: "Copy to …" }).click()
    const sheet = page.getByRole("dialog")
    await sheet.getByRole("combobox").selectOption({ label: "Staging" })
    await sheet.getByRole("button", { name: "Copy to Staging" }).click()
    await sheet.getByText("Staging has it now, as version 1.").waitFor()
    await sheet.getByText("Staging has the same values already.").waitFor()
    await sheet.getByRole("combobox").selectOption({ label: "Development" })
    await sheet.getByText("Development has no configuration called Ladder.").waitFor()
    assert.strictEqual(await sheet.getByText("has it now").count(), 0)
    await sheet.getByRole("button", { name: "Copy to Development" }).click()
    await sheet.getByText("Development has it now, as version 1.").waitFor()
    assert.deepStrictEqual(await leave(), [])
  })
})

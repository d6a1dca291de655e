import { assert, describe, it } from "@effect/vitest"
import type { MarkerType, Show } from "../../../src/web/markers/PlanState.ts"
import { planCodec, shownTypes, standingWords } from "../../../src/web/markers/PlanState.ts"
import { readable } from "../../../src/web/url/Codec.ts"
import { missingBrowser, sayWhatIsMissing } from "../../support/Browser.ts"
import { barriersOn } from "../../support/Visitor.ts"
import { inDemoStudio, isOpenEverywhere } from "../InBrowser.ts"

sayWhatIsMissing()

const now = Date.parse("2026-11-22T12:00:00Z")

const typeOf = (name: string, part: Partial<MarkerType> = {}): MarkerType => ({
  name,
  description: null,
  displayName: null,
  status: "active",
  isBuiltin: name.startsWith("$"),
  firstSeenAt: "2026-10-01T00:00:00Z",
  lastSeenAt: "2026-11-22T11:00:00Z",
  count30d: 1,
  perDay30: [],
  arguments: 0,
  ...part
})

describe("the standing of a marker type", () => {
  const types = [
    typeOf("$exposure"),
    typeOf("Login"),
    typeOf("OldBoss", { lastSeenAt: "2026-11-15T12:00:00Z" }),
    typeOf("Boss", { status: "pending", lastSeenAt: null, firstSeenAt: null, description: "the great fight" }),
    typeOf("Debug", { status: "hidden", displayName: "Zebra" })
  ]
  it("is said in words, and silence begins after a week", () => {
    assert.deepStrictEqual(
      types.map((type) => standingWords(type, now)),
      ["arriving", "arriving", "not seen for 7 days", "never arrived", "hidden"]
    )
    assert.strictEqual(standingWords(typeOf("A", { lastSeenAt: "2026-11-15T12:00:01Z" }), now), "arriving")
  })

  const lists: ReadonlyArray<readonly [show: Show, search: string, names: ReadonlyArray<string>]> = [
    ["all", "", ["Boss", "Login", "OldBoss", "Debug", "$exposure"]],
    ["arriving", "", ["Login", "$exposure"]],
    ["silent", "", ["OldBoss"]],
    ["pending", "GREAT", ["Boss"]],
    ["hidden", "zebra", ["Debug"]]
  ]
  it.each(lists)("%s types that match %j are listed by the name that is shown", (show, search, names) => {
    assert.deepStrictEqual(
      shownTypes(types, { show, search }, now).map(({ name }) => name),
      names
    )
    const state = { show, search, page: 2, type: "Level Start" }
    assert.deepStrictEqual(planCodec.read(new URLSearchParams(readable(planCodec.write(state)))), state)
  })
})

describe.skipIf(missingBrowser !== null)("the tracking plan", () => {
  const studio = inDemoStudio()

  it("a marker is described where it stands, one is planned, an argument gets a unit, and its values are listed", async () => {
    const { page, leave } = await studio.visit()
    await page.goto(`${studio.place}/plan`)
    await page.getByRole("button", { name: /^Description of LevelCompleted/ }).click()
    const field = page.getByRole("textbox", { name: "Description of LevelCompleted" })
    await field.fill("nothing of it")
    await field.press("Escape")
    await page.getByRole("button", { name: /^Description of LevelCompleted: (?!nothing)/ }).click()
    await page.getByRole("textbox", { name: "Description of LevelCompleted" }).fill("A level was finished")
    await page.keyboard.press("Enter")
    // In the list: the marker's own sheet shows it as well.
    const described = page
      .getByRole("row")
      .getByRole("button", { name: "Description of LevelCompleted: A level was finished" })
    await described.waitFor()
    await page
      .getByRole("img", { name: /in 30 days/ })
      .first()
      .waitFor()

    await page.getByRole("button", { name: "Plan a marker" }).click()
    await page.getByLabel(/^Name, exactly/).fill("BossDefeated")
    await page.getByRole("button", { name: "Add to the plan" }).click()
    // What stands below moves up when the form goes.
    await page.getByRole("form", { name: "Plan a marker" }).waitFor({ state: "detached" })
    await page.getByRole("radio", { name: /^Never arrived [1-9]/ }).click()
    await page.waitForURL(/show=pending/)
    await page.getByRole("row", { name: /BossDefeated/ }).waitFor()
    assert.strictEqual(await page.getByRole("row", { name: /LevelCompleted/ }).count(), 0)
    await page.getByRole("radio", { name: /^All/ }).click()

    await page.getByRole("button", { name: "LevelCompleted", exact: true }).click()
    await page.waitForURL(/type=LevelCompleted/)
    const sheet = page.getByRole("dialog", { name: "LevelCompleted" })
    await sheet.getByRole("button", { name: /^Unit of seconds/ }).click()
    await sheet.getByRole("textbox", { name: "Unit of seconds" }).fill("sec")
    await page.keyboard.press("Enter")
    await sheet.getByRole("button", { name: "Unit of seconds: sec" }).waitFor()
    await sheet.getByRole("button", { name: /^Decimals of seconds/ }).click()
    await sheet.getByRole("textbox", { name: "Decimals of seconds" }).fill("x")
    await page.keyboard.press("Enter")
    await sheet.getByText("Decimals are a whole number from 0 to 20.").waitFor()
    await sheet.getByText("Values by frequency").first().click()
    await sheet.locator(".value-text").first().waitFor()
    assert.deepStrictEqual(await barriersOn(page), [])
    await sheet.getByRole("button", { name: "Hide it from questions" }).click()
    await sheet.getByRole("button", { name: "Show it again" }).click()
    await sheet.getByRole("button", { name: "Hide it from questions" }).waitFor()
    await page.keyboard.press("Escape")
    await sheet.waitFor({ state: "hidden" })

    await page.reload()
    await described.waitFor()
    assert.deepStrictEqual(await leave(), [])
  })

  it("keeps what is said of a marker where somebody plans it once more", async () => {
    const { page, leave } = await studio.visit()
    await page.goto(`${studio.place}/plan`)
    const described = page.getByRole("row").getByRole("button", { name: /^Description of Purchase: / })
    const text = await described.textContent()
    assert.notMatch(text ?? "", /Describe it$/)
    await page.getByRole("button", { name: "Plan a marker" }).click()
    const form = page.getByRole("form", { name: "Plan a marker" })
    await form.getByLabel(/^Name, exactly/).fill("Purchase")
    await form.getByRole("button", { name: "Add to the plan" }).click()
    await form.getByText("Purchase is there already: describe it in the list.").waitFor()
    assert.deepStrictEqual(await barriersOn(page), [])
    await page.reload()
    await described.waitFor()
    assert.strictEqual(await described.textContent(), text)
    assert.deepStrictEqual(await leave(), [])
  })

  it("is open to everybody in both themes, on a desk and on a phone", async () => {
    const { page, leave } = await studio.visit()
    const pages: ReadonlyArray<readonly [path: string, shown: string]> = [
      ["plan", ".plan-name"],
      ["plan?search=nothing", ".empty"],
      ["plan?type=LevelCompleted", ".field-card"]
    ]
    for (const [path, shown] of pages) {
      await page.goto(`${studio.place}/${path}`)
      await page.locator(shown).first().waitFor()
      await isOpenEverywhere(page, path)
    }
    assert.deepStrictEqual(await leave(), [])
  })

  it("the word beside a description of two lines stands at the first of them", async () => {
    const { page, leave } = await studio.visit()
    await page.goto(`${studio.place}/plan?type=Purchase`)
    const sheet = page.getByRole("dialog", { name: "Purchase" })
    const text = await sheet.getByRole("button", { name: /^Description of Purchase/ }).boundingBox()
    const word = await sheet.locator("dt", { hasText: "Description" }).boundingBox()
    assert.isAbove(text?.height ?? 0, 36)
    assert.isBelow(word?.y ?? 0, (text?.y ?? 0) + 12)
    assert.deepStrictEqual(await leave(), [])
  })
})

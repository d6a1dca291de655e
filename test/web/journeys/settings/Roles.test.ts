import { assert, beforeAll, describe, it } from "@effect/vitest"
import { isKnown } from "../../../../src/web/shell/PageNeeds.ts"
import { pages, subPages } from "../../../../src/web/shell/PageList.ts"
import { missingBrowser, sayWhatIsMissing } from "../../../support/Browser.ts"
import { inDemoStudio, isOpenInBothThemes } from "../../InBrowser.ts"
import { apiOf, joinTeam } from "../../Team.ts"
import { walkPage, watch } from "../../Walker.ts"

sayWhatIsMissing()

/** Every page that the rail or the palette leads to. */
const paths = [...pages.flatMap(({ items }) => items), ...subPages].map(([path]) => path)

it("every page of the rail says which permissions it cannot be without", () => {
  assert.deepStrictEqual(
    pages.flatMap(({ items }) => items.map(([path]) => path)).filter((path) => !isKnown(path)),
    []
  )
})

/** Pages that ask more when they are loaded than when the application leads to them: Insights asks ahead. */
const loaded: ReadonlySet<string> = new Set(["insights"])

/** A role that is neither a little nor nearly everything: most pages are not its own. */
const custom = {
  name: "Economy designer",
  permissions: ["projects:read", "configurations:read", "configurations:write", "cohorts:read"]
}

/** Gives others no more than it holds itself. */
const keeper = {
  name: "Role keeper",
  permissions: ["projects:read", "organization:read", "members:read", "members:write", "roles:read", "roles:write"]
}

describe.skipIf(missingBrowser !== null)("roles", () => {
  const studio = inDemoStudio()

  beforeAll(async () => {
    const { context, leave } = await studio.visit()
    const owner = apiOf(context.request, studio.server.url)
    const [{ id }] = await owner.ask("GET", "/organization")
    for (const own of [custom, keeper]) await owner.ask("POST", `/organization/${id}/v2/roles`, own)
    for (const role of ["Viewer", "Analyst", "Admin", custom.name, keeper.name]) {
      const member = await studio.visit({ storageState: { cookies: [], origins: [] } })
      const email = `${role.toLowerCase().replace(" ", "-")}@studio.example`
      await joinTeam(owner, apiOf(member.context.request, studio.server.url), role, email)
      await member.leave()
    }
    await leave()
  })

  const walk = async (role: string): Promise<ReadonlyArray<string>> => {
    const { page, context, leave } = await studio.visit({
      storageState: { cookies: [], origins: [] },
      viewport: { width: 1440, height: 900 }
    })
    await apiOf(context.request, studio.server.url).signIn(`${role.toLowerCase().replace(" ", "-")}@studio.example`)
    const watched = watch(page)
    const complaints: Array<string> = []
    // Leads to the home page, whose controls are tried as those of any other.
    complaints.push(...(await walkPage(page, watched, studio.place, "loaded", 0)))
    for (const path of paths) {
      const way = loaded.has(path) ? "loaded" : "led to"
      complaints.push(...(await walkPage(page, watched, `${studio.place}/${path}`, way)))
    }
    return [...complaints.map((complaint) => `${role}: ${complaint}`), ...(await leave())]
  }

  it("who gave which role is in the log of changes, which is searched by its address, saved and checked", async () => {
    const { page, leave } = await studio.visit()
    await page.goto(`${studio.place}/settings/changes`)
    await page.getByRole("combobox", { name: /^What/ }).selectOption("roles")
    const row = page.getByRole("row", { name: /Economy designer/ })
    await row.getByRole("button", { name: /^Roles: made/ }).click()
    await row.getByText("configurations:write").waitFor()
    assert.include(page.url(), "?kind=roles")
    const [file] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "Save as CSV" }).click()
    ])
    assert.strictEqual(file.suggestedFilename(), "changes.csv")
    await page.getByText(/entr(y|ies) saved/).waitFor()
    await page.getByRole("button", { name: "Check that nothing was rewritten" }).click()
    await page.getByText("nothing was rewritten").waitFor()
    await page.getByLabel("To", { exact: true }).fill("2020-01-01")
    await page.getByText("No change is like that.").waitFor()
    await page.goBack()
    await row.waitFor()
    assert.deepStrictEqual(await leave(), [])
  })

  it("who may not see experiments is told so, not that nothing holds a configuration", async () => {
    const { page, context, leave } = await studio.visit({ storageState: { cookies: [], origins: [] } })
    await apiOf(context.request, studio.server.url).signIn("economy-designer@studio.example")
    await page.goto(`${studio.place}/configurations`)
    const row = page.getByRole("row", { name: /^Economy/ })
    await row.getByRole("cell", { name: "you may not see it" }).waitFor()
    assert.strictEqual(await row.getByText("nothing").count(), 0)
    assert.deepStrictEqual(await leave(), [])
  })

  it("who uses keys or a finger is told why a button is denied, as who points at it", async () => {
    const { page, context, leave } = await studio.visit({ storageState: { cookies: [], origins: [] }, hasTouch: true })
    await apiOf(context.request, studio.server.url).signIn("viewer@studio.example")
    const reason = page.locator(".denied-why", { hasText: "An owner or admin can give it" })
    for (const [path, name] of [
      ["boards", "New board"],
      ["cohorts", "New cohort"],
      ["cohorts/1", "Edit"],
      ["cohorts/new", "Make the cohort"],
      ["configurations", "New configuration"],
      ["configurations/4", "Details"],
      ["deeplinks", "New deeplink"],
      ["experiments", "New experiment"],
      ["experiments/1?tab=setup", "Edit name, notes and goals"],
      ["experiments/1?tab=setup", "Pause"],
      ["experiments/1?tab=setup", "Plan a step"],
      ["experiments/1?tab=setup", "End and decide …"],
      ["experiments/new", "Save draft"],
      ["heatmaps", "New map"],
      ["insights", "Save"],
      ["plan", "Plan a marker"],
      ["settings/project", "Save"]
    ] as const) {
      await page.goto(`${studio.place}/${path}`)
      const button = page.getByRole("button", { name, exact: true }).first()
      await button.waitFor()
      await button.focus()
      await reason.waitFor({ timeout: 10_000 })
      await page.getByRole("heading", { level: 1 }).click()
      await reason.waitFor({ state: "detached" })
    }
    await page.goto(`${studio.place}/configurations`)
    await page.getByRole("row", { name: /^Economy/ }).waitFor()
    await page.getByRole("button", { name: "New configuration" }).tap({ force: true })
    await reason.waitFor({ timeout: 10_000 })
    assert.deepStrictEqual(await leave(), [])
  })

  it("is told of texts, boxes and roles as well, which keep the focus and stay as they are", async () => {
    const { page, context, leave } = await studio.visit({ storageState: { cookies: [], origins: [] } })
    const api = apiOf(context.request, studio.server.url)
    await api.signIn("viewer@studio.example")
    const reason = page.locator(".denied-why")
    await page.goto(`${studio.place}/plan?type=LevelCompleted`)
    const sheet = page.getByRole("dialog", { name: "LevelCompleted" })
    await sheet.getByText("You may read the plan. It needs the permission markers:write.").waitFor()
    await sheet.getByRole("button", { name: /^Description of LevelCompleted/ }).focus()
    await reason.waitFor()
    await page.keyboard.press("Enter")
    assert.strictEqual(await sheet.getByRole("textbox", { name: "Description of LevelCompleted" }).count(), 0)
    await sheet.getByLabel("Plan an argument").focus()
    await page.keyboard.type("depth")
    await page.keyboard.press("Enter")
    await reason.waitFor()
    assert.strictEqual(await sheet.getByLabel("Plan an argument").inputValue(), "")
    await isOpenInBothThemes(page, "a sheet that may be read alone")

    await api.signIn("role-keeper@studio.example")
    await page.goto(`${studio.place}/settings/roles`)
    await page.getByRole("button", { name: "Copy Role keeper" }).click()
    const box = page.getByRole("checkbox", { name: "Copy of Role keeper: deeplinks:write" })
    await box.focus()
    await reason.getByText("It needs the permission deeplinks:write").waitFor()
    await page.keyboard.press("Space")
    assert.isFalse(await box.isChecked())
    assert.isTrue(await box.evaluate((element) => element === document.activeElement))
    await isOpenInBothThemes(page, "a role of which some boxes cannot be ticked")
    await page.goto(`${studio.place}/settings/members`)
    await page.getByRole("button", { name: "Invite", exact: true }).click()
    const dialog = page.getByRole("dialog", { name: "Invite somebody" })
    await dialog.getByText("Only an owner can give or take the Owner role.").waitFor()
    await isOpenInBothThemes(page, "roles that cannot be given")
    assert.deepStrictEqual(await leave(), [])
  })

  it("keeps the focus on a box while what it does is under way", async () => {
    const { page, leave } = await studio.visit()
    let answer = () => {}
    const isAnswered = new Promise<void>((resolve) => {
      answer = resolve
    })
    await page.route(/\/organization\/\d+$/, async (route) => {
      if (route.request().method() !== "PATCH") return route.fallback()
      await isAnswered
      return route.fulfill({ status: 422, json: { statusCode: 422, code: "NOT_NOW", error: "", message: "Not now" } })
    })
    await page.goto(`${studio.place}/settings/organization`)
    const box = page.getByRole("checkbox", { name: "Members need a second factor" })
    await box.focus()
    await page.keyboard.press("Space")
    await page.getByRole("checkbox", { name: "Members need a second factor", disabled: true, checked: true }).waitFor()
    assert.isTrue(await box.evaluate((element) => element === document.activeElement))
    answer()
    await page.getByText("Not now").waitFor()
    assert.isFalse(await box.isChecked())
    await leave()
  })

  it("follows a role that changes while the page is open: after a refusal, and when one comes back to it", async () => {
    const { page, context, leave } = await studio.visit({ storageState: { cookies: [], origins: [] } })
    const owner = await studio.visit()
    const { ask } = apiOf(owner.context.request, studio.server.url)
    const [{ id }] = await ask("GET", "/organization")
    const { items } = await ask("GET", `/organization/${id}/members`)
    const { membershipId } = items.find(({ user }: { readonly user: { email: string } }) =>
      user.email.startsWith("admin")
    )
    const roles: ReadonlyArray<{ readonly id: number; readonly name: string }> = await ask(
      "GET",
      `/organization/${id}/v2/roles`
    )
    const give = (role: string) =>
      ask("PUT", `/organization/${id}/members/${membershipId}/role`, {
        roleId: roles.find(({ name }) => name === role)?.id
      })
    await apiOf(context.request, studio.server.url).signIn("admin@studio.example")
    await page.goto(`${studio.place}/deeplinks`)
    await page.getByRole("button", { name: "New deeplink" }).first().click()
    const sheet = page.getByRole("dialog", { name: "New deeplink" })
    await sheet.getByLabel(/^Name/).fill("Spring")
    await sheet.getByLabel(/^Address/).fill("https://game.example/play")
    await give("Viewer")
    await sheet.getByRole("button", { name: "Create" }).click()
    await sheet.getByRole("alert").getByText("deeplinks:write").waitFor()
    assert.strictEqual(await sheet.getByLabel(/^Name/).inputValue(), "Spring")
    await sheet.getByRole("button", { name: "Close" }).click()
    await page.getByRole("button", { name: "Discard", exact: true }).click()
    await page.getByRole("button", { name: "New deeplink", disabled: true }).first().waitFor()
    assert.strictEqual(await page.getByRole("link", { name: "Players (your role may not see it)" }).count(), 0)

    // What was asked a while ago is asked again.
    await page.evaluate("{ const now = Date.now; Date.now = () => now() + 60_000 }")
    const comeBack = () => page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    await give(custom.name)
    await comeBack()
    await page.getByText("Your role may not see this page").waitFor()
    await page.evaluate("{ const now = Date.now; Date.now = () => now() + 60_000 }")
    await give("Admin")
    await comeBack()
    await page.getByRole("button", { name: "New deeplink", disabled: false }).first().waitFor()
    assert.deepStrictEqual([...(await owner.leave()), ...(await leave())], [])
  })

  for (const role of ["Viewer", "Analyst", custom.name])
    it(`${role} walks every page: nothing is asked that is refused, and nothing that can be clicked is`, async () => {
      assert.deepStrictEqual(await walk(role), [])
    })
})

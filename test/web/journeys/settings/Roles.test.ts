import { assert, beforeAll, describe, it } from "@effect/vitest"
import { isKnown } from "../../../../src/web/shell/PageNeeds.ts"
import { pages, subPages } from "../../../../src/web/shell/PageList.ts"
import { missingBrowser, sayWhatIsMissing } from "../../../support/Browser.ts"
import { inDemoStudio } from "../../InBrowser.ts"
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

describe.skipIf(missingBrowser !== null)("roles", () => {
  const studio = inDemoStudio()

  beforeAll(async () => {
    const { context, leave } = await studio.visit()
    const owner = apiOf(context.request, studio.server.url)
    const [{ id }] = await owner.ask("GET", "/organization")
    await owner.ask("POST", `/organization/${id}/v2/roles`, custom)
    for (const role of ["Viewer", "Analyst", custom.name]) {
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
      ["configurations", "New configuration"],
      ["deeplinks", "New deeplink"],
      ["experiments", "New experiment"],
      ["experiments/1?tab=setup", "Edit name, notes and goals"],
      ["experiments/1?tab=setup", "Pause"],
      ["experiments/1?tab=setup", "End and decide …"],
      ["heatmaps", "New map"],
      ["insights", "Save"]
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

  for (const role of ["Viewer", "Analyst", custom.name])
    it(`${role} walks every page: nothing is asked that is refused, and nothing that can be clicked is`, async () => {
      assert.deepStrictEqual(await walk(role), [])
    })
})

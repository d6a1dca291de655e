import { assert, describe, it } from "@effect/vitest"
import { missingBrowser, sayWhatIsMissing } from "../../../support/Browser.ts"
import { barriersOn } from "../../../support/Visitor.ts"
import { configurationsOf } from "../../ConfigurationParts.ts"
import { inDemoStudio } from "../../InBrowser.ts"
import { apiOf } from "../../Team.ts"

sayWhatIsMissing()

const ramped = {
  name: "Ramped arena",
  unitType: "user",
  assignmentMode: "weightedHash",
  rollout: { percent: 10 },
  groups: [
    { name: "As it is", weight: 5000, isControl: true },
    { name: "Dear", weight: 5000, changeset: { operations: [{ op: "set", path: ["price"], value: 20 }] } }
  ]
}

describe.skipIf(missingBrowser !== null)("settings that two people change at once", () => {
  const studio = inDemoStudio()
  const { applicationId, post } = configurationsOf(studio)

  it("roles, webhooks and rollouts are not changed over what somebody else has made of them", async () => {
    const { page, leave } = await studio.visit()
    const { ask } = apiOf(page.request, studio.server.url)
    const sheet = page.getByRole("dialog")
    const theirs = page.getByRole("button", { name: "Show theirs, drop mine" })
    const mine = page.getByRole("button", { name: "Keep mine over theirs" })
    const [{ id: organizationId }] = await ask("GET", "/organization")
    const home = `/organization/${organizationId}`

    const role = await ask("POST", `${home}/v2/roles`, { name: "Designer", permissions: ["projects:read"] })
    const path = `${home}/v2/roles/${role.id}`
    const more = ["projects:read", "configurations:read"]
    const change = async () => {
      await page.getByRole("button", { name: "Edit Designer" }).click()
      await page.getByRole("checkbox", { name: "Designer: cohorts:read" }).check()
      await ask("PUT", path, { name: "Designer", description: `Theirs ${Math.random()}`, permissions: more })
      await page.getByRole("button", { name: "Review" }).click()
      await sheet.getByRole("button", { name: "Save the role" }).click()
    }
    await page.goto(`${studio.place}/settings/roles`)
    await change()
    await theirs.click()
    await sheet.waitFor({ state: "detached" })
    assert.deepStrictEqual((await ask("GET", path)).permissions, more)
    await change()
    await mine.click()
    await sheet.waitFor({ state: "detached" })
    assert.sameMembers((await ask("GET", path)).permissions, [...more, "cohorts:read"])

    const webhook = await ask("POST", `${home}/webhooks`, { name: "Chat", url: "https://chat.example/hook" })
    await page.goto(`${studio.place}/settings/webhooks`)
    await page.getByRole("button", { name: "Change Chat" }).click()
    await sheet.getByLabel("Name").fill("Chat of the studio")
    await ask("PATCH", `${home}/webhooks/${webhook.id}`, { url: "https://chat.example/other" })
    await sheet.getByRole("button", { name: "Save", exact: true }).click()
    await theirs.click()
    await page.getByText("https://chat.example/other").waitFor()
    assert.strictEqual((await ask("GET", `${home}/webhooks/${webhook.id}`)).name, "Chat")
    await ask("DELETE", `${home}/webhooks/${webhook.id}`)

    const { id: baseId } = await post(page, "configuration", { name: "Ramp", configuration: { price: 10 } })
    const { id } = await post(page, "experiments", { ...ramped, baseConfigurationId: baseId })
    const experiment = `/application/${applicationId()}/v2/experiments/${id}`
    await page.goto(`${studio.place}/experiments/${id}?tab=setup`)
    const rollout = page.getByRole("region", { name: "Rollout" })
    await rollout.getByLabel("Percent of players").fill("90")
    // Theirs arrives while mine is under way: the page cannot have heard of it.
    await page.route(`**/experiments/${id}/rollout`, async (route) => {
      if (route.request().method() === "PATCH")
        await ask("PATCH", `${experiment}/rollout`, { action: "set", percent: 20 })
      await route.continue()
    })
    await rollout.getByRole("button", { name: "Set to 90 %" }).click()
    await rollout.getByText("Nothing was done: somebody else has changed it meanwhile.").waitFor()
    await rollout.getByRole("button", { name: "At 20 %" }).waitFor()
    assert.strictEqual((await ask("GET", `${experiment}/rollout`)).percent, 20)

    const dayIn = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)
    await page.route(`**/experiments/${id}`, async (route) => {
      if (route.request().method() === "PATCH") await ask("PATCH", experiment, { endsAt: `${dayIn(40)}T00:00:00.000Z` })
      await route.continue()
    })
    const day = rollout.getByLabel("Day of the planned end")
    await day.fill(dayIn(30))
    await rollout.getByRole("button", { name: "Plan this end" }).click()
    await rollout.getByText("Nothing was done: somebody else has changed it meanwhile.").last().waitFor()
    await rollout.getByText("The base stays as it is then").waitFor()
    assert.strictEqual(await day.inputValue(), dayIn(40))
    assert.include((await ask("GET", experiment)).endsAt, dayIn(40))
    assert.deepStrictEqual(await leave(), [])
  })

  it("settings of projects and environments are sent as far as they were typed", async () => {
    const { page, leave } = await studio.visit()
    const { ask } = apiOf(page.request, studio.server.url)
    const sheet = page.getByRole("dialog")
    const root = `/application/${applicationId()}`
    const { name, timezone } = await ask("GET", root)
    await page.goto(`${studio.place}/settings/project`)
    await page.getByLabel("Name").fill("Ember Keep II")
    await ask("PATCH", root, { timezone: "Asia/Tokyo", sdkId: 5 })
    await page.getByRole("button", { name: "Save", exact: true }).click()
    await page.getByText("Saved.").waitFor()
    const project = await ask("GET", root)
    assert.deepStrictEqual([project.name, project.timezone, project.sdk.id], ["Ember Keep II", "Asia/Tokyo", 5])
    await ask("PATCH", root, { name, timezone })

    const environments = await ask("GET", `${root}/environments`)
    const { id } = environments.find(({ alias }: { readonly alias: string }) => alias === "development")
    const environment = `${root}/environments/${id}`
    await page.goto(`${studio.place}/settings/environments`)
    await page.getByRole("button", { name: "Change Development" }).click()
    await sheet.getByLabel("Name", { exact: true }).fill("Staging")
    await ask("PATCH", environment, { retentionDays: 999, markerRetentionDays: { Login: 888 } })
    await sheet.getByRole("button", { name: "Save", exact: true }).click()
    await sheet.waitFor({ state: "detached" })
    const kept = (await ask("GET", `${root}/environments`)).find((each: { readonly id: number }) => each.id === id)
    assert.deepInclude(kept, { name: "Staging", retentionDays: 999, markerRetentionDays: { Login: 888 } })

    // Who gives a type days of its own takes none away from the types of somebody else.
    await page.getByRole("button", { name: "Change Staging" }).click()
    await sheet.getByRole("button", { name: "Add a type" }).click()
    await sheet.getByLabel("Type of marker").last().fill("Purchase")
    await sheet.getByLabel("Days Purchase is kept").fill("777")
    await ask("PATCH", environment, { markerRetentionDays: { Login: 888, Install: 666 } })
    await sheet.getByRole("button", { name: "Save", exact: true }).click()
    await sheet.waitFor({ state: "detached" })
    const both = (await ask("GET", `${root}/environments`)).find((each: { readonly id: number }) => each.id === id)
    assert.deepStrictEqual(both.markerRetentionDays, { Login: 888, Install: 666, Purchase: 777 })
    assert.deepStrictEqual(await leave(), [])
  })

  it("a webhook that somebody removes stays the one that is changed, and what is typed of it is not left by the way", async () => {
    const { page, leave } = await studio.visit()
    const { ask } = apiOf(page.request, studio.server.url)
    const [{ id: organizationId }] = await ask("GET", "/organization")
    const home = `/organization/${organizationId}/webhooks`
    const { id } = await ask("POST", home, { name: "Chat", url: "https://chat.example/hook" })
    // The page asks again and again for a webhook that fails.
    await page.route(`**${home}`, async (route) => {
      const response = await route.fetch()
      const hooks: ReadonlyArray<{ readonly createdAt: string }> = await response.json()
      await route.fulfill({ response, json: hooks.map((hook) => ({ ...hook, failingSince: hook.createdAt })) })
    })
    await page.goto(`${studio.place}/settings/webhooks`)
    await page.getByRole("button", { name: "Change Chat" }).click()
    const form = page.getByRole("dialog", { name: "Change Chat" })
    const name = form.getByLabel("Name")
    await name.fill("Chat of the studio")
    for (const other of ["New secret", "Remove it"]) {
      await form.getByRole("button", { name: other }).click({ force: true })
      await form.getByText("Save or cancel what you changed here first.").first().waitFor()
    }
    assert.strictEqual(await name.inputValue(), "Chat of the studio")
    await ask("DELETE", `${home}/${id}`)
    await page.getByText("No webhook yet").waitFor()
    await form.getByRole("button", { name: "Save", exact: true }).click()
    await form.getByText(/does not exist/).waitFor()
    assert.strictEqual(await name.inputValue(), "Chat of the studio")
    assert.deepStrictEqual(await ask("GET", home), [])
    assert.deepStrictEqual(await leave(), [])
  })

  it("a type with two lines of days is refused, and “Saved.” is said of what is saved alone", async () => {
    const { page, leave } = await studio.visit()
    const { ask } = apiOf(page.request, studio.server.url)
    const sheet = page.getByRole("dialog")
    await page.goto(`${studio.place}/settings/environments`)
    await page.getByRole("button", { name: "Change Production" }).click()
    for (const [at, days] of ["900", "2"].entries()) {
      await sheet.getByRole("button", { name: "Add a type" }).click()
      await sheet.getByLabel("Type of marker").nth(at).fill("Purchase")
      await sheet.getByLabel("Days Purchase is kept").nth(at).fill(days)
    }
    await sheet.getByRole("button", { name: "Save", exact: true }).click()
    await sheet.getByText("Purchase has two lines here: leave one of them.").waitFor()
    const [production] = await ask("GET", `/application/${applicationId()}/environments`)
    assert.deepStrictEqual(production.markerRetentionDays, {})

    await page.goto(`${studio.place}/settings/account`)
    const who = page.getByRole("region", { name: "Who you are" })
    await who.getByLabel("Name").fill("Ada")
    await who.getByRole("button", { name: "Save" }).click()
    await who.getByText("Saved.").waitFor()
    await who.getByLabel("Name").fill("Ada L")
    await who.getByText("Saved.").waitFor({ state: "hidden" })
    assert.deepStrictEqual(await leave(), [])
  })

  it("what is typed of the project, the organization and oneself is there again for who followed a link before they saved", async () => {
    const { page, leave } = await studio.visit()
    const { ask } = apiOf(page.request, studio.server.url)
    const goTo = async (link: string, heading: string) => {
      await page.getByRole("navigation", { name: "Settings" }).getByRole("link", { name: link, exact: true }).click()
      await page.getByRole("heading", { level: 1, name: heading }).waitFor()
    }
    const name = page.getByRole("main").locator("input[name=name]").first()
    const notice = page.getByText("was kept in this browser when you left")
    for (const [path, link, heading] of [
      ["project", "Project", "Project"],
      ["organization", "Organization", "Organization"],
      ["account", "My account", "My account"]
    ] as const) {
      await page.goto(`${studio.place}/settings/${path}`)
      const before = await name.inputValue()
      await name.fill("Typed and not saved")
      await goTo("Members", "Members")
      await goTo(link, heading)
      await notice.waitFor()
      assert.strictEqual(await name.inputValue(), "Typed and not saved", path)
      assert.deepStrictEqual(await barriersOn(page), [], path)
      await page.getByRole("button", { name: "Discard it" }).click()
      assert.strictEqual(await name.inputValue(), before, path)
      assert.strictEqual(await notice.count(), 0, path)
    }
    const root = `/application/${applicationId()}`
    await goTo("Project", "Project")
    await name.fill("Ember Keep III")
    await goTo("Members", "Members")
    await ask("PATCH", root, { timezone: "Asia/Seoul" })
    await page.goto(`${studio.place}/settings/project`)
    await notice.waitFor()
    await page.getByRole("button", { name: "Save", exact: true }).click()
    await page.getByText("Saved.").waitFor()
    await notice.waitFor({ state: "detached" })
    assert.strictEqual(await name.inputValue(), "Ember Keep III")
    const project = await ask("GET", root)
    assert.deepStrictEqual([project.name, project.timezone], ["Ember Keep III", "Asia/Seoul"])
    await page.reload()
    await name.and(page.locator('[value="Ember Keep III"]')).waitFor()
    assert.strictEqual(await notice.count(), 0)
    assert.deepStrictEqual(await leave(), [])
  })
})

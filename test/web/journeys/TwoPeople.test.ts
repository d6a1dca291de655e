import { assert, describe, it } from "@effect/vitest"
import { missingBrowser, sayWhatIsMissing } from "../../support/Browser.ts"
import { configurationsOf } from "../ConfigurationParts.ts"
import { inDemoStudio } from "../InBrowser.ts"
import { apiOf } from "../Team.ts"

sayWhatIsMissing()

const dearer = {
  name: "Dearer arena",
  unitType: "user",
  assignmentMode: "weightedHash",
  groups: [
    { name: "As it is", weight: 5000, isControl: true },
    { name: "Dear", weight: 5000, changeset: { operations: [{ op: "set", path: ["price"], value: 20 }] } }
  ]
}

describe.skipIf(missingBrowser !== null)("what two people do at once", () => {
  const studio = inDemoStudio()
  const { applicationId, patch, post, live } = configurationsOf(studio)

  it("an undo takes nothing back that somebody else has published since", async () => {
    const { page, leave } = await studio.visit()
    const { id } = await post(page, "configuration", { name: "Undone", configuration: { price: 10, open: true } })
    await page.goto(`${studio.place}/configurations/${id}`)
    await page.getByLabel("price", { exact: true }).fill("12")
    await page.getByRole("button", { name: "Review" }).click()
    await page.getByRole("dialog").getByLabel("Reason").fill("Dearer")
    await page
      .getByRole("dialog")
      .getByRole("button", { name: /^Publish to/ })
      .click()
    const toast = page.getByRole("status").filter({ hasText: "Version 2 is live in" })
    await toast.waitFor()
    await patch(page, String(id), [{ op: "set", path: ["open"], value: false }])
    await toast.getByRole("button", { name: "Undo" }).click()
    await page.getByText("Somebody has published since: undoing would take that back as well.").waitFor()
    assert.deepStrictEqual(await live(page, String(id)), { price: 12, open: false })
    assert.deepStrictEqual(await leave(), [])
  })
  it("what is brought to production stays private there, and links to what has the same names", async () => {
    const { page, leave } = await studio.visit()
    const { ask } = apiOf(page.request, studio.server.url)
    const root = `/application/${applicationId()}`
    const environments = await ask("GET", `${root}/environments`)
    const development = environments.find(({ alias }: { readonly alias: string }) => alias === "development").id
    const inDevelopment = (method: "PATCH" | "POST", path: string, data: object) =>
      ask(method, `${root}/v2/${path}`, data, { environment_id: String(development) })
    const odds = await inDevelopment("POST", "configuration", { name: "Odds", configuration: { rare: 0.1 } })
    const configuration = { price: 10, odds: { $link: { configurationId: odds.id } } }
    const chest = await inDevelopment("POST", "configuration", { name: "Chest", configuration })
    const production = environments.find(({ alias }: { readonly alias: string }) => alias === "production").id
    const there = { environmentId: production }
    const target = await inDevelopment("POST", `configuration/${odds.id}/copy`, { name: "Odds", ...there })
    const promoted = await inDevelopment("POST", `configuration/${chest.id}/copy`, { name: "Chest", ...there })
    await inDevelopment("PATCH", `configuration/${chest.id}`, {
      changes: [{ op: "set", path: ["seed"], value: 7 }],
      privacy: [["seed"]]
    })

    await page.goto(`${studio.place.replace("production", "development")}/configurations/${chest.id}`)
    await page.getByRole("button", { name: "Copy to …" }).click()
    const sheet = page.getByRole("dialog")
    await sheet.getByRole("combobox").selectOption({ label: "Production" })
    await sheet.getByText("Public keys do not get it any more.").waitFor()
    assert.deepStrictEqual(await sheet.locator(".change-path").allTextContents(), ["seed", "seed"])
    await sheet.getByLabel("Reason").fill("A seed")
    await sheet.getByRole("button", { name: "Publish to Production" }).click()
    await sheet.getByText("Production has it now, as version 2.").waitFor()
    const got = await ask("GET", `${root}/v2/configuration/${promoted.id}`)
    assert.deepStrictEqual(got.configuration, { price: 10, odds: { $link: { configurationId: target.id } }, seed: 7 })
    assert.deepStrictEqual(got.privacy, [["seed"]])
    assert.deepStrictEqual(await leave(), [])
  })

  it("a draft of an experiment is neither saved over theirs nor started as they left it, before somebody has looked", async () => {
    const { page, leave } = await studio.visit()
    const { ask } = apiOf(page.request, studio.server.url)
    const { id: baseId } = await post(page, "configuration", { name: "Arena", configuration: { price: 10 } })
    const made = await post(page, "experiments", { ...dearer, baseConfigurationId: baseId, status: "draft" })
    const path = `/application/${applicationId()}/v2/experiments/${made.id}`
    const plan = (more: object) => ({ ...dearer, baseConfigurationId: baseId, ...more })
    await page.goto(`${studio.place}/experiments/${made.id}`)
    const hypothesis = page.getByLabel("What should happen")
    await hypothesis.fill("More revenue")
    await ask("PUT", path, plan({ holdoutPercent: 10 }))
    await page.getByRole("button", { name: "Save", exact: true }).click()
    await page.getByText("Somebody else has changed this draft since you opened it.").waitFor()
    assert.deepInclude(await ask("GET", path), { holdoutPercent: 10, hypothesis: null })
    await page.getByRole("button", { name: "Show theirs, drop mine" }).click()
    assert.strictEqual(await hypothesis.inputValue(), "")
    await hypothesis.fill("More revenue")
    await page.getByRole("button", { name: "Save", exact: true }).click()
    await page.getByText(/^Saved\. It starts in/).waitFor()
    assert.deepInclude(await ask("GET", path), { holdoutPercent: 10, hypothesis: "More revenue" })

    // What is started is what was looked at.
    await ask("PUT", path, plan({ holdoutPercent: 20, hypothesis: "More revenue" }))
    await page.getByRole("button", { name: "Start the experiment" }).click()
    await page.getByText("Nothing was done: somebody else has changed it meanwhile.").waitFor()
    assert.deepInclude(await ask("GET", path), { status: "draft" })
    await page.getByRole("button", { name: "Start the experiment" }).click()
    await page.getByRole("button", { name: "Edit name, notes and goals" }).click()
    assert.deepInclude(await ask("GET", path), { status: "active", holdoutPercent: 20 })

    // Neither are its words while it runs.
    const editing = page.getByRole("form", { name: "Edit Dearer arena" })
    await editing.getByLabel("Notes", { exact: true }).fill("Asked for by the shop")
    await ask("PATCH", path, { hypothesis: "Theirs" })
    await editing.getByRole("button", { name: "Save", exact: true }).click()
    await editing.getByRole("button", { name: "Keep mine over theirs" }).click()
    await editing.waitFor({ state: "detached" })
    assert.deepInclude(await ask("GET", path), { hypothesis: "Theirs", description: "Asked for by the shop" })

    // Nor are its shares, whether or not the page has heard of theirs before mine are saved.
    const groups = page.getByRole("region", { name: "Groups" })
    await groups.getByRole("button", { name: "Change the shares" }).click()
    await groups.getByLabel("As it is").fill("20")
    await groups.getByRole("spinbutton", { name: /^Dear/ }).fill("80")
    const [{ id: control }, { id: dear }] = made.groups
    const weights = [
      { groupId: control, weight: 3000 },
      { groupId: dear, weight: 7000 }
    ]
    await ask("PATCH", path, { weights })
    await groups.getByRole("button", { name: "Save the shares" }).click()
    await groups.getByText("70 % of new players").waitFor()
    const present = await ask("GET", path)
    assert.deepStrictEqual(
      present.groups.map(({ weight }: { readonly weight: number }) => weight),
      [3000, 7000]
    )

    // A program has left a space at the end of its name, which nobody sees: it is ended all the same.
    await ask("PATCH", path, { name: "Dearer arena " })
    await page.reload()
    await page.getByRole("button", { name: "End and decide …" }).click()
    await page.getByLabel("Type the name of the experiment to confirm").fill("Dearer arena")
    await page.getByRole("button", { name: "End it", exact: true }).click()
    await page.getByText(/^Ended early .* without a winner$/).waitFor()
    assert.deepStrictEqual(await leave(), [])
  })

  it("details of a configuration keep what somebody else has made of its schema meanwhile", async () => {
    const { page, leave } = await studio.visit()
    const { ask } = apiOf(page.request, studio.server.url)
    const { id } = await post(page, "configuration", { name: "Guarded", configuration: { price: 10 } })
    const path = `/application/${applicationId()}/v2/configuration/${id}`
    await page.goto(`${studio.place}/configurations/${id}`)
    await page.getByRole("button", { name: "Details" }).click()
    const sheet = page.getByRole("dialog")
    await sheet.getByLabel("Description").fill("Prices of the shop")
    const schema = { properties: { price: { maximum: 100 } } }
    await ask("PATCH", path, { schema })
    await sheet.getByRole("button", { name: "Save", exact: true }).click()
    await sheet.waitFor({ state: "detached" })
    assert.deepInclude(await ask("GET", path), { schema, description: "Prices of the shop" })

    await page.getByRole("button", { name: "Details" }).click()
    await sheet.getByLabel("Description").fill("Mine")
    await ask("PATCH", path, { description: "Theirs" })
    await sheet.getByRole("button", { name: "Save", exact: true }).click()
    await sheet.getByText("Somebody else has changed these details since you opened it.").waitFor()
    assert.deepInclude(await ask("GET", path), { description: "Theirs" })
    await sheet.getByRole("button", { name: "Keep mine over theirs" }).click()
    await sheet.waitFor({ state: "detached" })
    assert.deepInclude(await ask("GET", path), { schema, description: "Mine" })
    assert.deepStrictEqual(await leave(), [])
  })

  it("links, alerts and saved questions are not saved over what somebody else has made of them", async () => {
    const { page, leave } = await studio.visit()
    const { ask } = apiOf(page.request, studio.server.url)
    const root = `/application/${applicationId()}`
    const sheet = page.getByRole("dialog")
    const theirs = page.getByRole("button", { name: "Show theirs, drop mine" })
    const mine = page.getByRole("button", { name: "Keep mine over theirs" })

    const body = { name: "Trailer", type: "web_url", redirectUrl: "https://game.example/play" }
    const link = await ask("POST", `${root}/deeplinks`, body)
    const season = { ...body, redirectUrl: "https://game.example/season" }
    await page.goto(`${studio.place}/deeplinks/${link.id}`)
    await page.getByRole("button", { name: "Change", exact: true }).click()
    await sheet.getByLabel("Name").fill("Trailer of spring")
    await ask("PUT", `${root}/deeplinks/${link.id}`, season)
    await sheet.getByRole("button", { name: "Save", exact: true }).click()
    await theirs.click()
    await page.getByText("https://game.example/season").first().waitFor()
    await ask("PUT", `${root}/deeplinks/${link.id}`, { ...season, redirectUrl: "https://game.example/third" })
    await page.getByRole("button", { name: "Switch off" }).click()
    await page.getByText("Somebody else has changed this link meanwhile.").waitFor()
    const present = await ask("GET", `${root}/deeplinks/${link.id}`)
    assert.deepInclude(present, { name: "Trailer", redirectUrl: "https://game.example/third", archivedAt: null })

    const environments = await ask("GET", `${root}/environments`)
    const production = environments.find(({ alias }: { readonly alias: string }) => alias === "production").id
    const there = { environment_id: String(production) }
    const watched = { name: "Silence", watch: { kind: "silence", names: "Login", minutes: 60 } }
    const alert = await ask("POST", `${root}/alerts`, watched, there)
    await page.goto(`${studio.place}/alerts/${alert.id}`)
    await page.getByRole("button", { name: "Change", exact: true }).click()
    await sheet.getByLabel("What to do when it fires").fill("Call Bob")
    const longer = { ...watched, watch: { ...watched.watch, minutes: 90 } }
    await ask("PUT", `${root}/alerts/${alert.id}`, longer, there)
    await sheet.getByRole("button", { name: "Save", exact: true }).click()
    await mine.click()
    await sheet.waitFor({ state: "detached" })
    const kept = await ask("GET", `${root}/alerts/${alert.id}`, undefined, there)
    assert.deepStrictEqual([kept.description, kept.watch.minutes], ["Call Bob", 60])

    const spec = {
      time: { relative: { step: "day", value: 7 } },
      metrics: [{ id: "A", data: { name: "Login", type: "dau" } }]
    }
    const question = { name: "Logins", queryType: "insight", spec }
    const queries = `${root}/analytics/v1/queries`
    const saved = await ask("POST", queries, question)
    await page.goto(`${studio.place}/saved?search=Logins`)
    await page.getByRole("button", { name: "Rename Logins" }).click()
    await sheet.getByLabel("Name").fill("Logins a day")
    const longerSpec = { ...spec, time: { relative: { step: "day", value: 28 } } }
    await ask("PUT", `${queries}/${saved.id}`, { ...question, spec: longerSpec })
    await sheet.getByRole("button", { name: "Rename", exact: true }).click()
    await sheet.waitFor({ state: "detached" })
    const asked = await ask("GET", `${queries}/${saved.id}`)
    assert.deepStrictEqual([asked.name, asked.spec.time.relative.value], ["Logins a day", 28])

    await page.getByRole("button", { name: "Rename Logins a day" }).click()
    await sheet.getByLabel("Name").fill("Logins of mine")
    await ask("PUT", `${queries}/${saved.id}`, { ...question, name: "Logins of theirs" })
    await sheet.getByRole("button", { name: "Rename", exact: true }).click()
    await sheet.getByRole("alert").waitFor()
    assert.strictEqual((await ask("GET", `${queries}/${saved.id}`)).name, "Logins of theirs")

    await page.goto(`${studio.place}/insights?q=${saved.id}`)
    await page.locator(".saved-name").waitFor()
    await page.getByText("14 d", { exact: true }).click()
    await page.getByRole("button", { name: "Save", exact: true }).click()
    await ask("PUT", `${queries}/${saved.id}`, { ...question, name: "Theirs" })
    await sheet.getByRole("button", { name: "Save", exact: true }).click()
    await theirs.click()
    await page.locator(".saved-name").getByText("Theirs").waitFor()
    assert.strictEqual((await ask("GET", `${queries}/${saved.id}`)).spec.time.relative.value, 7)
    assert.deepStrictEqual(await leave(), [])
  })
})

import { assert, describe, it } from "@effect/vitest"
import { missingBrowser, sayWhatIsMissing } from "../../support/Browser.ts"
import { barriersOn } from "../../support/Visitor.ts"
import { configurationsOf, replace } from "../ConfigurationParts.ts"
import { inDemoStudio } from "../InBrowser.ts"
import { apiOf } from "../Team.ts"

sayWhatIsMissing()

describe.skipIf(missingBrowser !== null)("drafts of configurations that are kept", () => {
  const studio = inDemoStudio()
  const { patch, post, holdPrice } = configurationsOf(studio)

  it("are there again for who left the page, beside what somebody else publishes meanwhile", async () => {
    const { page, leave } = await studio.visit()
    const { id } = await post(page, "configuration", { name: "Kept", configuration: { price: 599, open: true } })
    await page.goto(`${studio.place}/configurations/${id}`)
    const price = page.getByLabel("price", { exact: true })
    const bar = page.getByRole("region", { name: "Draft" })
    await price.fill("700")
    await page.getByRole("link", { name: "Configurations", exact: true }).first().click()
    await page.getByRole("link", { name: "Kept" }).click()
    await page.getByText("Your draft was kept in this browser when you left.").waitFor()
    assert.strictEqual(await price.inputValue(), "700")
    await page.reload()
    await page.getByText("Your draft was kept in this browser when you left.").waitFor()
    assert.strictEqual(await price.inputValue(), "700")
    assert.deepStrictEqual(await barriersOn(page), [])

    // So is a text that is no JSON yet.
    await page.getByRole("radio", { name: "JSON" }).click()
    await replace(page.getByRole("textbox", { name: "Document as JSON" }), '{"price": 700, "open"')
    await page.getByText("The text is no JSON yet.").waitFor()
    await page.getByRole("link", { name: "Configurations", exact: true }).first().click()
    await page.getByRole("link", { name: "Kept" }).click()
    await page.getByText("The text is no JSON yet.").waitFor()
    await page.getByRole("button", { name: "Discard" }).click()
    await bar.waitFor({ state: "hidden" })
    await price.fill("700")

    // What somebody else publishes is told at once, joins the draft, and is asked about where both changed a value.
    await patch(page, String(id), [{ op: "set", path: ["open"], value: false }])
    await page.getByText(/published version 2 while you worked on version 1\. Your changes fit theirs/).waitFor()
    await page.getByText(/Version 2, published/).waitFor()
    await page.getByLabel("open", { exact: true }).and(page.locator(":not(:checked)")).waitFor()
    await bar.getByText("1 change is in your draft").waitFor()
    await patch(page, String(id), [{ op: "set", path: ["price"], value: 650 }])
    await page.getByText(/published version 3 .* Both of you changed price/).waitFor()
    await page.getByRole("button", { name: "Review" }).click()
    const review = page.getByRole("dialog")
    await review.getByRole("radio", { name: "Mine: 700" }).check()
    assert.deepStrictEqual(await review.locator(".change del").allTextContents(), ["650"])
    assert.deepStrictEqual(await barriersOn(page), [])

    // An experiment that has begun since is called by its name.
    const { id: experimentId } = await holdPrice(page, id)
    await review.getByLabel("Reason").fill("Dearer")
    await review.getByRole("button", { name: /^Publish to/ }).click()
    await review.getByText("The experiment Dearer holds price").waitFor()
    await review.getByRole("link", { name: "Dearer" }).click()
    await page.waitForURL(new RegExp(`/experiments/${experimentId}$`))

    // The sheet of a new one keeps what was typed into it, too.
    await page.getByRole("link", { name: "Configurations", exact: true }).first().click()
    await page.getByRole("button", { name: "New configuration" }).first().click()
    await page.getByRole("dialog").getByLabel("Document (JSON)").fill('{"a": 1}')
    await page.mouse.click(5, 5)
    await page.getByRole("dialog").waitFor({ state: "hidden" })
    await page.getByRole("button", { name: "New configuration" }).first().click()
    await page.getByText("What you typed here was kept").waitFor()
    assert.strictEqual(await page.getByLabel("Document (JSON)").inputValue(), '{"a": 1}')
    await page.getByRole("button", { name: "Discard it" }).click()
    assert.strictEqual(await page.getByLabel("Document (JSON)").inputValue(), "")
    assert.deepStrictEqual(await leave(), [])
  })

  it("of a map are there again, change what was typed alone, and its image keeps its shape meanwhile", async () => {
    const { page, leave } = await studio.visit()
    const { ask } = apiOf(page.request, studio.server.url)
    const bounds = { pointA: { x: 0, y: 0, z: 0 }, pointB: { x: 100, y: 10, z: 100 } }
    const maps = `/application/${studio.place.split("/")[2] ?? ""}/analytics/v1/heatmaps`
    const { id } = await ask("POST", maps, { name: "Harbour", bounds })
    await page.goto(`${studio.place}/heatmaps/${id}/edit`)
    const name = page.getByLabel("Name")
    const map = page.locator(".map")
    const heightOfWidth = async (): Promise<number> => {
      const { width, height } = (await map.boundingBox())!
      return height / width
    }
    const image = Buffer.from(
      '<svg xmlns="http://www.w3.org/2000/svg" width="400" height="100"><rect width="400" height="100"/></svg>'
    )
    await page.getByLabel(/^Image/).setInputFiles({ name: "wide.svg", mimeType: "image/svg+xml", buffer: image })
    await page.waitForFunction(
      () => document.querySelector(".map")?.clientHeight !== document.querySelector(".map")?.clientWidth
    )
    assert.closeTo(await heightOfWidth(), 0.25, 0.01)
    await name.fill("The old harbour")
    assert.closeTo(await heightOfWidth(), 0.25, 0.01)

    await page.getByRole("link", { name: "Back to the map" }).click()
    await page.goBack()
    await page.getByText("What you changed of this map was kept").waitFor()
    assert.strictEqual(await name.inputValue(), "The old harbour")
    assert.deepStrictEqual(await barriersOn(page), [])
    const moved = { pointA: { x: -50, y: 0, z: -50 }, pointB: { x: 150, y: 10, z: 150 } }
    await ask("PUT", `${maps}/${id}`, { name: "Harbour", bounds: moved, resolutionFactor: 2 })
    await page.getByRole("button", { name: "Save the map" }).click()
    await page.getByRole("heading", { level: 1, name: "The old harbour" }).waitFor()
    assert.deepInclude(await ask("GET", `${maps}/${id}`), {
      name: "The old harbour",
      bounds: moved,
      resolutionFactor: 2
    })
    await page.goto(`${studio.place}/heatmaps/${id}/edit`)
    await name.and(page.locator('[value="The old harbour"]')).waitFor()
    assert.strictEqual(await page.getByText("What you changed of this map was kept").count(), 0)
    assert.deepStrictEqual(await leave(), [])
  })

  it("of a role are there again, and another one is begun after them alone", async () => {
    const { page, leave } = await studio.visit()
    await page.goto(`${studio.place}/settings/roles`)
    await page.getByRole("button", { name: "Copy Viewer" }).click()
    const name = page.getByRole("textbox", { name: /^Name/ })
    await name.fill("Economy designer")
    await page.getByRole("checkbox", { name: "Economy designer: configurations:write" }).check()
    await page.getByRole("button", { name: "Copy Analyst" }).click({ force: true })
    await page.getByText("Review or discard the draft first.").first().waitFor()
    assert.strictEqual(await name.inputValue(), "Economy designer")
    await page.getByRole("link", { name: "Members", exact: true }).click()
    await page.getByRole("heading", { level: 1, name: "Members" }).waitFor()
    await page.goBack()
    await page.getByText("This role was kept in this browser when you left.").waitFor()
    assert.strictEqual(await name.inputValue(), "Economy designer")
    assert.isTrue(await page.getByRole("checkbox", { name: "Economy designer: configurations:write" }).isChecked())
    assert.deepStrictEqual(await barriersOn(page), [])
    await page.getByRole("button", { name: "Discard", exact: true }).click()
    await page.getByRole("button", { name: "Copy Analyst" }).click()
    assert.strictEqual(await name.inputValue(), "Copy of Analyst")
    await page.getByRole("button", { name: "Discard", exact: true }).click()
    await page.reload()
    await page.getByRole("button", { name: "Copy Analyst" }).waitFor()
    assert.strictEqual(await name.count(), 0)
    assert.deepStrictEqual(await leave(), [])
  })

  it("of a new map are saved once, though its image is refused", async () => {
    const { page, leave } = await studio.visit()
    const { ask } = apiOf(page.request, studio.server.url)
    await page.goto(`${studio.place}/heatmaps/new`)
    const name = page.getByLabel("Name")
    await name.fill("Lighthouse")
    await page
      .getByLabel(/^Image/)
      .setInputFiles({ name: "broken.png", mimeType: "image/png", buffer: Buffer.from("no image") })
    await page.getByRole("button", { name: "Save the map" }).click()
    await page.getByRole("alert").filter({ hasText: /\S/ }).waitFor()
    assert.strictEqual(await name.inputValue(), "Lighthouse")
    await page.reload()
    assert.strictEqual(await name.inputValue(), "")
    assert.strictEqual(await page.getByText("was kept in this browser").count(), 0)
    const { items } = await ask("GET", `/application/${studio.place.split("/")[2] ?? ""}/analytics/v1/heatmaps`)
    const made = items.filter((map: { readonly name: string }) => map.name === "Lighthouse")
    assert.strictEqual(made.length, 1)
    assert.deepStrictEqual(await leave(), [])
  })

  it("of an experiment that runs are there again for who has looked at its results", async () => {
    const { page, leave } = await studio.visit()
    const { id: baseId } = await post(page, "configuration", { name: "Edited", configuration: { price: 599 } })
    const { id } = await holdPrice(page, baseId)
    await page.goto(`${studio.place}/experiments/${id}?tab=setup`)
    const edit = page.getByRole("button", { name: "Edit name, notes and goals" })
    const notes = page.getByRole("textbox", { name: "Notes", exact: true })
    const told = page.getByText("What you changed of this was kept in this browser when you left.")
    await edit.click()
    await notes.fill("Asked for by the community")
    await page.getByRole("button", { name: "Add a guardrail" }).click()
    await page.getByRole("radio", { name: "Results" }).click()
    await edit.waitFor({ state: "detached" })
    await page.getByRole("radio", { name: "Setup" }).click()
    await told.waitFor()
    assert.deepStrictEqual(await barriersOn(page), [])
    await page.getByRole("button", { name: "Go on with it" }).click()
    assert.strictEqual(await notes.inputValue(), "Asked for by the community")
    await page.getByRole("combobox", { name: /^Marker: Choose/ }).click()
    await page.getByRole("option", { name: /^Login/ }).click()
    await page.getByRole("button", { name: "Save", exact: true }).click()
    await page.getByRole("region", { name: "Who and what for" }).getByText("Asked for by the community").waitFor()
    const { ask } = apiOf(page.request, studio.server.url)
    const saved = await ask("GET", `/application/${studio.place.split("/")[2]}/v2/experiments/${id}`)
    assert.lengthOf(saved.metrics.guardrails, 1)
    await page.reload()
    await edit.waitFor()
    assert.strictEqual(await told.count(), 0)
    assert.deepStrictEqual(await leave(), [])
  })

  it("of a rollout, of shares and of a planned end are there again, until somebody changes these", async () => {
    const { page, leave } = await studio.visit()
    const { id: baseId } = await post(page, "configuration", { name: "Typed", configuration: { price: 599 } })
    const { id, groups: made } = await holdPrice(page, baseId)
    const { ask } = apiOf(page.request, studio.server.url)
    const path = `/application/${studio.place.split("/")[2]}/v2/experiments/${id}`
    await page.goto(`${studio.place}/experiments/${id}?tab=setup`)
    const day = new Date(Date.now() + 40 * 86_400_000).toISOString().slice(0, 10)
    const groups = page.getByRole("region", { name: "Groups", exact: true })
    const fields = [
      [page.getByLabel("Percent of players"), "35"],
      [page.getByLabel("Day of the step"), day],
      [page.getByLabel("Percent from then on"), "70"],
      [page.getByLabel("Day of the planned end"), day],
      [groups.getByLabel("As it is"), "40"]
    ] as const
    await groups.getByRole("button", { name: "Change the shares" }).click()
    for (const [field, text] of fields) await field.fill(text)
    await page.getByRole("radio", { name: "Results" }).click()
    await groups.waitFor({ state: "detached" })
    await page.getByRole("radio", { name: "Setup" }).click()
    for (const [field, text] of fields) assert.strictEqual(await field.inputValue(), text)
    assert.strictEqual(await page.getByText("was kept in this browser when you left").count(), 4)
    assert.deepStrictEqual(await barriersOn(page), [])
    await page.getByRole("button", { name: "Plan a step" }).click()
    await page.getByText("planned", { exact: true }).waitFor()
    await page.getByRole("button", { name: "Set to 35 %" }).click()
    await page.getByRole("button", { name: "At 35 %" }).waitFor()
    assert.strictEqual(await groups.getByLabel("As it is").inputValue(), "40")

    const weights = made.map(({ id: groupId }: { readonly id: number }, nth: number) => ({
      groupId,
      weight: nth === 0 ? 3000 : 7000
    }))
    await ask("PATCH", path, { weights })
    await groups.getByText("70 % of new players").waitFor()
    await page.reload()
    await groups.getByText("70 % of new players").waitFor()
    assert.strictEqual(await groups.getByLabel("As it is").count(), 0)
    assert.strictEqual(await page.getByLabel("Day of the planned end").inputValue(), day)
    assert.deepStrictEqual(await leave(), [])
  })
})

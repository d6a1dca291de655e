import { assert, describe, it } from "@effect/vitest"
import { missingBrowser, sayWhatIsMissing } from "../../support/Browser.ts"
import { inDemoStudio } from "../InBrowser.ts"
import { apiOf } from "../Team.ts"

sayWhatIsMissing()

const groupOf = (name: string, weight: number, price: number) => ({
  name,
  weight,
  changeset: { operations: [{ op: "set", path: ["price"], value: price }] }
})

describe.skipIf(missingBrowser !== null)("groups of an experiment", () => {
  const studio = inDemoStudio()

  it("take new shares without those that were dropped, and are of game servers where these are put into them", async () => {
    const { page, leave } = await studio.visit()
    const { ask } = apiOf(page.request, studio.server.url)
    const root = `/application/${studio.place.split("/")[2]}/v2`
    const { id: baseConfigurationId } = await ask("POST", `${root}/configuration`, {
      name: "Maps",
      configuration: { price: 10 }
    })
    const made = await ask("POST", `${root}/experiments`, {
      name: "Prices by server",
      unitType: "server",
      assignmentMode: "weightedHash",
      baseConfigurationId,
      groups: [
        { name: "As it is", weight: 5000, isControl: true },
        groupOf("Cheap", 3000, 5),
        groupOf("Dear", 2000, 20)
      ]
    })
    const path = `${root}/experiments/${made.id}`
    await page.goto(`${studio.place}/experiments/${made.id}?tab=setup`)
    const groups = page.getByRole("region", { name: "Groups" })
    await groups.getByText("20 % of new game servers · 0 game servers in it").waitFor()
    await groups.getByRole("button", { name: "Drop Dear" }).click()
    await page.getByText("Its 0 game servers get the base from their next poll on.").waitFor()
    await page.getByRole("button", { name: "Drop the group" }).click()
    await groups.getByText("dropped", { exact: true }).waitFor()
    assert.isTrue(await groups.getByRole("button", { name: "Drop Dear" }).isDisabled())
    await groups.getByRole("button", { name: "Change the shares" }).click()
    assert.strictEqual(await groups.getByRole("spinbutton").count(), 2)
    await groups.getByLabel("As it is").fill("10")
    await groups.getByRole("spinbutton", { name: /^Cheap/ }).fill("90")
    await groups.getByRole("button", { name: "Save the shares" }).click()
    await groups.getByText("90 % of new game servers").waitFor()
    const { groups: present } = await ask("GET", path)
    assert.deepStrictEqual(
      present.map(({ weight }: { readonly weight: number }) => weight),
      [1000, 9000, 0]
    )
    assert.deepStrictEqual(await leave(), [])
  })

  it("take one step of their rollout by a double click, however soon that is done", async () => {
    const { page, leave } = await studio.visit()
    const { ask } = apiOf(page.request, studio.server.url)
    const root = `/application/${studio.place.split("/")[2]}/v2`
    const { id: baseConfigurationId } = await ask("POST", `${root}/configuration`, {
      name: "Arena",
      configuration: { price: 10 }
    })
    const { id } = await ask("POST", `${root}/experiments`, {
      name: "Ramped arena",
      unitType: "user",
      assignmentMode: "weightedHash",
      baseConfigurationId,
      rollout: {
        percent: 10,
        steps: [20, 60, 90].map((percent, day) => ({ at: `2099-01-0${day + 1}T00:00:00Z`, percent }))
      },
      groups: [{ name: "As it is", weight: 5000, isControl: true }, groupOf("Dear", 5000, 20)]
    })
    await page.goto(`${studio.place}/experiments/${id}?tab=setup`)
    const rollout = page.getByRole("region", { name: "Rollout" })
    const next = rollout.getByRole("button", { name: "Take the next step now" })
    await next.click()
    await rollout.getByRole("button", { name: "At 20 %" }).waitFor()
    await next.and(page.locator(":enabled")).waitFor()
    await next.dispatchEvent("click", { detail: 2 })
    await page.reload()
    await rollout.getByRole("button", { name: "At 20 %" }).waitFor()
    assert.strictEqual((await ask("GET", `${root}/experiments/${id}/rollout`)).percent, 20)
    assert.deepStrictEqual(await leave(), [])
  })

  it("are not closed to new players by who empties the field to type another share", async () => {
    const { page, leave } = await studio.visit()
    const { ask } = apiOf(page.request, studio.server.url)
    const root = `/application/${studio.place.split("/")[2]}/v2`
    const { id: baseConfigurationId } = await ask("POST", `${root}/configuration`, {
      name: "Harbour",
      configuration: { price: 10 }
    })
    const { id } = await ask("POST", `${root}/experiments`, {
      name: "Ramped harbour",
      unitType: "user",
      assignmentMode: "weightedHash",
      baseConfigurationId,
      rollout: { percent: 10 },
      groups: [{ name: "As it is", weight: 5000, isControl: true }, groupOf("Dear", 5000, 20)]
    })
    await page.goto(`${studio.place}/experiments/${id}?tab=setup`)
    const rollout = page.getByRole("region", { name: "Rollout" })
    const field = rollout.getByLabel("Percent of players")
    const button = rollout.getByRole("button", { name: /^(At|Set to) / })
    for (const [typed, shown, words] of [
      ["", "", "At 10 %"],
      ["2.5", "2.5", "Set to 2.5 %"],
      ["250", "100", "Set to 100 %"],
      ["-3", "0", "Set to 0 %"]
    ] as const) {
      await field.fill(typed)
      await rollout.getByRole("button", { name: words, exact: true }).waitFor()
      assert.strictEqual(await field.inputValue(), shown)
    }
    await field.fill("")
    assert.isTrue(await button.isDisabled())
    assert.strictEqual(await rollout.getByRole("slider").inputValue(), "10")
    await field.pressSequentially("12.5")
    await rollout.getByRole("button", { name: "Set to 12.5 %" }).click()
    await rollout.getByRole("button", { name: "At 12.5 %" }).waitFor()
    assert.strictEqual((await ask("GET", `${root}/experiments/${id}/rollout`)).percent, 12.5)
    assert.deepStrictEqual(await leave(), [])
  })
})

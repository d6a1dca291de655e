import { assert, describe, it } from "@effect/vitest"
import type { Locator, Page } from "playwright-core"
import { missingBrowser, sayWhatIsMissing } from "../../support/Browser.ts"
import { gameOf } from "../GameOf.ts"
import { apiOf, joinTeam } from "../Team.ts"
import { inDemoStudio, isOpenEverywhere } from "../InBrowser.ts"

sayWhatIsMissing()

const choose = async (page: Page, picker: RegExp, option: RegExp, at = 0) => {
  await page.getByRole("combobox", { name: picker }).nth(at).click()
  await page.getByRole("option", { name: option }).first().click()
}

/** Why a button is denied, as it is read to who reaches it. */
const reasonOf = async (page: Page, button: Locator) => {
  const id = await button.getAttribute("aria-describedby")
  return (id === null ? await button.getAttribute("title") : await page.locator(`[id="${id}"]`).textContent()) ?? ""
}

describe.skipIf(missingBrowser !== null)("experiments", () => {
  const studio = inDemoStudio()

  const applicationId = () => Number(studio.place.split("/")[2])
  const root = () => `/application/${applicationId()}/v2`
  const headers = () => ({ origin: studio.server.url })

  const json = async (page: Page, path: string) => (await page.request.get(path)).json()

  it("one is planned, kept as a draft, made, ramped, paused, re-weighed and ended with its winner in the game", async () => {
    const { page, leave } = await studio.visit()
    page.setDefaultTimeout(90_000)
    await page.goto(`${studio.place}/experiments`)
    await page.getByRole("link", { name: "Cheaper starter pack" }).waitFor()
    await page.getByText("Winning", { exact: true }).waitFor()
    await page.keyboard.press("n")
    await page.waitForURL(/\/experiments\/new$/)
    const start = page.getByRole("button", { name: "Start the experiment" })
    await start.click()
    await page.getByText("4 things are not right yet").waitFor()
    await page.getByText("Give it a name").waitFor()

    await page.getByLabel("Name", { exact: true }).fill("Bigger daily reward")
    await choose(page, /^Base configuration/, /^Economy/)
    await page.getByRole("button", { name: "Change values of Changed" }).click()
    const sheet = page.getByRole("dialog")
    const held = sheet.getByLabel("shop › starterPack › price", { exact: true })
    assert.isTrue(await held.isDisabled())
    await sheet.getByRole("link", { name: "held by Cheaper starter pack" }).waitFor()
    await sheet.getByLabel("rewards › daily", { exact: true }).fill("35")
    await sheet.getByRole("button", { name: "Done" }).click()
    await page.getByLabel("Share of Changed").fill("40")
    await page.getByText("The shares add up to 90 %, not to 100 %").waitFor()
    await page.getByRole("button", { name: "Split evenly" }).click()
    await page.getByLabel("Name of group 2").fill("As it is")
    await page.getByText("Two groups are called As it is").waitFor()
    await page.getByLabel("Name of group 2").fill("Thirty-five gems")
    await choose(page, /^Marker: /, /^Purchase/)
    await page.getByText(/^Now \d[\d.]* %, of [\d,]+ players$/).waitFor()
    await page
      .getByText(/^To see \+10 % you need [\d,]+ players a group: about [\d,]+ days? at today's pace\.$/)
      .waitFor()
    await page.getByLabel("Share of players at the start", { exact: true }).fill("20")

    await page.reload()
    assert.strictEqual(await page.getByLabel("Name", { exact: true }).inputValue(), "Bigger daily reward")
    await page.getByText("rewards › daily").first().waitFor()
    await page.getByRole("button", { name: "Save draft" }).click()
    await page.waitForURL(/\/experiments\/\d+$/)
    await page.getByRole("heading", { name: "Bigger daily reward" }).waitFor()
    await page.getByText("Saved. It starts in Production as soon as it is started.").waitFor()
    await page.getByLabel("Percent held out").fill("2")
    await page.reload()
    await page.getByText("Not saved yet.").waitFor()
    await page.getByRole("button", { name: "Save", exact: true }).click()
    await page.getByText(/^Saved\./).waitFor()
    await page.goto(`${studio.place}/experiments?status=drafts`)
    await page.getByRole("cell", { name: "Draft", exact: true }).waitFor()
    await page.getByRole("link", { name: "Bigger daily reward" }).click()
    await start.click()
    await page.waitForURL(/\/experiments\/\d+\?tab=setup$/)
    const id = /experiments\/(\d+)/.exec(page.url())?.[1] ?? ""
    const made = () => json(page, `${root()}/experiments/${id}`)
    assert.deepInclude(await made(), {
      name: "Bigger daily reward",
      status: "active",
      holdoutPercent: 2,
      rollout: { percent: 20, steps: [] }
    })

    const rollout = page.getByRole("region", { name: "Rollout" })
    await rollout.getByLabel("Percent of players").fill("80")
    await rollout.getByRole("button", { name: "Set to 80 %" }).click()
    await rollout.getByRole("button", { name: "At 80 %" }).waitFor()
    await rollout.getByLabel("Percent of players").fill("10")
    await rollout.getByText("Nobody is thrown out when you lower it: who is in a group stays there, and").waitFor()
    await rollout.getByRole("button", { name: "Set to 10 %" }).click()
    await rollout.getByText("set to 10 %").waitFor()
    await rollout.getByRole("button", { name: "Plan a step" }).click()
    await rollout.getByText("planned", { exact: true }).waitFor()
    await rollout.getByRole("button", { name: "Pause" }).click()
    await rollout.getByRole("button", { name: "Resume" }).waitFor()
    assert.strictEqual((await made()).status, "paused")
    await rollout.getByRole("button", { name: "Resume" }).click()
    await rollout.getByRole("button", { name: "Pause" }).waitFor()

    const groups = page.getByRole("region", { name: "Groups" })
    await groups.getByRole("button", { name: "Change the shares" }).click()
    await groups.getByLabel("As it is").fill("30")
    await groups.getByText("The shares add up to 80 %, not to 100 %.").waitFor()
    await groups.getByLabel("Thirty-five gems").fill("70")
    await groups.getByRole("button", { name: "Save the shares" }).click()
    await groups.getByText("70 % of new players").waitFor()

    await page.getByRole("button", { name: "Edit name, notes and goals" }).click()
    const editing = page.getByRole("form", { name: "Edit Bigger daily reward" })
    await editing.getByLabel("Notes", { exact: true }).fill("Asked for by the community")
    await editing.getByRole("button", { name: "Add a guardrail" }).click()
    await editing.getByText(/^What is added after the start is exploratory/).waitFor()
    await choose(page, /^Marker: Choose/, /^Login/)
    await editing.getByRole("button", { name: "Save", exact: true }).click()
    await editing.waitFor({ state: "detached" })
    const purpose = page.getByRole("region", { name: "Who and what for" })
    await purpose.getByText("Asked for by the community").waitFor()
    const { metrics } = await made()
    assert.deepStrictEqual(
      [...metrics.goals, ...metrics.guardrails].map(({ id }: { id: string }) => id),
      ["players-with-purchase-1", "players-with-login-2"]
    )

    const play = await gameOf(page, studio, "Economy")
    await page.getByRole("button", { name: "End and decide …" }).click()
    await sheet.getByRole("radio", { name: "Thirty-five gems" }).check()
    await sheet.getByText("Nothing is written").waitFor()
    await sheet.getByRole("checkbox", { name: /^Write the changes of Thirty-five gems/ }).check()
    await sheet.getByText("rewards › daily").waitFor()
    const end = sheet.getByRole("button", { name: "End it and write the changes" })
    await sheet.getByLabel("Reason").fill("More players come back")
    assert.isTrue(await end.isDisabled())
    await sheet.getByLabel("Type the name of the experiment to confirm").fill("Bigger daily reward")
    await end.click()
    await page.getByText(/Thirty-five gems won: “More players come back”/).waitFor()
    assert.deepInclude(await made(), { status: "terminated", terminationReason: "More players come back" })
    assert.strictEqual((await play("somebody-new")).rewards.daily, 35)
    assert.isTrue(await rollout.getByRole("button", { name: "Pause" }).isDisabled())

    await page.getByRole("button", { name: "Copy", exact: true }).click()
    await page.getByRole("heading", { name: "Bigger daily reward (copy)" }).waitFor()
    await page.getByRole("button", { name: "Delete draft" }).click()
    await sheet.getByRole("button", { name: "Delete draft" }).click()
    await page.waitForURL(/\/experiments$/)
    await page.getByRole("link", { name: "Bigger daily reward", exact: true }).waitFor()
    assert.strictEqual(await page.getByText("Bigger daily reward (copy)").count(), 0)
    assert.deepStrictEqual(await leave(), [])
  })

  it("stand in a calendar with what they hold, and are found by status and words", async () => {
    const { page, leave } = await studio.visit()
    await page.goto(`${studio.place}/experiments?view=calendar&status=running`)
    const lane = page.getByRole("listitem").filter({ has: page.getByRole("link", { name: "Cheaper starter pack" }) })
    await lane.getByText("shop › starterPack › price").waitFor()
    await lane.getByText(/^Running · since .* · no end planned$/).waitFor()
    assert.strictEqual(await page.getByRole("link", { name: "Bigger daily reward" }).count(), 0)
    await page.getByRole("radio", { name: "Ended" }).click()
    await page.getByText(/^Ended early · since/).waitFor()
    await page.getByRole("button", { name: "Earlier" }).click()
    await page.waitForURL(/weeks=-6/)
    await page.getByRole("button", { name: "Today" }).click()
    await page.getByRole("radio", { name: "Table" }).click()
    await page.getByRole("searchbox", { name: "Search experiments" }).fill("nothing like it")
    await page.getByText("No such experiment").waitFor()
    assert.deepStrictEqual(await leave(), [])
  })

  it("a Viewer sees all of it, is told beforehand what is not allowed, and asks for nothing that is refused", async () => {
    const { context: owner, leave: ownerLeaves } = await studio.visit()
    const { page, context, leave } = await studio.visit({ storageState: { cookies: [], origins: [] } })
    const origin = studio.server.url
    await joinTeam(apiOf(owner.request, origin), apiOf(context.request, origin), "Viewer", "vera@studio.example")
    assert.deepStrictEqual(await ownerLeaves(), [])
    const refusals: Array<string> = []
    page.on("response", (response) => {
      if (response.status() === 403) refusals.push(response.url())
    })
    await page.goto(`${studio.place}/experiments`)
    await page.getByRole("link", { name: "Cheaper starter pack" }).waitFor()
    const create = page.getByRole("button", { name: "New experiment" })
    assert.isTrue(await create.isDisabled())
    assert.match(await reasonOf(page, create), /experiments:write/)
    const address = (await page.getByRole("link", { name: "Cheaper starter pack" }).getAttribute("href")) ?? ""
    await page.goto(`${address}?tab=setup`)
    await page.getByText(/You may look at this, not change it/).waitFor()
    await page.getByRole("button", { name: "At 100 %" }).waitFor()
    for (const name of ["Pause", "At 100 %", "Change the shares", "Drop Pack for 0.99", "End and decide …"]) {
      const button = page.getByRole("button", { name, exact: true })
      assert.isTrue(await button.isDisabled(), name)
      assert.match(await reasonOf(page, button), /experiments:write/, name)
    }
    await page.goto(`${studio.place}/experiments/new`)
    await page.getByText(/You may plan an experiment here, not make it/).waitFor()
    await page.locator(".plan-count b").waitFor()
    assert.isTrue(await page.getByRole("button", { name: "Start the experiment" }).isDisabled())
    assert.deepStrictEqual(refusals, [])
    assert.deepStrictEqual(await leave(), [])
  })

  it("every page is open to everybody in both themes, on a desk and on a phone", async () => {
    const { page, leave } = await studio.visit()
    const copied = await page.request.post(`${root()}/experiments/2/copy`, { headers: headers() })
    const draft: { readonly id: number } = await copied.json()
    const pages: ReadonlyArray<readonly [address: string, shown: string]> = [
      [`${studio.place}/experiments`, ".verdict-winning"],
      [`${studio.place}/experiments?view=calendar`, ".lane"],
      [`${studio.place}/experiments?search=no-such-experiment`, ".empty"],
      [`${studio.place}/experiments/new`, ".plan-count b"],
      [`${studio.place}/experiments/${draft.id}`, ".plan-count b"],
      [`${studio.place}/experiments/2?tab=setup`, ".rollout"]
    ]
    for (const [path, shown] of pages) {
      await page.goto(path)
      await page.locator(shown).first().waitFor()
      await page.locator(".skeleton").first().waitFor({ state: "detached" })
      await isOpenEverywhere(page, path)
    }
    await page.getByRole("button", { name: "Edit name, notes and goals" }).click()
    await page.getByRole("button", { name: "Add a goal" }).click()
    await isOpenEverywhere(page, "what is edited while it runs")
    await page.getByRole("button", { name: "Leave it" }).click()
    await page.getByRole("button", { name: "End and decide …" }).click()
    await page.getByRole("radio", { name: "Pack for 0.99" }).check()
    await page.getByRole("checkbox", { name: /^Write the changes/ }).check()
    await isOpenEverywhere(page, "the end")
    await page.goto(`${studio.place}/experiments/new`)
    await choose(page, /^Base configuration/, /^Economy/)
    await page.getByRole("button", { name: "Change values of Changed" }).click()
    await page.getByLabel("rewards › daily", { exact: true }).fill("35")
    await isOpenEverywhere(page, "changes of a group")
    await page.getByRole("button", { name: "Done" }).click()
    await page.getByRole("button", { name: "Add a condition" }).click()
    await page.getByRole("button", { name: "Start the experiment" }).click()
    await page.getByText("things are not right yet").waitFor()
    await isOpenEverywhere(page, "a plan with problems")
    assert.deepStrictEqual(await leave(), [])
  })
})

import { assert, describe, it } from "@effect/vitest"
import type { Page } from "playwright-core"
import { inDemoStudio } from "../InBrowser.ts"
import { missingBrowser, sayWhatIsMissing } from "../../support/Browser.ts"
import { barriersOn } from "../../support/Visitor.ts"

sayWhatIsMissing()

describe.skipIf(missingBrowser !== null)("drafts of configurations in the browser", () => {
  const studio = inDemoStudio()

  const at = () => `/application/${studio.place.split("/")[2] ?? ""}/v2/configuration`

  const make = async (page: Page, data: object): Promise<string> => {
    const answer = await page.request.post(at(), { data, headers: { origin: studio.server.url } })
    assert.strictEqual(answer.status(), 201, await answer.text())
    return String((await answer.json()).id)
  }

  const live = async (page: Page, id: string) => (await (await page.request.get(`${at()}/${id}`)).json()).configuration

  it("begin with what an address proposes, publish nothing by themselves, and are forgotten when they are discarded", async () => {
    const { page, leave } = await studio.visit()
    const id = await make(page, {
      name: "Proposed",
      configuration: { price: 499, banner: "summer" }
    })
    const changes = [
      { op: "set", path: ["price"], value: 399 },
      { op: "set", path: ["shop", "open"], value: true },
      { op: "remove", path: ["banner"] }
    ]
    const address = `${studio.place}/configurations/${id}?${new URLSearchParams({ changes: JSON.stringify(changes) }).toString()}`
    await page.goto(address)
    await page.getByText("The address of this page has filled in the draft.").waitFor()
    await page.getByText("3 changes are in your draft").waitFor()
    assert.deepStrictEqual(await live(page, id), { price: 499, banner: "summer" })
    await page.getByRole("button", { name: "Discard" }).click()
    await page.getByText("The address of this page has filled in the draft.").waitFor({ state: "hidden" })
    assert.strictEqual(new URL(page.url()).search, "")
    assert.strictEqual(await page.getByLabel("price", { exact: true }).inputValue(), "499")

    await page.goto(address)
    await page.getByRole("button", { name: "Review" }).click()
    await page.getByRole("dialog").getByLabel("Reason").fill("As proposed")
    await page
      .getByRole("dialog")
      .getByRole("button", { name: /^Publish to/ })
      .click()
    await page
      .getByRole("status")
      .getByText(/is live in/)
      .waitFor()
    assert.deepStrictEqual(await live(page, id), { price: 399, shop: { open: true } })
    assert.strictEqual(new URL(page.url()).search, "")
    assert.deepStrictEqual(await leave(), [])
  })

  it("take no number from the beginning of a text that is none, and values of other types without losing the field", async () => {
    const { page, leave } = await studio.visit()
    const id = await make(page, { name: "Typed", configuration: { price: 499, bonus: null } })
    await page.goto(`${studio.place}/configurations/${id}`)
    const price = page.getByLabel("price", { exact: true })
    const bar = page.getByRole("region", { name: "Draft" })
    await price.fill("")
    await price.pressSequentially("4,99")
    await page.getByText("Type a number, such as 4.99: it stays 499 so far.").waitFor()
    assert.strictEqual(await price.inputValue(), "4,99")
    assert.strictEqual(await bar.count(), 0)
    assert.deepStrictEqual(await barriersOn(page), [])
    await price.fill("")
    await price.pressSequentially("4.99")
    await page.getByText("Type a number").waitFor({ state: "hidden" })
    const bonus = page.getByLabel("bonus, as JSON")
    await bonus.fill("")
    await page.keyboard.type("2,5")
    assert.strictEqual(await bonus.inputValue(), "2,5")
    await page.getByText(/^This is no JSON yet .*: the value stays as it was so far\.$/).waitFor()
    assert.deepStrictEqual(await barriersOn(page), [])
    await bar.getByText("1 change is in your draft").waitFor()
    await bonus.fill("")
    await page.keyboard.type("250")
    await page.keyboard.press("Tab")
    assert.strictEqual(await page.getByLabel("bonus", { exact: true }).inputValue(), "250")
    await bar.getByText("2 changes are in your draft").waitFor()
    await page.getByRole("button", { name: "Review" }).click()
    await page.getByRole("dialog").getByLabel("Reason").fill("Cheaper")
    await page
      .getByRole("dialog")
      .getByRole("button", { name: /^Publish to/ })
      .click()
    await page
      .getByRole("status")
      .getByText(/is live in/)
      .waitFor()
    assert.deepStrictEqual(await live(page, id), { price: 4.99, bonus: 250 })
    assert.deepStrictEqual(await leave(), [])
  })
})

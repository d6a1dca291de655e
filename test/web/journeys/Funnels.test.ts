import { assert, describe, it } from "@effect/vitest"
import type { Page } from "playwright-core"
import { missingBrowser, sayWhatIsMissing } from "../../support/Browser.ts"
import { barriersOn } from "../../support/Visitor.ts"
import { inDemoStudio, isOpenEverywhere, isOpenToEverybody, screens } from "../InBrowser.ts"

sayWhatIsMissing()

describe.skipIf(missingBrowser !== null)("a funnel", () => {
  const studio = inDemoStudio()

  it("has steps that move by drag and by keys, and a rate over time", async () => {
    const { page, leave } = await studio.visit()
    await page.goto(`${studio.place}/funnels?s=Install&s=ShopOpened&s=Purchase`)
    await page.getByText("Most players are lost between").waitFor()
    const last = page.getByRole("combobox", { name: "Step 3: Purchase" })
    await last.focus()
    await page.keyboard.press("Alt+ArrowUp")
    await page.waitForURL(/s=Install&s=Purchase&s=ShopOpened/)
    await page.keyboard.press("Alt+ArrowUp")
    await page.waitForURL(/s=Purchase&s=Install&s=ShopOpened/)
    await page.getByText("Purchase is step 1 now").waitFor({ state: "attached" })
    const handles = page.locator(".step-handle")
    await handles.first().dragTo(handles.nth(2))
    await page.waitForURL(/s=Install&s=ShopOpened&s=Purchase/)
    await page.getByRole("radio", { name: "Over time" }).click()
    await page.getByRole("img", { name: /share of players who pass all steps$/ }).waitFor()
    assert.deepStrictEqual(await barriersOn(page), [])
    assert.deepStrictEqual(await leave(), [])
  })

  it("has filters for each step, which its address and a saved question keep", async () => {
    const { page, leave } = await studio.visit()
    await page.goto(`${studio.place}/funnels?s=Install&s=Purchase`)
    const left = page.locator(".funnel-link").nth(1)
    await left.waitFor()
    const all = await left.innerText()
    await page.getByRole("combobox", { name: "Add a filter of step 2" }).click()
    await page.getByRole("option", { name: /^price/ }).click()
    await page.getByRole("combobox", { name: /^Comparison/ }).click()
    await page.getByRole("option", { name: ">", exact: true }).click()
    await page.getByLabel("Value of price").fill("5")
    await page.waitForURL(/f2=argument:price:greaterThan:5/)
    await page.getByText("Install to Purchase (price > 5) within 7 days").waitFor()
    await page.waitForFunction((before) => document.querySelectorAll(".funnel-link")[1]?.textContent !== before, all)
    await isOpenToEverybody(page, "filters of a step")
    await page.keyboard.press("Escape")
    await page.getByRole("combobox", { name: "Step 2: Purchase" }).focus()
    await page.keyboard.press("Alt+ArrowUp")
    await page.waitForURL(/s=Purchase&f1=argument:price:greaterThan:5&s=Install/)
    assert.deepStrictEqual(await leave(), [])
  })

  it.each(screens)("is broken down in every shape ($width px)", async ({ width }) => {
    const { page, leave } = await studio.visit({
      colorScheme: width === 390 ? "dark" : "light",
      viewport: { width, height: 900 }
    })
    await page.goto(`${studio.place}/funnels?s=Install&s=ShopOpened&s=Purchase`)
    await page.getByRole("combobox", { name: "Break down by: Nothing" }).click()
    await page.getByRole("option", { name: /^platform/ }).click()
    await page.waitForURL(/by=property:platform/)
    const bars = page.locator(".funnel-groups .funnel-bar")
    await bars.first().waitFor()
    assert.strictEqual(await bars.count(), 9)
    await isOpenToEverybody(page, "groups")
    await page.getByRole("button", { name: "ios", exact: true }).click()
    await page.waitForURL(/hide=ios/)
    await bars.nth(6).waitFor({ state: "detached" })
    await page.getByRole("button", { name: "ios", exact: true }).click()
    await bars.nth(6).waitFor()
    await page.getByRole("radio", { name: "Over time" }).click()
    await page.locator(".chart-line").nth(2).waitFor({ state: "attached" })
    await isOpenToEverybody(page, "groups over time")
    await page.getByRole("radio", { name: "Time to convert" }).click()
    await page.locator(".histogram").nth(2).waitFor()
    await page.getByRole("combobox", { name: "From step: 1 Install" }).click()
    await page.getByRole("option", { name: "2 ShopOpened" }).click()
    await page.waitForURL(/between=2:3/)
    await page.getByRole("list", { name: "ios, time from ShopOpened to Purchase" }).waitFor()
    await isOpenToEverybody(page, "times to convert")
    assert.deepStrictEqual(await leave(), [])
  })

  const save = async (page: Page, name: string) => {
    await page.keyboard.press("s")
    const dialog = page.getByRole("dialog", { name: "Save the question" })
    await dialog.getByLabel("Name").fill(name)
    await dialog.getByRole("button", { name: "Save" }).click()
    await page.waitForURL(/\?q=[0-9a-f-]{36}$/)
  }

  it("shows all that it says on a board, in the colours of its page", async () => {
    const { page, leave } = await studio.visit()
    await page.goto(`${studio.place}/funnels?s=Install&s=TutorialCompleted&s=Purchase`)
    await page.locator(".funnel").waitFor()
    await save(page, "All together")
    await page.goto(`${studio.place}/funnels?s=Install&s=TutorialCompleted&s=Purchase`)
    await page.locator(".funnel").waitFor()
    await page.getByRole("combobox", { name: /^Break down by/ }).click()
    await page.getByRole("option", { name: /^platform/ }).click()
    const swatches = (scope: string) =>
      page.locator(`${scope} .swatch`).evaluateAll((all) => all.map((each) => getComputedStyle(each).backgroundColor))
    await page.locator(".group-table .swatch").first().waitFor()
    const colors = await swatches(".group-table")
    assert.strictEqual(new Set(colors).size, 3)
    await save(page, "By platform")
    await page.goto(`${studio.place}/boards`)
    await page.getByRole("button", { name: "New board" }).click()
    await page.getByLabel("Name").fill("Funnels")
    await page.getByRole("button", { name: "Create" }).click()
    await page.getByRole("button", { name: "Add a question" }).click()
    for (const name of ["All together", "By platform"]) {
      await page.getByRole("combobox", { name: /^Add a question/ }).click()
      await page.getByRole("option", { name: new RegExp(`^${name}`) }).click()
    }
    const areCut = () =>
      page
        .locator(".tile-body")
        .evaluateAll((bodies) =>
          bodies.map(
            (body) =>
              body.scrollHeight > body.clientHeight ||
              [...body.querySelectorAll("*")].some(
                (each) => each.getBoundingClientRect().bottom > body.getBoundingClientRect().bottom + 1
              )
          )
        )
    await page.locator(".tile .tile-names .swatch").first().waitFor()
    await page.locator(".tile .funnel-percent").first().waitFor()
    assert.deepStrictEqual(await areCut(), [false, false], "while the board is edited")
    await page.getByRole("button", { name: "Done" }).click()
    await page.getByRole("button", { name: "Edit" }).waitFor()
    assert.deepStrictEqual(await areCut(), [false, false])
    assert.deepStrictEqual(await swatches(".tile"), colors)
    assert.match(await page.locator(".tile .funnel-groups").innerText(), /100 %/)
    await isOpenEverywhere(page, "a board of funnels")
    await leave()
  })
})

import { assert, describe, it } from "@effect/vitest"
import type { Locator, Page } from "playwright-core"
import { missingBrowser, sayWhatIsMissing } from "../../support/Browser.ts"
import { inDemoStudio, isOpenToEverybody } from "../InBrowser.ts"
import { apiOf } from "../Team.ts"

sayWhatIsMissing()

const word = "Rindfleischetikettierungsüberwachungsaufgabenübertragungsgesetz"
const name = `The shop of winter with its prices, bundles and offers, ${word.slice(0, 40)}`

/** Pixels of the box that can only be seen by scrolling it sideways. */
const hidden = (box: Locator): Promise<number> => box.evaluate((element) => element.scrollWidth - element.clientWidth)

/** Whether the element is what one sees at its own place, which may be below another or beyond the edge of a box. */
const isInSight = (element: Locator): Promise<boolean> =>
  element.evaluate((found) => {
    const { left, right, top, bottom } = found.getBoundingClientRect()
    const seen = document.elementFromPoint((left + right) / 2, (top + bottom) / 2)
    return seen !== null && (found.contains(seen) || seen.contains(found))
  })

describe.skipIf(missingBrowser !== null)("a window between a phone and a desk, and long names", () => {
  const studio = inDemoStudio()

  const at = async (page: Page, width: number) => page.setViewportSize({ width, height: 900 })

  it("a verdict is read in one piece beside the rail", async () => {
    const { page, leave } = await studio.visit()
    await page.goto(`${studio.place}/experiments/1`)
    const scorecard = page.getByRole("region", { name: "Scorecard" })
    const verdict = scorecard.getByText("Not clear yet").first()
    for (const width of [800, 1024, 1240, 390]) {
      await at(page, width)
      await verdict.waitFor()
      const [card, told] = [await scorecard.boundingBox(), await verdict.boundingBox()]
      assert.isNotNull(card)
      assert.isNotNull(told)
      assert.isAtMost((told?.x ?? 0) + (told?.width ?? 0), (card?.x ?? 0) + (card?.width ?? 0) - 8, `${width}`)
    }
    assert.deepStrictEqual(await leave(), [])
  })

  it("the last columns of retention are read with the names of their rows", async () => {
    const { page, leave } = await studio.visit()
    for (const width of [390, 1024]) {
      await at(page, width)
      await page.goto(`${studio.place}/retention?start=Install&back=Login`)
      const box = page.getByRole("region", { name: /^Players whose first Install/ })
      await box.evaluate((element) => element.scrollTo({ left: 2000 }))
      const row = box.getByRole("rowheader").nth(2)
      await row.scrollIntoViewIfNeeded()
      await box.evaluate((element) => element.scrollTo({ left: 2000 }))
      assert.isTrue(await isInSight(row), `${width}`)
      assert.isTrue(await isInSight(box.getByRole("columnheader", { name: "First day" })), `${width}`)
    }
    assert.deepStrictEqual(await leave(), [])
  })

  it("long names of keys, environments and configurations push nothing out of sight", async () => {
    const { page, leave } = await studio.visit()
    const { ask } = apiOf(page.request, studio.server.url)
    const project = `/application/${studio.place.split("/")[2]}`
    await ask("POST", `${project}/environments`, { name: word, alias: "long" })
    const environments: ReadonlyArray<{ readonly id: number }> = await ask("GET", `${project}/environments`)
    const [{ id: organizationId }] = await ask("GET", "/organization")
    await ask("POST", `/organization/${organizationId}/api-keys`, {
      type: "secret",
      name,
      projectScope: { allProjects: true },
      environmentIds: environments.map(({ id }) => id),
      permissions: ["analytics:read"]
    })
    await ask(
      "POST",
      `${project}/v2/configuration`,
      { name, alias: word, configuration: {} },
      { "environment-id": String(environments[0]?.id) }
    )
    for (const [path, label] of [
      ["settings/keys", "List of keys"],
      ["settings/environments", "List of environments"],
      ["configurations", "List of configurations"],
      ["deeplinks", "List of deeplinks"],
      ["experiments", "List of experiments"]
    ] as const) {
      await page.goto(`${studio.place}/${path}`)
      const list = page.getByRole("region", { name: label })
      for (const width of [1440, 1280, 1024, 800, 390]) {
        await at(page, width)
        await list.waitFor()
        assert.strictEqual(await hidden(list), 0, `${path} at ${width}`)
      }
      await isOpenToEverybody(page, path)
    }
    assert.deepStrictEqual(await leave(), [])
  })

  it("is read without scrolling sideways at four times its size", async () => {
    const { page, leave } = await studio.visit({ viewport: { width: 320, height: 640 } })
    await page.goto(`${studio.place}/insights`)
    await page.getByRole("radiogroup", { name: "Shown as" }).waitFor()
    await isOpenToEverybody(page, "insights at 320")
    await page.goto(`${studio.place}/experiments/1`)
    await page.getByRole("region", { name: "Scorecard" }).waitFor()
    await isOpenToEverybody(page, "an experiment at 320")
    // A choice is as wide as its longest name.
    const { ask } = apiOf(page.request, studio.server.url)
    const project = `/application/${studio.place.split("/")[2]}`
    const [environment]: ReadonlyArray<{ readonly id: number }> = await ask("GET", `${project}/environments`)
    await ask(
      "PUT",
      `${project}/analytics/v1/markers/metadata`,
      { types: [{ name: "Login", displayName: name }] },
      { "environment-id": String(environment?.id) }
    )
    await page.goto(`${studio.place}/markers`)
    await page.getByLabel("Type").locator("option", { hasText: name }).waitFor({ state: "attached" })
    await isOpenToEverybody(page, "live markers at 320")
    assert.deepStrictEqual(await leave(), [])
  })

  it("why a button is denied is read in a low window too, and after a click with the pointer elsewhere", async () => {
    const { page, leave } = await studio.visit()
    await page.goto(`${studio.place}/settings/environments`)
    const button = page.getByRole("button", { name: "Delete Production" })
    const reason = page.locator(".denied-why")
    await button.waitFor()
    await page.setViewportSize({ width: 1440, height: 900 })
    const { x, y, width, height } = (await button.boundingBox())!
    for (const windowHeight of [900, Math.ceil(y + height) + 12]) {
      await page.setViewportSize({ width: 1440, height: windowHeight })
      await page.mouse.move(x + width / 2, y + height / 2)
      await reason.waitFor()
      const box = (await reason.boundingBox())!
      assert.isAtMost(box.y + box.height, windowHeight)
      await page.mouse.move(5, 5)
      await reason.waitFor({ state: "detached" })
      await page.mouse.click(x + width / 2, y + height / 2)
      await page.mouse.move(x + width / 2, box.y + box.height / 2, { steps: 20 })
      assert.isTrue(await reason.isVisible())
      await page.keyboard.press("Escape")
      await reason.waitFor({ state: "detached" })
    }
    assert.deepStrictEqual(await leave(), [])
  })

  it("what has the focus lies below no bar and no column that stay in sight, whichever way the keys go", async () => {
    const { page, leave } = await studio.visit({ viewport: { width: 320, height: 400 } })
    const coveredOnes = `[...document.querySelectorAll("main :is(a[href], button, input, select)")].reverse()
      .filter((element) => element.checkVisibility() && !element.matches(":disabled"))
      .filter((element) => {
        element.focus()
        const { left, right, top, bottom } = element.getBoundingClientRect()
        const seen = document.elementFromPoint((left + right) / 2, (top + bottom) / 2)
        const cover = seen?.closest(".bar, .draft-bar, th")
        return bottom - top < 150 && cover && !cover.contains(element)
      })
      .map((element) => element.getAttribute("aria-label") ?? element.textContent)`
    for (const path of ["home", "insights?m=Login:uniqueUsers&by=property:platform", "experiments/new", "saved"]) {
      await page.goto(`${studio.place}/${path}`)
      await page.getByRole("heading", { level: 1 }).waitFor()
      await page.locator(".skeleton").first().waitFor({ state: "hidden" })
      assert.deepStrictEqual(await page.evaluate(coveredOnes), [], path)
    }
    await page.goto(`${studio.place}/markers`)
    await page.locator(".marker").nth(20).scrollIntoViewIfNeeded()
    assert.isTrue(await isInSight(page.getByRole("button", { name: "Pause" })))
    assert.deepStrictEqual(await leave(), [])
  })
})

import { assert, describe, it } from "@effect/vitest"
import type { Locator, Page } from "playwright-core"
import { demoMap } from "../../../src/domain/demo/DemoMap.ts"
import { missingBrowser, sayWhatIsMissing } from "../../support/Browser.ts"
import { inDemoStudio, isOpenEverywhere, screens } from "../InBrowser.ts"

sayWhatIsMissing()

const numberIn = (text: string | null): number => Number((/[\d,]+/.exec(text ?? "")?.[0] ?? "").replaceAll(",", ""))

/** Drags the mouse over a part of the element, given as shares of its sides. */
const drag = async (page: Page, over: Locator, from: readonly [number, number], to: readonly [number, number]) => {
  await over.scrollIntoViewIfNeeded()
  const box = (await over.boundingBox())!
  await page.mouse.move(box.x + from[0] * box.width, box.y + from[1] * box.height)
  await page.mouse.down()
  await page.mouse.move(box.x + to[0] * box.width, box.y + to[1] * box.height, { steps: 4 })
  await page.mouse.up()
}

/** Where a corner is on the image, as shares of its sides. */
const placeOf = async (corner: Locator): Promise<readonly [number, number]> => {
  const label = (await corner.getAttribute("aria-label")) ?? ""
  const [across = 0, down = 0] = [...label.matchAll(/([\d.]+)\s%/g)].map(([, percent]) => Number(percent) / 100)
  return [across, down]
}

const mapOf = (page: Page): Locator => page.getByRole("img", { name: /^Where PlayerDied happens/ })

describe.skipIf(missingBrowser !== null)("heatmaps", () => {
  const studio = inDemoStudio()

  /** The page of the demo's map, with more in its address. */
  const demoPage = async (page: Page, more: string): Promise<string> => {
    await page.goto(`${studio.place}/heatmaps`)
    const link = page.getByRole("link", { name: "The island", exact: true })
    return `${await link.getAttribute("href")}&m=PlayerDied${more}`
  }

  it("an image is uploaded and matched to the world, and an area of it leads to its players", async () => {
    const { page, leave } = await studio.visit({ viewport: screens[0] })
    await page.goto(`${studio.place}/heatmaps`)
    await page.getByRole("link", { name: "New map" }).click()
    await page.getByLabel("Name").fill("The island again")
    const file = { name: "island.png", mimeType: "image/png", buffer: Buffer.from(demoMap()) }
    await page.getByLabel(/^Image/).setInputFiles(file)
    const image = page.locator(".map img")
    await image.waitFor()
    const [a, b] = [page.getByRole("button", { name: /^Corner A/ }), page.getByRole("button", { name: /^Corner B/ })]
    await a.focus()
    for (let step = 0; step < 25; step++) await page.keyboard.press("ArrowRight")
    for (let step = 0; step < 20; step++) await page.keyboard.press("ArrowDown")
    assert.deepStrictEqual(await placeOf(a), [0.25, 0.2])
    await image.scrollIntoViewIfNeeded()
    const handle = (await b.boundingBox())!
    const box = (await image.boundingBox())!
    await page.mouse.move(handle.x + handle.width / 2, handle.y + handle.height / 2)
    await page.mouse.down()
    await page.mouse.move(box.x + 0.75 * box.width, box.y + 0.8 * box.height, { steps: 5 })
    await page.mouse.up()
    const [across, down] = await placeOf(b)
    assert.closeTo(across, 0.75, 0.01)
    assert.closeTo(down, 0.8, 0.01)
    const world = (share: number): string => (400 * share - 200).toFixed(2)
    await page.getByLabel("World X of A").fill(world(0.25))
    await page.getByLabel("World Z of A").fill(world(0.2))
    await page.getByLabel("World X of B").fill(world(across))
    await page.getByLabel("World Z of B").fill("nowhere")
    await page.getByText("Both corners need the X and Z").waitFor()
    await page.getByLabel("World Z of B").fill(world(down))
    await page.getByText(/The whole image shows X −200.* to 200/).waitFor()
    await page.getByRole("button", { name: "Save the map" }).click()
    await page.getByRole("heading", { name: "The island again" }).waitFor()

    const map = mapOf(page)
    await map.waitFor()
    await page.locator(".map img").waitFor()
    // Lava flows from (50, -95) to (150, -20).
    await drag(page, map, [0.6, 0.24], [0.9, 0.48])
    const area = page.getByRole("region", { name: "The chosen area" })
    await area.getByRole("heading", { name: "cause" }).waitFor()
    assert.match((await area.getByRole("listitem").first().textContent()) ?? "", /^lava/)
    const inside = numberIn(await area.getByRole("definition").first().textContent())
    const players = area.getByRole("definition").nth(2)
    await page.waitForFunction(() => document.querySelector(".area-numbers")?.textContent?.includes("…") === false)
    const total = numberIn(await players.textContent())
    assert.isAbove(total, 0)
    assert.isAtMost(total, inside)
    await area.getByRole("button", { name: "Who are these players" }).click()
    const sheet = page.getByRole("dialog")
    await sheet.getByRole("rowheader").first().waitFor()
    assert.strictEqual(numberIn(await sheet.getByRole("heading", { level: 2 }).textContent()), total)
    await sheet
      .getByText(`${total.toLocaleString("en-US")} player`)
      .first()
      .waitFor()
    await page.keyboard.press("Escape")
    await sheet.waitFor({ state: "hidden" })

    const chosen = new URL(page.url()).searchParams.get("area")
    await map.focus()
    for (const key of ["ArrowRight", "Shift+ArrowRight", "Shift+ArrowDown", "Enter"]) await page.keyboard.press(key)
    await area.getByText("4 cells").waitFor()
    assert.notStrictEqual(new URL(page.url()).searchParams.get("area"), chosen)
    await page.getByRole("table").getByRole("button").first().click()
    await area.getByText("1 cell", { exact: true }).waitFor()
    await page.getByLabel("Lowest height").fill("60")
    await page.getByLabel("Lowest height").press("Enter")
    await page.getByRole("heading", { name: "No PlayerDied with a position in this time" }).waitFor()
    assert.deepStrictEqual(await leave(), [])
  })

  it("two periods are compared, and days are played one after the other", async () => {
    const { page, leave } = await studio.visit({ viewport: screens[0] })
    await page.goto(await demoPage(page, "&range=7d&area=50,-95,150,-20"))
    await page.getByRole("combobox", { name: /^Compare with/ }).click()
    await page.getByRole("option", { name: "The period before" }).click()
    await page.getByText(/^Difference in PlayerDied per 100 players, smoothed: .*orange more of this period/).waitFor()
    const area = page.getByRole("region", { name: "The chosen area" })
    await area.getByRole("button", { name: "Who are these players: the period before" }).waitFor()
    await page.getByRole("radio", { name: "Share of all" }).click()
    await page.getByText(/^Difference in percent of all on the map, smoothed: /).waitFor()
    assert.isTrue(await page.getByRole("button", { name: "Play", exact: true }).isDisabled())
    await page.goBack()
    await page.goBack()

    await page.getByRole("button", { name: "Play", exact: true }).click()
    const time = page.getByRole("slider", { name: "Time" })
    await time.waitFor()
    const pause = page.getByRole("button", { name: "Pause", exact: true })
    if (await pause.isVisible()) await pause.click()
    await time.focus()
    await page.keyboard.press("Home")
    // A step's players are no more than its markers; those of the whole period are.
    await area.getByRole("button", { name: "Who are these players", exact: true, disabled: false }).waitFor()
    const [here, , who] = (await area.getByRole("definition").allTextContents()).map(numberIn)
    assert.isAtMost(who ?? Infinity, here ?? 0)
    const first = await time.getAttribute("aria-valuetext")
    const onMap = page.getByText(/ on the map, /)
    const numbers = await onMap.textContent()
    await page.keyboard.press("ArrowRight")
    assert.notStrictEqual(await time.getAttribute("aria-valuetext"), first)
    assert.notStrictEqual(await onMap.textContent(), numbers)
    await page.getByRole("button", { name: "Whole period" }).click()
    await time.waitFor({ state: "hidden" })
    assert.deepStrictEqual(await leave(), [])
  })

  it("an answer is named as what it is until the next one is there", async () => {
    const { page, leave } = await studio.visit({ viewport: screens[0] })
    await page.goto(await demoPage(page, ""))
    await page.getByText("PlayerDied in a cell, smoothed").waitFor()
    let release = () => {}
    const released = new Promise<void>((done) => (release = done))
    await page.route("**/queries/heatmaps/execute", (route) => released.then(() => route.continue()))
    await page.getByRole("radio", { name: "Players", exact: true }).click()
    await page.locator("p", { hasText: /^Where players have PlayerDied/ }).waitFor()
    assert.isTrue(await mapOf(page).isVisible())
    assert.isTrue(await page.getByText("PlayerDied in a cell, smoothed").isVisible())
    release()
    await page.getByText("Players in a cell, smoothed").waitFor()
    assert.deepStrictEqual(await leave(), [])
  })

  it("bars turn by keys and name themselves, and without WebGL the map is flat", async () => {
    const { page, leave } = await studio.visit({ viewport: screens[0] })
    const address = await demoPage(page, "&view=bars")
    await page.goto(address)
    const flat = page.getByText(/cannot draw in three dimensions/)
    const bars = page.getByRole("img", { name: /in three dimensions$/ })
    await bars.or(flat).first().waitFor()
    if (await bars.isVisible()) {
      await bars.focus()
      const before = await bars.screenshot()
      for (const key of ["]", "ArrowUp", "+"]) await page.keyboard.press(key)
      assert.isFalse(before.equals(await bars.screenshot()), "the picture did not change")
      const box = (await bars.boundingBox())!
      const tip = page.locator(".map-tip")
      for (let at = 0; at < 400 && !(await tip.isVisible()); at++) {
        const [across, down] = [0.3 + 0.02 * (at % 20), 0.3 + 0.02 * Math.floor(at / 20)]
        await page.mouse.move(box.x + across * box.width, box.y + down * box.height)
      }
      assert.match((await tip.textContent()) ?? "", /^[\d,]+x .* to .*, z .*% of all$/)
      await page.mouse.down()
      await page.mouse.up()
      await page.getByRole("region", { name: "The chosen area" }).getByText("1 cell", { exact: true }).waitFor()
    }
    await page.addInitScript(
      "const of = HTMLCanvasElement.prototype.getContext; HTMLCanvasElement.prototype.getContext = function (name, ...rest) { return name === 'webgl2' ? null : of.call(this, name, ...rest) }"
    )
    await page.goto(address)
    await flat.waitFor()
    await mapOf(page).waitFor()
    assert.deepStrictEqual(await leave(), [])
  })

  it("on a phone two fingers bring the bars nearer and turn them, and the page does not scroll meanwhile", async () => {
    const { page, context, leave } = await studio.visit({ viewport: screens[1], hasTouch: true })
    await page.goto(await demoPage(page, "&view=bars"))
    const flat = page.getByText(/cannot draw in three dimensions/)
    const bars = page.getByRole("img", { name: /in three dimensions$/ })
    await bars.or(flat).first().waitFor()
    if (await bars.isVisible()) {
      await bars.scrollIntoViewIfNeeded()
      const box = (await bars.boundingBox())!
      const [middle, centre] = [box.x + box.width / 2, box.y + box.height / 2]
      const client = await context.newCDPSession(page)
      const touch = (
        type: "touchStart" | "touchMove" | "touchEnd",
        ...places: ReadonlyArray<readonly [number, number]>
      ) =>
        client.send("Input.dispatchTouchEvent", {
          type,
          touchPoints: places.map(([x, y], id) => ({ x: middle + x, y: centre + y, id }))
        })
      const scrolled = () => page.evaluate("scrollY")
      const before = [await scrolled(), await bars.screenshot()] as const
      await touch("touchStart", [-40, 0], [40, 0])
      await touch("touchMove", [-80, 0], [80, 0])
      const nearer = await bars.screenshot()
      assert.isFalse(before[1].equals(nearer), "apart brings nothing nearer")
      await touch("touchMove", [-57, -57], [57, 57])
      assert.isFalse(nearer.equals(await bars.screenshot()), "around turns nothing")
      await touch("touchEnd")
      assert.strictEqual(await scrolled(), before[0])
      assert.strictEqual(await page.getByRole("region", { name: "The chosen area" }).count(), 0)
    }
    assert.deepStrictEqual(await leave(), [])
  })

  it("keep nobody out, in both themes, on a desk and on a phone", async () => {
    const { page, leave } = await studio.visit()
    const address = await demoPage(page, "")
    await isOpenEverywhere(page, "list of maps")
    const map = new URLSearchParams(address.split("?")[1]).get("map") ?? ""
    for (const [what, path] of [
      ["map with an area", `${address}&area=50,-95,150,-20`],
      ["bars", `${address}&view=bars`],
      ["comparison", `${address}&vs=period`],
      ["corners", `${studio.place}/heatmaps/${map}/edit`]
    ] as const) {
      await page.goto(path)
      await page.locator(".map, .map-space").first().waitFor()
      await page.locator(".skeleton").first().waitFor({ state: "hidden" })
      await isOpenEverywhere(page, what)
    }
    assert.deepStrictEqual(await leave(), [])
  })
})

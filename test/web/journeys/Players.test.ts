import { assert, describe, it } from "@effect/vitest"
import { readFileSync } from "node:fs"
import type { Page } from "playwright-core"
import { missingBrowser, sayWhatIsMissing } from "../../support/Browser.ts"
import { inDemoStudio, isOpenEverywhere } from "../InBrowser.ts"

sayWhatIsMissing()

const ids = (page: Page) => page.locator(".players tbody th").allTextContents()

/** Waits until the expression holds in the page, which lets nothing be compiled from text by itself. */
const eventually = async (page: Page, expression: string) => {
  for (let look = 0; look < 2400; look++) {
    if ((await page.evaluate(expression)) === true) return
    await page.waitForTimeout(50)
  }
  assert.fail(`never: ${expression}`)
}

describe.skipIf(missingBrowser !== null)("players", () => {
  const studio = inDemoStudio()

  /** Sends a request as the page would. */
  const send = async (page: Page, path: string, body: object): Promise<{ readonly id: number }> => {
    const answer = JSON.parse(
      await page.evaluate(
        `fetch(${JSON.stringify(studio.place.replace(/^\/p\/(\d+)\/.*/, `/application/$1${path}`))}, {
          method: "POST", headers: { "content-type": "application/json" }, body: ${JSON.stringify(JSON.stringify(body))}
        }).then((response) => response.text())`
      )
    )
    assert.notProperty(answer, "statusCode", JSON.stringify(answer))
    return answer
  }

  it("are searched, narrowed down, ordered and opened, and the address says it all", async () => {
    const { page, leave } = await studio.visit()
    await page.goto(`${studio.place}/players`)
    await page.locator(".players tbody th").nth(99).waitFor()
    await page.getByRole("button", { name: "Show more" }).click()
    await page.locator(".players tbody th").nth(199).waitFor()
    assert.strictEqual(new Set(await ids(page)).size, 200)

    await page.getByLabel("Id begins with").fill("player-0001")
    await page.waitForURL(/id=player-0001/)
    await page.locator(".players tbody tr").nth(9).waitFor({ state: "attached" })
    await eventually(
      page,
      `[...document.querySelectorAll(".players tbody th")].every((each) => each.textContent.startsWith("player-0001"))`
    )
    assert.strictEqual((await ids(page)).length, 10)

    await page.getByRole("combobox", { name: /^Add a column/ }).click()
    await page.getByRole("option", { name: /^country/ }).click()
    await page.waitForURL(/col=country/)
    await page.getByRole("columnheader", { name: "country" }).waitFor()
    await page.getByRole("combobox", { name: /^Add a filter/ }).click()
    await page.getByRole("option", { name: /^country/ }).click()
    await page.getByRole("combobox", { name: /^Value of country/ }).click()
    const chosen = page.getByRole("option", { name: /^[A-Z]{2}[^a-z]/ }).first()
    const country = /^[A-Z]{2}/.exec((await chosen.textContent()) ?? "")?.[0] ?? ""
    await chosen.click()
    await page.waitForURL(new RegExp(`f=property:country:is:${country}`))
    await page.getByLabel("Id begins with").fill("")
    await eventually(
      page,
      `document.querySelectorAll(".players tbody tr").length > 10 &&
        [...document.querySelectorAll(".players tbody td:last-child")].every((each) => each.textContent === "${country}")`
    )

    await page.getByRole("button", { name: "Player", exact: true }).click()
    await page.waitForURL(/sort=unitId/)
    await page.locator("th[aria-sort=ascending]", { hasText: "Player" }).waitFor()
    await eventually(
      page,
      `((ids) => ids.every((id, at) => at === 0 || ids[at - 1] < id))([...document.querySelectorAll(".players tbody th")].map((each) => each.textContent))`
    )
    await page.getByRole("button", { name: "Player", exact: true }).click()
    await page.waitForURL(/reverse=1/)
    await page.goBack()
    await page.locator("th[aria-sort=ascending]", { hasText: "Player" }).waitFor()
    const saving = page.waitForEvent("download")
    await page.getByRole("button", { name: /^CSV of these/ }).click()
    const csv = readFileSync(await (await saving).path(), "utf8")
    assert.match(csv, /^player,last seen,first seen,markers,country\r\nplayer-/)

    await page.getByLabel("Id begins with").fill("nobody is called this")
    await page.getByText("No player is like this").waitFor()
    await page.getByRole("button", { name: "Show everybody" }).click()
    await page.locator(".players tbody tr").nth(50).waitFor()
    assert.deepStrictEqual(await leave(), [])
  })

  it("have a page with all that is kept of them, from which they are exported and erased", async () => {
    const { page, context, leave } = await studio.visit()
    await page.goto(`${studio.place}/players?sort=markerCount`)
    const link = page.locator(".players tbody th a").first()
    const id = (await link.textContent()) ?? ""
    const count = Number(
      ((await page.locator(".players tbody tr").first().locator("td.number").textContent()) ?? "").replace(",", "")
    )
    const configuration = await send(page, "/v2/configuration", {
      name: "Shop",
      configuration: { price: 1 },
      isPrimary: false
    })
    const experiment = await send(page, "/v2/experiments", {
      name: "Prices",
      unitType: "user",
      assignmentMode: "weightedHash",
      baseConfigurationId: configuration.id,
      groups: [
        { name: "As it is", weight: 5000, isControl: true },
        { name: "Cheaper", weight: 5000, changeset: { operations: [{ op: "set", path: ["price"], value: 2 }] } }
      ]
    })
    const { groups } = JSON.parse(
      await page.evaluate(
        `fetch("${studio.place.replace(/^\/p\/(\d+)\/.*/, "/application/$1/v2/experiments")}/${experiment.id}").then((response) => response.text())`
      )
    )
    await send(page, `/v2/experiments/${experiment.id}/assignments`, { distinctId: id, groupId: groups[0].id })

    await link.click()
    await page.getByRole("heading", { level: 1, name: id }).waitFor()
    await page.locator(".session").first().waitFor()
    await page.getByRole("img", { name: /^Active on/ }).waitFor()
    assert.notInclude(await page.title(), id)
    const kept: string = await page.evaluate("JSON.stringify(localStorage) + JSON.stringify(sessionStorage)")
    assert.notInclude(kept + JSON.stringify((await context.storageState()).origins), id)

    const group = page.getByLabel("Group in Prices")
    await group.selectOption("Cheaper")
    await page.locator(".player-list", { hasText: "Cheaper · by hand · since" }).waitFor()
    const ownPage = page.getByRole("link", { name: "Prices", exact: true })
    assert.match((await ownPage.getAttribute("href")) ?? "", new RegExp(`/experiments/${experiment.id}$`))
    await page.getByRole("button", { name: "Take out of Prices" }).click()
    await page.getByText("taken out of Cheaper").waitFor()
    await page.getByRole("button", { name: "Put back of Prices" }).click()
    await group.waitFor()

    const markers = page.locator(".timeline .marker")
    assert.strictEqual(await markers.count(), Math.min(100, count))
    if (count > 100) {
      await page.getByRole("button", { name: "Show earlier" }).click()
      await markers.nth(100).waitFor()
    }
    await page.getByLabel("Type").selectOption("Login")
    await page.waitForURL(/type=Login/)
    await eventually(
      page,
      `[...document.querySelectorAll(".timeline .marker b")].every((each) => each.textContent === "Login")`
    )
    await markers.first().click()
    await page
      .locator(".timeline pre", { hasText: `"unitId": "${id}"` })
      .first()
      .waitFor()

    const saving = page.waitForEvent("download")
    await page.getByRole("button", { name: "Export" }).click()
    const exported = readFileSync(await (await saving).path(), "utf8")
      .trim()
      .split("\n")
    assert.strictEqual(exported.filter((line) => JSON.parse(line).record === "marker").length, count)

    await page.getByRole("button", { name: /^Erase/ }).click()
    const dialog = page.getByRole("dialog", { name: /^Erase this player/ })
    const erase = dialog.getByRole("button", { name: "Erase the player" })
    assert.isTrue(await erase.isDisabled())
    await dialog.getByLabel("Type the id to confirm").fill(id.slice(0, -1))
    assert.isTrue(await erase.isDisabled())
    await dialog.getByLabel("Type the id to confirm").fill(id)
    await erase.click()
    await page.getByText("The player is erased").waitFor()
    await page.getByRole("link", { name: "All players" }).click()
    await page.locator(".players tbody th").first().waitFor()
    assert.notInclude(await ids(page), id)
    await page.goto(`${studio.place}/players/${id}`)
    await page.getByText("Nothing is known of this player").waitFor()
    assert.deepStrictEqual(await leave(), [])
  })

  it("of a cohort that is gone can be left by the list of cohorts", async () => {
    const { page, leave } = await studio.visit()
    await page.route("**/cohorts", (route) => route.fulfill({ json: [] }))
    await page.goto(`${studio.place}/players?cohort=987654`)
    await page.getByRole("combobox", { name: "Cohort: Cohort 987654" }).click()
    await page.getByRole("option", { name: "Everybody" }).click()
    await page.locator(".players tbody th").first().waitFor()
    assert.match(page.url(), /\/players$/)
    assert.deepStrictEqual(await leave(), [])
  })

  it("are open to everybody in both themes, on a desk and on a phone", async () => {
    const { page, leave } = await studio.visit()
    const pages: ReadonlyArray<readonly [path: string, shown: string]> = [
      ["players?col=country&col=platform&f=property:country:is:DE", ".players tbody th"],
      ["players?id=nobody-of-this-name", ".empty"],
      ["players/%25%2F%20nobody", ".empty"],
      ["players/player-00017", ".session"]
    ]
    for (const [path, shown] of pages) {
      await page.goto(`${studio.place}/${path}`)
      await page.locator(shown).first().waitFor()
      await isOpenEverywhere(page, path)
    }
    await page.getByRole("button", { name: /^Erase/ }).click()
    await page.getByRole("dialog").waitFor()
    await isOpenEverywhere(page, "dialog")
    assert.deepStrictEqual(await leave(), [])
  })

  it("of production are not shown as those of another environment, however slow its answers are", async () => {
    const { page, leave } = await studio.visit()
    await page.goto(`${studio.place}/players`)
    await page.locator(".players tbody th").first().waitFor()
    let release = () => undefined as void
    const answered = new Promise<void>((resolve) => (release = resolve))
    await page.route("**/application/**", async (route) => {
      if (page.url().includes("/development/")) await answered
      await route.continue()
    })
    await page.getByLabel("Environment", { exact: true }).selectOption({ label: "Development" })
    await page.waitForURL(/\/development\/players$/)
    await page.locator(".players tbody th").first().waitFor({ state: "detached" })
    release()
    await page.locator(".skeleton").first().waitFor({ state: "detached" })
    assert.deepStrictEqual(await leave(), [])
  })
})

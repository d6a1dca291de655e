import { assert, describe, it } from "@effect/vitest"
import { readFileSync } from "node:fs"
import type { Page } from "playwright-core"
import { encode } from "uqr"
import { qrOf, qrPath } from "../../../src/web/qr/Qr.ts"
import { percentText } from "../../../src/web/text/Numbers.ts"
import { missingBrowser, sayWhatIsMissing } from "../../support/Browser.ts"
import { inDemoStudio, isOpenEverywhere } from "../InBrowser.ts"

sayWhatIsMissing()

/** The squares that a path of rectangles covers. */
const squaresOf = (path: string, size: number): ReadonlyArray<ReadonlyArray<boolean>> => {
  const squares = Array.from({ length: size }, () => Array.from({ length: size }, () => false))
  for (const [, x, y, length] of path.matchAll(/M(\d+) (\d+)h(\d+)v1h-\d+z/g)) {
    for (let each = 0; each < Number(length); each++) squares[Number(y)]![Number(x) + each] = true
  }
  return squares
}

describe("QR codes", () => {
  it("are drawn square by square as the library encodes the text, with four light squares around", () => {
    for (const text of ["https://play.example/d/a", "x".repeat(300), "https://ü.example/d/日本"]) {
      const { data, size } = encode(text, { ecc: "M", border: 4 })
      assert.deepStrictEqual(squaresOf(qrPath(qrOf(text)), size), data)
      assert.isTrue(data.slice(0, 4).every((row) => row.every((isDark) => !isDark)))
    }
  })
})

describe.skipIf(missingBrowser !== null)("deeplinks in the browser", () => {
  const studio = inDemoStudio()

  const human = { "user-agent": "Mozilla/5.0 (X11; Linux x64) Firefox/140.0" }

  /** Follows a link as a player would, and answers the id of the click. */
  const follow = async (url: string) => {
    const { status, headers } = await fetch(url, { headers: human, redirect: "manual" })
    assert.strictEqual(status, 302)
    return new URL(headers.get("location") ?? "").searchParams.get("gk_click") ?? ""
  }

  /** Has the game say that a player came by a click. */
  const arrive = async (page: Page, unitId: string, click: string, environment = "production") => {
    const origin = { origin: studio.server.url }
    const organizations = await (await page.request.get("/organization")).json()
    const applicationId = Number(studio.place.split("/")[2])
    const environments = await (await page.request.get(`/application/${applicationId}/environments`)).json()
    const environmentIds = environments.map(({ id }: { id: number }) => id)
    const minted = await page.request.post(`/organization/${organizations[0].id}/api-keys`, {
      headers: origin,
      data: { name: `Game of the journey in ${environment}`, type: "public", applicationId, environmentIds }
    })
    const key = await minted.json()
    assert.strictEqual(minted.status(), 201, JSON.stringify(key))
    const sent = await fetch(`${studio.server.url}/sdk/v1/markers`, {
      method: "POST",
      headers: { authorization: key.token, environment, "content-type": "application/json" },
      body: JSON.stringify({
        markers: [
          {
            eventName: "TutorialCompleted",
            distinctId: unitId,
            timestamp: new Date().toISOString(),
            properties: { gk_click: click }
          }
        ]
      })
    })
    assert.strictEqual(sent.status, 200, await sent.text())
  }

  it("create, scan, click, convert, change, switch off and delete", async () => {
    const { page, leave } = await studio.visit()
    await page.goto(`${studio.place}/deeplinks`)
    await page.getByRole("link", { name: "Spring newsletter" }).waitFor()
    await page.getByRole("button", { name: "New deeplink" }).click()
    const sheet = page.getByRole("dialog")
    await sheet.getByLabel("Name").fill("Poster at the fair")
    await sheet.getByLabel(/^Address/).fill("https://island-run.example/play")
    await sheet.getByLabel(/^A click has converted/).fill("TutorialCompleted")
    await sheet.getByLabel("Last part of the link").fill("fair poster")
    await sheet.getByText("The last part takes letters").waitFor()
    await sheet.getByLabel("Last part of the link").fill("fair-poster")
    const address = (await sheet.locator(".link-preview code").textContent()) ?? ""
    assert.match(address, /\/d\/fair-poster$/)
    await sheet.getByRole("img", { name: `QR code of ${address}` }).waitFor()
    await sheet.getByRole("button", { name: "Create" }).click()

    await page.getByRole("heading", { name: "Poster at the fair", level: 1 }).waitFor()
    await page.getByText("Nobody has clicked it in this time").waitFor()
    const code = page.getByRole("img", { name: `QR code of ${address}` })
    const { data, size } = encode(address, { ecc: "M", border: 4 })
    const drawn = (await code.locator("path").getAttribute("d")) ?? ""
    assert.deepStrictEqual(squaresOf(drawn, size), data)
    const [svg] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "SVG", exact: true }).click()
    ])
    assert.strictEqual(svg.suggestedFilename(), "fair-poster.svg")
    const file = readFileSync(await svg.path(), "utf8")
    assert.match(file, /^<svg xmlns=.* width="512"/)
    assert.include(file, drawn)
    const [png] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "PNG", exact: true }).click()
    ])
    assert.strictEqual(png.suggestedFilename(), "fair-poster.png")

    const local = `${studio.server.url}/d/fair-poster`
    const click = await follow(local)
    await arrive(page, "tester-1", await follow(local), "development")
    await page.reload()
    const results = page.getByRole("region", { name: "What came of it" })
    const totals = results.locator(".link-totals dd")
    await totals.first().waitFor()
    assert.deepStrictEqual((await totals.allTextContents()).slice(0, 3), ["2", "1", "0"])
    await page.getByText("None yet. The game sends").waitFor()

    await arrive(page, "visitor-1", click)
    await page.reload()
    await page.getByRole("link", { name: "visitor-1" }).waitFor()
    assert.deepStrictEqual((await totals.allTextContents()).slice(0, 4), ["2", "1", "1", percentText(50)])
    assert.strictEqual(await page.getByRole("link", { name: "tester-1" }).count(), 0)
    await page.goto(page.url().replace("/production/", "/development/"))
    await page.getByRole("link", { name: "tester-1" }).waitFor()
    assert.strictEqual(await page.getByRole("link", { name: "visitor-1" }).count(), 0)
    await page.goBack()
    await page.getByRole("radio", { name: "Device" }).click()
    await page.getByRole("rowheader", { name: "desktop" }).waitFor()
    await page.waitForURL(/by=device/)
    await page.getByRole("link", { name: "visitor-1" }).click()
    await page.getByRole("heading", { name: "visitor-1" }).waitFor()
    await page.goBack()

    await page.getByRole("button", { name: "Change" }).click()
    await page.getByRole("dialog").getByLabel("Name").fill("Poster in the hall")
    await page.getByRole("dialog").getByRole("button", { name: "Save" }).click()
    await page.getByRole("heading", { name: "Poster in the hall", level: 1 }).waitFor()
    await page.getByRole("button", { name: "Switch off" }).click()
    await page.getByText("It is switched off").waitFor()
    assert.strictEqual((await fetch(local, { headers: human, redirect: "manual" })).status, 404)
    await page.getByRole("link", { name: "Deeplinks" }).first().click()
    await page.getByRole("link", { name: "Spring newsletter" }).waitFor()
    assert.strictEqual(await page.getByRole("link", { name: "Poster in the hall" }).count(), 0)
    await page.getByLabel("Those switched off as well").check()
    await page.getByLabel("Search deeplinks").fill("hall")
    await page.getByRole("link", { name: "Poster in the hall" }).click()
    await page.getByRole("button", { name: "Delete …" }).click()
    const question = page.getByRole("dialog")
    await question.getByText("2 clicks and 2 conversions go with it").waitFor()
    await question.getByRole("button", { name: "Delete", exact: true }).click()
    await page.waitForURL(/\/deeplinks$/)
    await page.getByRole("link", { name: "Spring newsletter" }).waitFor()
    assert.deepStrictEqual(await leave(), [])
  })

  it("shut nobody out, in both themes, on a desk and on a phone", async () => {
    const { page, leave } = await studio.visit()
    await page.goto(`${studio.place}/deeplinks`)
    await page.getByRole("link", { name: "Spring newsletter" }).waitFor()
    await isOpenEverywhere(page, "list")
    await page.getByRole("button", { name: "New deeplink" }).click()
    await page.getByLabel("Last part of the link").fill("abc")
    await page.getByRole("dialog").getByRole("img").waitFor()
    await isOpenEverywhere(page, "form")
    await page.keyboard.press("Escape")
    await page.getByRole("alertdialog").getByRole("button", { name: "Discard" }).click()
    await page.getByRole("link", { name: "Spring newsletter" }).click()
    await page.locator(".link-totals").waitFor()
    await page.locator(".chart svg").waitFor()
    await isOpenEverywhere(page, "link")
    assert.deepStrictEqual(await leave(), [])
  })
})

import { assert, beforeAll, describe, it } from "@effect/vitest"
import type { Page } from "playwright-core"
import { missingBrowser, sayWhatIsMissing } from "../../support/Browser.ts"
import { importCookieCats } from "../../support/experiments/CookieCatsImport.ts"
import { laboratoryOf } from "../../support/experiments/Laboratory.ts"
import { fetchRequest } from "../../support/Server.ts"
import { apiOf } from "../Team.ts"
import { inBrowser, inDemoStudio, isOpenEverywhere } from "../InBrowser.ts"

sayWhatIsMissing()

const verdict = (page: Page) => page.getByRole("region", { name: "Verdict" })

describe.skipIf(missingBrowser !== null)("the published test of Cookie Cats in the browser", () => {
  const world = inBrowser()
  let cookie = ""
  let address = ""

  beforeAll(async () => {
    const request = fetchRequest(world.server.url)
    const lab = await laboratoryOf(request, "ada")
    const { experiment, path } = await importCookieCats(lab, request)
    // The published test ran to an end that was planned, at which its p-value counts.
    const endsAt = new Date(Date.now() + 1000).toISOString()
    assert.strictEqual((await lab.call("PATCH", path, { endsAt })).status, 200)
    for (let status = "active"; status !== "completed";) status = (await lab.call("GET", path)).body.status
    cookie = lab.studio.cookie.cookie
    address = `/p/${lab.studio.applicationId}/development/experiments/${experiment.id}`
  }, 300_000)

  it("opens on one sentence that says what the gate does, and flags the split", async () => {
    const { page, context, leave } = await world.visit()
    const at = cookie.indexOf("=")
    await context.addCookies([{ name: cookie.slice(0, at), value: cookie.slice(at + 1), url: world.server.url }])
    await page.goto(address)
    await verdict(page).getByRole("heading").waitFor({ timeout: 60_000 })
    assert.strictEqual(
      await verdict(page).getByRole("heading").textContent(),
      "Gate at level 40 lowers seven-day retention: 18.2 % instead of 19.0 % (p = 0.0016)."
    )
    assert.match((await verdict(page).textContent()) ?? "", /The split is off \(p = 0\.0086\)/)
    const health = page.getByRole("region", { name: "Health" })
    assert.match((await health.textContent()) ?? "", /Split is off\s*p = 0\.0086/)
    await health.getByRole("row", { name: /44,700 of 45,095.*45,489 of 45,095/ }).waitFor()

    await page.getByRole("radio", { name: "Fixed horizon" }).click()
    const scorecard = page.getByRole("region", { name: "Scorecard" })
    await scorecard.getByRole("row", { name: /Seven-day retention.*18\.2 %.*−4\.3 %.*0\.0031.*Worse/ }).waitFor()
    await scorecard.getByRole("row", { name: /One-day retention.*44\.2 %.*−1\.3 %.*0\.074.*Not clear/ }).waitFor()
    assert.deepStrictEqual(await leave(), [])
  })
})

describe.skipIf(missingBrowser !== null)("results of the demo's experiments", () => {
  const studio = inDemoStudio()

  const open = async (page: Page, id: number, search = "") => {
    await page.goto(`${studio.place}/experiments/${id}${search}`)
    await verdict(page).getByRole("heading").waitFor({ timeout: 60_000 })
    return (await verdict(page).getByRole("heading").textContent()) ?? ""
  }

  it("say who wins, what is not clear, and what nobody should trust; a number leads to its players", async () => {
    const { page, leave } = await studio.visit()
    assert.match(await open(page, 1), /^No winner yet: /)
    assert.match(await open(page, 2), /^Pack for 0\.99 raises buyers: .* instead of .* \(p < 0\.0001\)\.$/)

    const metric = page.getByRole("button", { name: "Buyers" })
    await metric.focus()
    await page.keyboard.press("Enter")
    await page.getByRole("img", { name: "Change of Buyers by day" }).waitFor()
    await page.getByRole("row", { name: /Always valid interval/ }).waitFor()
    await page.getByText("arXiv:2103.06476").waitFor({ state: "hidden" })
    await page.getByRole("radio", { name: "Chance to win" }).focus()
    await page.keyboard.press("ArrowRight")
    await page.getByText("arXiv:2103.06476").waitFor()
    assert.match(page.url(), /\?method=sequential&open=buyers$/)
    await page.goBack()
    await page.getByRole("radio", { name: "Chance to win", checked: true }).waitFor()
    await page.getByText("How it is counted").click()
    await page.getByLabel("Prior").selectOption("normal")
    await page.getByText(/from a normal prior around no change/).waitFor()
    await page.getByLabel("Correction of goals").selectOption("benjaminiHochberg")
    await page.getByText(/comparisons? \( ?Benjamini–Hochberg\)/).waitFor()
    assert.match(page.url(), /prior=normal&correction=benjaminiHochberg/)

    const saving = page.waitForEvent("download")
    await page.getByRole("button", { name: "CSV" }).click()
    assert.strictEqual((await saving).suggestedFilename(), "scorecard.csv")

    const players = page.getByRole("button", { name: /^[\d,]+ players$/ }).last()
    const count = (await players.textContent()) ?? ""
    await players.click()
    const sheet = page.getByRole("dialog", { name: "Players who saw Pack for 0.99" })
    await sheet.getByText(count).waitFor()
    await page.keyboard.press("Escape")
    await sheet.waitFor({ state: "hidden" })

    assert.match(
      await open(page, 3),
      /^Do not trust this result: New menu has [\d,]+ players where the split promises /
    )
    assert.strictEqual(await page.getByRole("row", { name: /Watched an advertisement/ }).count(), 0)
    await page.getByRole("button", { name: "Show them anyway" }).click()
    await page.getByRole("row", { name: /Watched an advertisement.*Do not trust/ }).waitFor()

    await page.getByRole("radio", { name: "Setup" }).click()
    await page.getByRole("region", { name: "Groups" }).getByText("New menu").first().waitFor()
    await page.goto(`${studio.place}/experiments/999999`)
    await page.getByRole("heading", { name: "There is no such experiment" }).waitFor()
    assert.deepStrictEqual(await leave(), [])
  })

  it("follow what is done to the experiment elsewhere: its page and the list show it without a reload", async () => {
    const { page: list, context, leave } = await studio.visit()
    const { page: detail, leave: detailLeaves } = await studio.visit()
    /** Opens the page and comes back once it listens to what happens. */
    const listenOn = async (page: Page, address: string) => {
      const stream = page.waitForResponse((response) => new URL(response.url()).pathname.endsWith("/stream"))
      await page.goto(address)
      await stream
    }
    await listenOn(list, `${studio.place}/experiments`)
    const row = list.getByRole("row", { name: /Cheaper starter pack/ })
    await row.getByText("Running", { exact: true }).waitFor()
    const address = (await row.getByRole("link").first().getAttribute("href")) ?? ""
    await listenOn(detail, `${address}?tab=setup`)
    await detail.getByRole("button", { name: "Pause", exact: true }).waitFor()
    const loads: Array<string> = []
    for (const page of [list, detail]) page.on("load", () => loads.push(page.url()))

    const [, , applicationId = ""] = studio.place.split("/")
    const rollout = `/application/${applicationId}/v2/experiments/${/\d+$/.exec(address)?.[0] ?? ""}/rollout`
    const api = apiOf(context.request, studio.server.url)
    await api.ask("PATCH", rollout, { action: "pause" })
    await row.getByText("Paused", { exact: true }).waitFor()
    await detail.getByRole("button", { name: "Resume", exact: true }).waitFor()
    await api.ask("PATCH", rollout, { action: "resume" })
    await row.getByText("Running", { exact: true }).waitFor()
    await detail.getByRole("button", { name: "Pause", exact: true }).waitFor()
    assert.deepStrictEqual(loads, [])
    assert.deepStrictEqual([...(await leave()), ...(await detailLeaves())], [])
  })

  it("are open to everybody in both themes, on a desk and on a phone", async () => {
    const { page, leave } = await studio.visit()
    for (const [id, search] of [
      [1, "?method=fixed&prior=normal"],
      [2, "?open=buyers"],
      [3, ""]
    ] as const) {
      await open(page, id, search)
      await isOpenEverywhere(page, `experiment ${id}`)
    }
    assert.deepStrictEqual(await leave(), [])
  })
})

import { assert, describe, it } from "@effect/vitest"
import { missingBrowser, sayWhatIsMissing } from "../../support/Browser.ts"
import { inDemoStudio } from "../InBrowser.ts"
import { apiOf } from "../Team.ts"

sayWhatIsMissing()

describe.skipIf(missingBrowser !== null)("what cannot be shown", () => {
  const studio = inDemoStudio()

  it("is told with what helps: no other try of what is refused, all boards, where the markers are", async () => {
    const { page, leave } = await studio.visit()
    await page.goto(`${studio.place}/boards/what-is-no-id`)
    await page.getByRole("heading", { name: "This board is not there any more" }).waitFor()
    await page.getByRole("link", { name: "All boards" }).click()
    await page.getByRole("heading", { name: "Boards", level: 1 }).waitFor()

    for (const list of ["alerts", "deeplinks", "configurations"]) {
      await page.goto(`${studio.place}/${list}/what-is-no-id`)
      await page.getByRole("heading", { name: "It is not here" }).waitFor()
      assert.strictEqual(await page.getByRole("button", { name: "Try again" }).count(), 0, list)
    }
    await page.goto(`${studio.place}/insights?q=what-is-no-id`)
    await page.getByRole("heading", { name: "This question is not there any more" }).waitFor()

    await page.goto(`${studio.place}/funnels?steps=`)
    await page.getByRole("heading", { name: "Choose at least two steps" }).waitFor()
    assert.notInclude(await page.locator(".page-head p").first().innerText(), "…")

    const body = {
      statusCode: 422,
      code: "QUERY_INVALID",
      error: "Unprocessable Entity",
      message: "There are too many"
    }
    let status = 422
    await page.route("**/queries/insights/execute", (route) =>
      route.fulfill({ status, json: { ...body, statusCode: status } })
    )
    await page.goto(`${studio.place}/insights`)
    const failed = page.getByRole("alert").filter({ hasText: "There are too many" })
    await failed.waitFor()
    assert.strictEqual(await failed.getByRole("button", { name: "Try again" }).count(), 0)
    status = 409
    await page.reload()
    await failed.getByRole("button", { name: "Try again" }).waitFor()

    await page.goto(`${studio.place.replace(/production$/, "development")}/funnels`)
    await page.getByText("Those of this project are in").getByRole("link", { name: "Production" }).click()
    await page.waitForURL("**/production/home")
    await leave()
  })

  it("takes nothing else with it where it fails while it is drawn, until the address is another one", async () => {
    const { page, leave } = await studio.visit()
    // An answer of another shape than the contract's stands for any fault of the dashboard.
    await page.route("**/queries/insights/execute", (route) => route.fulfill({ json: { series: 7 } }))
    await page.goto(`${studio.place}/insights`)
    await page.getByRole("heading", { name: "This page cannot be shown" }).waitFor()
    await page.getByRole("heading", { name: "Insights", level: 1 }).waitFor()
    await page.unroute("**/queries/insights/execute")
    await page.evaluate("history.pushState(null, '', location.pathname + '?range=14d')")
    await page.getByRole("table").first().waitFor()
    await page.getByRole("link", { name: "Cohorts" }).click()
    await page.getByRole("heading", { name: "Cohorts", level: 1 }).waitFor()
    await leave()
  })

  it("has a heading, as every page: whoever hears the page knows where they are", async () => {
    const { page, leave } = await studio.visit()
    const refused = { statusCode: 422, code: "QUERY_INVALID", error: "Unprocessable Entity", message: "Not now" }
    // What the rail asks is answered.
    await page.route(/\/application\/\d+\/(?!environments|permissions|stream)/, (route) =>
      route.fulfill({ status: 422, json: refused })
    )
    const headingOf = async (path: string) => {
      await page.goto(studio.place + path)
      await page.getByRole("alert").first().waitFor()
      return page.getByRole("heading", { level: 1 }).allInnerTexts()
    }
    for (const [path, heading] of [
      ["/insights", "Insights"],
      ["/funnels", "Funnels"],
      ["/retention", "Retention"],
      ["/home", "Home"],
      ["/heatmaps?map=1", "Heatmaps"],
      ["/experiments/1", "Experiments"],
      ["/configurations/1", "Configurations"],
      ["/cohorts/1", "Cohorts"],
      ["/cohorts/1/edit", "Cohorts"],
      ["/players/player-00017", "Players"],
      ["/boards/1", "Boards"],
      ["/alerts/1", "Alerts"],
      ["/deeplinks/1", "Deeplinks"]
    ] as const) {
      assert.deepStrictEqual(await headingOf(path), [heading], path)
    }
    await page.goto(`${studio.place}/nowhere`)
    await page.getByRole("heading", { name: "There is no such page" }).waitFor()
    assert.strictEqual(await page.getByRole("heading", { level: 1 }).count(), 1)

    await page.route("**/users/me", (route) => route.fulfill({ status: 422, json: refused }))
    assert.deepStrictEqual(await headingOf("/insights"), ["Insights"])
    assert.strictEqual(await page.title(), "Insights · Gamekeeper")
    await leave()
  })

  it("is heard of while it is waited for, and is not asked again once the stream is open", async () => {
    const { page, leave } = await studio.visit()
    const refused = { statusCode: 422, code: "QUERY_INVALID", error: "Unprocessable Entity", message: "Not now" }
    let asked = 0
    let answer = () => {}
    const isAnswered = new Promise<void>((resolve) => (answer = resolve))
    await page.route(/\/application\/\d+\/.*\bexperiments\/1\b/, async (route) => {
      if (route.request().resourceType() === "document") return route.fallback()
      asked += 1
      await isAnswered
      return route.fulfill({ status: 422, json: refused })
    })
    let open = () => {}
    const isOpen = new Promise<void>((resolve) => (open = resolve))
    await page.route(/\/stream\b/, async (route) => {
      await isOpen
      return route.continue()
    })
    await page.goto(`${studio.place}/experiments/1`)
    await page.getByRole("heading", { name: "Experiments", level: 1 }).waitFor({ state: "attached" })
    assert.strictEqual(await page.getByRole("alert").count(), 0)
    answer()
    await page.getByRole("alert").filter({ hasText: "Not now" }).waitFor()
    const stream = page.waitForResponse(/\/stream\b/)
    open()
    await stream
    // What an open stream asks anew, it asks at once.
    await page.waitForTimeout(500)
    assert.strictEqual(asked, 1)
    await leave()
  })

  it("leads away from a project that is not there any more", async () => {
    const { page, leave } = await studio.visit()
    await page.goto("/p/4711/production/insights")
    await page.getByRole("heading", { name: "It is not here" }).waitFor()
    await page.getByRole("link", { name: "Go to the first page" }).click()
    await page.waitForURL(`**${studio.place}/home`)
    await leave()
  })

  it("makes an organization once, though its project was refused before", async () => {
    const { page, leave } = await studio.visit()
    const made: Array<string> = []
    let isRefused = true
    await page.route(/\/organization(\/\d+\/projects)?$/, (route) => {
      if (route.request().method() !== "POST") return route.fallback()
      const isProject = route.request().url().endsWith("/projects")
      made.push(isProject ? "project" : "organization")
      if (!isProject || !isRefused) return route.fallback()
      isRefused = false
      const refusal = { statusCode: 429, code: "RATE_LIMITED", error: "Too Many Requests", message: "Too many" }
      return route.fulfill({ status: 429, json: refusal })
    })
    await page.goto(`${studio.place}/settings/organization`)
    await page.getByRole("button", { name: "New organization" }).click()
    await page.getByLabel("Name of the organization").fill("Second studio")
    await page.getByLabel("Name of its first game").fill("Second game")
    await page.getByRole("button", { name: "Create" }).click()
    await page.getByRole("alert").getByText("Too many").waitFor()
    await page.getByRole("button", { name: "Create" }).click()
    await page.waitForURL("**/production/setup")
    assert.deepStrictEqual(made, ["organization", "project", "project"])
    await leave()
  })

  it("is refused at once while there is no network, and not done later", async () => {
    const { page, context, leave } = await studio.visit()
    await page.goto(`${studio.place}/boards`)
    await page.getByRole("button", { name: "New board" }).first().click()
    const form = page.getByRole("dialog", { name: "New board" })
    await form.getByLabel("Name").fill("Nobody wants it")
    await context.setOffline(true)
    await form.getByRole("button", { name: "Create" }).click()
    await form.getByText("The server cannot be reached.").waitFor()
    await form.getByRole("button", { name: "Cancel" }).click()
    await context.setOffline(false)
    await page.getByText("Not connected, trying again").waitFor({ state: "detached" })
    await page.reload()
    await page.getByRole("button", { name: "New board" }).first().waitFor()
    assert.strictEqual(await page.getByText("Nobody wants it").count(), 0)
    await leave()
  })

  it("of a list that has more leaves what is there, says so, and is asked for again", async () => {
    const { page, leave } = await studio.visit()
    const { ask } = apiOf(page.request, studio.server.url)
    const [{ id }] = await ask("GET", "/organization")
    for (let made = 0; made < 51; made++) {
      await ask("POST", `/organization/${id}/v2/roles`, { name: `Role ${made}`, permissions: ["projects:read"] })
    }
    const lists = [
      ["players", "Show more", /[/]players[?].*cursor=/],
      ["settings/changes", "Older changes", /[/]audit-log[?].*cursor=/]
    ] as const
    for (const [path, label, next] of lists) {
      await page.goto(`${studio.place}/${path}`)
      const more = page.getByRole("button", { name: label })
      const rows = page.locator("main tbody tr")
      await more.waitFor()
      const before = await rows.count()
      await page.route(next, (route) => route.abort())
      await more.click()
      await page.getByText("There is more, but it did not come: The server cannot be reached.").waitFor()
      assert.strictEqual(await rows.count(), before, path)
      await page.unroute(next)
      await more.click()
      await page.getByText("There is more, but it did not come").waitFor({ state: "detached" })
      await rows.nth(before).waitFor()
    }
    await leave()
  })

  it("is not said of a map that a search has not come to yet", async () => {
    const { page, leave } = await studio.visit()
    const { ask } = apiOf(page.request, studio.server.url)
    const home = `/application/${studio.place.split("/")[2]}/analytics/v1/heatmaps`
    const [map] = (await ask("GET", home)).items
    const pages = [
      { items: [{ ...map, name: "Lighthouse" }], nextCursor: "2" },
      { items: [{ ...map, id: crypto.randomUUID(), name: "Windmill" }], nextCursor: null }
    ]
    await page.route(`**${home}?*`, (route) =>
      route.fulfill({ json: pages[route.request().url().includes("cursor=2") ? 1 : 0] })
    )
    await page.goto(`${studio.place}/heatmaps?search=windmill`)
    await page.getByRole("link", { name: "Windmill", exact: true }).waitFor()
    assert.strictEqual(await page.getByRole("link", { name: "Lighthouse", exact: true }).count(), 0)
    await page.getByRole("searchbox", { name: "Search maps" }).fill("harbour")
    await page.getByText("No such map").waitFor()
    assert.deepStrictEqual(await leave(), [])
  })
})

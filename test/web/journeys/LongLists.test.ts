import { assert, describe, it } from "@effect/vitest"
import type { Page } from "playwright-core"
import { missingBrowser, sayWhatIsMissing } from "../../support/Browser.ts"
import { inDemoStudio, isOpenToEverybody, screens } from "../InBrowser.ts"
import { apiOf } from "../Team.ts"

sayWhatIsMissing()

/** A list by the path of its page, its name, the name of its search field, and that of one of its rows. */
type Searched = readonly [path: string, list: string, search: string, name: string]

const insightOf = (name: string) => ({ name: new RegExp(`${name}\\s*insight`, "i") })
const word = "Rindfleischetikettierungsüberwachungsaufgabenübertragungsgesetz"

describe.skipIf(missingBrowser !== null)("a project that has much of everything", () => {
  const studio = inDemoStudio()

  /** Somebody who visits it, and calls its API as well. */
  const arrive = async () => {
    const { page, leave } = await studio.visit()
    const { ask } = apiOf(page.request, studio.server.url)
    return { page, leave, ask, project: `/application/${studio.place.split("/")[2]}` }
  }

  /** A list of 110 rows is shown in two pages, which the address knows, and its search finds the row of that name. */
  const findInPages = async (page: Page, [path, list, search, name]: Searched) => {
    await page.goto(`${studio.place}/${path}`)
    const rows = page.getByRole("region", { name: list }).locator("tbody tr")
    await page.getByText("Page 1 of 2").waitFor()
    assert.strictEqual(await rows.count(), 100, path)
    await page.getByRole("button", { name: "Next" }).click()
    await page.waitForURL(/[?]page=2$/)
    await page.reload()
    await page.getByText("Page 2 of 2").waitFor()
    await page.getByRole("searchbox", { name: search }).fill(name.toLowerCase())
    await rows.getByText(name, { exact: true }).waitFor()
    assert.strictEqual(await rows.count(), 1, path)
    assert.match(page.url(), new RegExp(`[?]search=${name.toLowerCase().replace(" ", "[+]")}$`))
  }

  it("is made of what was asked for once, by who clicks twice as well", async () => {
    const { page, leave, ask, project } = await arrive()
    const sent: Array<string> = []
    await page.route(`**${project}/boards`, async (route) => {
      if (route.request().method() === "POST") {
        sent.push("board")
        await new Promise((done) => setTimeout(done, 500))
      }
      await route.continue()
    })
    await page.goto(`${studio.place}/boards`)
    await page.getByRole("button", { name: "New board" }).click()
    await page.getByRole("dialog").getByLabel("Name").fill(word)
    await page.getByRole("dialog").getByRole("button", { name: "Create" }).dblclick()
    await page.waitForURL(/\/boards\/[0-9a-f-]{36}$/)
    assert.deepStrictEqual(sent, ["board"])
    const { items } = await ask("GET", `${project}/boards`)
    assert.strictEqual(items.filter(({ name }: { readonly name: string }) => name === word).length, 1)

    // A word that is longer than a phone is wide is broken.
    await ask("POST", `${project}/boards`, { name: "Wide", description: word.repeat(3), tiles: [] })
    await page.setViewportSize(screens[1])
    await isOpenToEverybody(page, "a board of a long name")
    await page.goto(`${studio.place}/boards`)
    await page.getByRole("link", { name: word }).waitFor()
    await isOpenToEverybody(page, "boards of long names")

    // What a list is narrowed to is in the address: it is there again on the way back.
    const field = page.getByRole("searchbox", { name: "Search boards" })
    await field.fill("zzz")
    await page.getByText("No such board").waitFor()
    await field.fill(word.slice(0, 12).toUpperCase())
    await page.getByRole("link", { name: word }).click()
    await page.waitForURL(/\/boards\/[0-9a-f-]{36}$/)
    await page.goBack()
    await page.waitForURL(/\/boards\?search=RINDFLEISCHE$/)
    assert.strictEqual(await field.inputValue(), "RINDFLEISCHE")
    await page.getByRole("link", { name: word }).waitFor()
    await page.goto(`${studio.place}/insights?m=${word.repeat(3)}:uniqueUsers&f=argument:${word}:is:${word}`)
    await page.getByText(`Players with ${word}`).first().waitFor()
    await isOpenToEverybody(page, "a question about a marker of a long name")
    // The question is about it, although it is none of the markers that can be chosen.
    await page.getByRole("combobox", { name: `Marker A: ${word}` }).waitFor()
    await page.goto(`${studio.place}/players?col=${word}`)
    await page.getByRole("button", { name: `Remove the column ${word}` }).waitFor()
    await isOpenToEverybody(page, "a column of a long name")
    assert.deepStrictEqual(await leave(), [])
  })

  it("finds every saved question, and says beside a list what the list shows", async () => {
    const { page, leave, ask, project } = await arrive()
    const saveOne = (index: number) =>
      ask("POST", `${project}/analytics/v1/queries`, {
        name: `Question ${index}`,
        queryType: "insight",
        spec: {
          time: { relative: { step: "day", value: 7 } },
          metrics: [{ id: "A", data: { type: "dau", name: "Login" } }]
        }
      })
    for (let index = 1; index <= 110; index++) await saveOne(index)
    await page.goto(`${studio.place}/saved`)
    await page.getByRole("button", { name: "Show more" }).waitFor()
    await page.keyboard.press("Control+k")
    const palette = page.getByRole("dialog", { name: "Go to" })
    for (const name of ["Question 1", "Question 110"]) {
      await palette.getByRole("combobox").fill(name)
      await palette.getByRole("option", insightOf(name)).first().waitFor()
    }
    await page.keyboard.press("Escape")

    const { id } = await ask("POST", `${project}/boards`, { name: "Any question", tiles: [] })
    // Who opens the list before the questions have come searches in it all the same.
    let come = () => {}
    const isHeld = new Promise<void>((resolve) => (come = resolve))
    await page.route("**/analytics/v1/queries?*", (route) => isHeld.then(() => route.continue()))
    await page.goto(`${studio.place}/boards/${id}`)
    await page.getByRole("button", { name: "Edit" }).click()
    await page.getByRole("combobox", { name: /^Add a question/ }).click()
    await page.locator(".popup").waitFor().then(come)
    for (const name of ["Question 1", "Question 110"]) {
      // What is typed before the field has the focus is written into it; to mark what stands in it takes the field itself.
      await page.locator(".popup-search input:focus").waitFor()
      await page.keyboard.press("Control+a")
      await page.keyboard.type(name)
      await page.getByRole("option", insightOf(name)).first().waitFor()
    }

    for (const [path, text] of [
      ["saved", "Question 110"],
      ["cohorts", "Buyers"],
      ["deeplinks", "nothing like it"]
    ] as const) {
      await page.goto(`${studio.place}/${path}`)
      const field = page.locator("main").getByRole("searchbox")
      await field.fill(text)
      await page.waitForURL(/[?&]search=/)
      await page.locator(`a[href="${studio.place}/${path}"]`).first().click()
      await page.waitForURL((address) => address.search === "")
      assert.strictEqual(await field.inputValue(), "", path)
    }
    await page.getByText("conversions are those of Production.").waitFor()
    assert.deepStrictEqual(await leave(), [])
  })

  it("shows its marker types in pages, which the address and the search know", async () => {
    const { page, leave, ask, project } = await arrive()
    const types = Array.from({ length: 250 }, (_, index) => ({
      name: `Quest.${String(index + 1).padStart(3, "0")}`,
      description: "A step of a quest"
    }))
    const [environment] = await ask("GET", `${project}/environments`)
    await ask(
      "PUT",
      `${project}/analytics/v1/markers/metadata`,
      { types },
      { "environment-id": String(environment.id) }
    )
    await page.goto(`${studio.place}/plan`)
    const rows = page.getByRole("region", { name: "List of marker types" }).locator("tbody tr")
    await page.getByText("Page 1 of 3").waitFor()
    assert.strictEqual(await rows.count(), 100)
    await page.getByRole("button", { name: "Next" }).click()
    await page.getByText("Page 2 of 3").waitFor()
    await page.reload()
    await page.getByText("Page 2 of 3").waitFor()
    await page.goBack()
    await page.getByText("Page 1 of 3").waitFor()
    await page.getByRole("searchbox", { name: "Search markers" }).fill("quest.250")
    await page.getByRole("button", { name: "Quest.250", exact: true }).waitFor()
    assert.strictEqual(await rows.count(), 1)
    assert.deepStrictEqual(await leave(), [])
  })

  it("shows its keys and configurations in pages, which the address and the search know", async () => {
    const { page, leave, ask, project } = await arrive()
    const [environment] = await ask("GET", `${project}/environments`)
    const [{ id: organizationId }] = await ask("GET", "/organization")
    const environmentIds = [environment.id]
    const applicationId = Number(project.split("/")[2])
    for (let index = 1; index <= 110; index++) {
      await ask("POST", `/organization/${organizationId}/api-keys`, {
        type: "public",
        name: `Build ${index}`,
        applicationId,
        environmentIds
      })
      await ask(
        "POST",
        `${project}/v2/configuration`,
        { name: `Season ${index}`, configuration: {} },
        { "environment-id": String(environment.id) }
      )
    }
    for (const each of [
      ["settings/keys", "List of keys", "Search keys", "Build 109"],
      ["configurations", "List of configurations", "Search configurations", "Season 109"]
    ] as const)
      await findInPages(page, each)
    assert.deepStrictEqual(await leave(), [])
  })

  it("shows its cohorts, alerts, invitations and experiments over time a part at a time, and finds each", async () => {
    const { page, leave, ask, project } = await arrive()
    const [environment] = await ask("GET", `${project}/environments`)
    const there = { "environment-id": String(environment.id) }
    const [{ id: organizationId }] = await ask("GET", "/organization")
    const roles = await ask("GET", `/organization/${organizationId}/v2/roles`)
    const roleId = roles.find(({ name }: { readonly name: string }) => name === "Viewer").id
    const cohorts = `${project}/analytics/v1/cohorts`
    const [{ id: baseConfigurationId }] = await ask("GET", `${project}/v2/configurations`, undefined, there)
    for (let index = 1; index <= 110; index++) {
      await ask("POST", cohorts, { name: `List ${index}`, kind: "static", unitIds: ["player-00001"] }, there)
      const watch = { kind: "silence", names: "Login", minutes: 60 }
      await ask("POST", `${project}/alerts`, { name: `Silence ${index}`, watch }, there)
    }
    for (let index = 1; index <= 60; index++) {
      const email = `guest${index}@studio.example`
      await ask("POST", `/organization/${organizationId}/invitations`, { email, roleId })
      const changeset = { operations: [{ op: "set", path: [`price${index}`], value: 20 }] }
      const groups = [
        { name: "control", weight: 5000, isControl: true },
        { name: "dear", weight: 5000, changeset }
      ]
      const experiment = { unitType: "user", assignmentMode: "weightedHash", baseConfigurationId, groups }
      await ask("POST", `${project}/v2/experiments`, { name: `Price ${index}`, ...experiment }, there)
    }
    for (const each of [
      ["cohorts", "List of cohorts", "Search cohorts", "List 109"],
      ["alerts", "List of alerts", "Search alerts", "Silence 109"]
    ] as const)
      await findInPages(page, each)
    await page.goto(`${studio.place}/settings/members`)
    const guests = page.getByRole("region", { name: "List of invitations" }).locator("tbody tr")
    await guests.first().waitFor()
    assert.strictEqual(await guests.count(), 50)
    await page.getByRole("searchbox", { name: "Search invitations" }).fill("GUEST60@")
    await guests.getByText("guest60@studio.example").waitFor()
    assert.strictEqual(await guests.count(), 1)

    await page.goto(`${studio.place}/experiments?view=calendar`)
    const lanes = page.locator(".lane")
    await lanes.first().waitFor()
    assert.strictEqual(await lanes.count(), 50)
    await page.getByRole("button", { name: /^Show more/ }).click()
    await page.getByRole("button", { name: /^Show more/ }).waitFor({ state: "detached" })
    assert.isAbove(await lanes.count(), 60)
    assert.deepStrictEqual(await leave(), [])
  })
})

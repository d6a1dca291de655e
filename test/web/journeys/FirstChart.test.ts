import { assert, describe, it } from "@effect/vitest"
import { execFile } from "node:child_process"
import { promisify } from "node:util"
import { missingBrowser, sayWhatIsMissing } from "../../support/Browser.ts"
import { barriersOn } from "../../support/Visitor.ts"
import { inBrowser, isOpenEverywhere, screens } from "../InBrowser.ts"

const ada = { name: "Ada", email: "ada@example.com", password: "correct horse" }

sayWhatIsMissing()

describe.skipIf(missingBrowser !== null)("a newcomer", () => {
  const world = inBrowser()

  it("signs up, sends the first marker by the shown curl line, and sees it in a chart", async () => {
    const { page, context, leave } = await world.visit()
    await page.goto("/")
    await page.waitForURL(/\/signin$/)
    await page.getByText("Nobody has an account on this server yet.").waitFor()
    await isOpenEverywhere(page, "the first visit")
    await page.setViewportSize(screens[0])
    assert.strictEqual(await page.getByLabel("Password").isVisible(), false)
    await page.getByText("I have an account").click()
    await page.getByLabel("Password").waitFor()

    await page.getByRole("link", { name: "Create the first account" }).click()
    await page.getByText("This is the first account of this server").waitFor()
    assert.deepStrictEqual(await barriersOn(page), [])
    await page.getByLabel("Name").fill(ada.name)
    await page.getByLabel("E-mail").fill(ada.email)
    await page.getByLabel("Password").fill(ada.password)
    await page.getByRole("button", { name: "Create the account" }).click()
    await page.waitForURL(/\/p\/1\/production\/setup$/)
    await page.getByText("Waiting for the first marker").waitFor()
    assert.strictEqual(await page.title(), "Setup · My game")
    await page.evaluate("window.stays = true")

    await page.getByRole("link", { name: "Insights", exact: true }).click()
    await page.getByText("No marker has arrived yet").waitFor()
    assert.deepStrictEqual(await barriersOn(page), [])
    await page.getByRole("link", { name: "Send the first marker" }).click()

    await page.getByRole("button", { name: "Make a public key" }).click()
    const key = (await page.locator(".secret code").textContent()) ?? ""
    assert.match(key, /^\w{20,}/)
    const line = (await page.locator(".snippet code").textContent()) ?? ""
    assert.include(line, key)
    await promisify(execFile)("sh", ["-c", line])
    await page.getByText("of player-1 arrived at").waitFor()
    for (const language of ["JavaScript", "Roblox", "Unity", "Godot", "HTTP", "curl"]) {
      await page.getByRole("radio", { name: language }).click()
      const client = page.locator(".snippet + p").getByRole("link")
      assert.strictEqual((await page.request.get((await client.getAttribute("href")) ?? "")).status(), 200, language)
    }
    const chart = page.getByRole("img", { name: "Number of LevelCompleted, last 24 hours" })
    await chart.waitFor()
    await chart.focus()
    await page.keyboard.press("End")
    await page.locator(".chart-tip", { hasText: "so far" }).getByText("1", { exact: true }).waitFor()
    assert.match(page.url(), /\/setup$/, "the chart is on the same page")
    const help = await page.locator(".chart > .unseen").last().textContent()
    assert.strictEqual(help, "1 series over 25 periods. Arrow keys move between periods.")
    assert.isTrue(await page.evaluate("window.stays"), "nothing was loaded anew")
    assert.deepStrictEqual(await barriersOn(page), [])

    await page.getByRole("link", { name: "Open Insights" }).click()
    await page.getByRole("img", { name: "Number of LevelCompleted, last 24 hours" }).waitFor()
    const row = page.getByRole("row", { name: /Number of LevelCompleted/ })
    assert.strictEqual(await row.getByRole("cell").first().textContent(), "1")

    await page.getByRole("link", { name: "Live markers" }).click()
    await page.locator(".marker", { hasText: "player-1" }).waitFor()

    await page.getByRole("link", { name: "Setup" }).click()
    await page.getByRole("radio", { name: "JavaScript" }).click()
    const script = ((await page.locator(".snippet code").textContent()) ?? "").replace("YOUR_PUBLIC_KEY", key)
    const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "--eval", script])
    assert.match(stdout, /1 markers? stored/)

    // It leads on to what a game takes from here.
    await page.getByRole("link", { name: "Open Experiments" }).waitFor()
    await page.getByRole("link", { name: "Open Configurations" }).click()
    await page.getByRole("button", { name: "New configuration" }).first().click()
    await page.keyboard.type("Economy")
    await page.keyboard.press("Enter")
    await page.waitForURL(/\/configurations\/1$/)
    await page.getByRole("link", { name: "Setup" }).click()
    await page.getByRole("heading", { name: "Give the game values from here (done)" }).waitFor()

    // What could not be asked is not said to be missing.
    const refused = { statusCode: 403, code: "FORBIDDEN", error: "Forbidden", message: "Not now" }
    const early = { statusCode: 429, code: "TOO_MANY_QUERIES", error: "Too Many Requests", message: "Not now" }
    const wait = { "retry-after": "60" }
    await page.route("**/api-keys", (route) => route.fulfill({ status: 403, json: refused }))
    await page.route("**/markers/raw", (route) => route.fulfill({ status: 429, headers: wait, json: early }))
    await page.goto("/p/1/development/setup")
    await page.getByText("Whether a key works in Development already is not known").waitFor()
    await page.getByText("Not now. Try again in 60 seconds.").waitFor()
    assert.strictEqual(await page.getByText("Waiting for the first marker").count(), 0)
    for (const address of ["**/api-keys", "**/markers/raw"]) await page.unroute(address)

    // The key works in every environment, and the steps of the others know that.
    await page.goto("/p/1/development/setup")
    await page.getByText("A key works in Development already: My game, in the game.").waitFor()
    await page.getByRole("heading", { name: "Make a public key (done)" }).waitFor()
    await page.getByRole("button", { name: "Make another public key" }).waitFor()
    assert.deepStrictEqual(await barriersOn(page), [])

    // The request in letters has the instant in which the page was opened.
    await page.getByRole("radio", { name: "HTTP" }).click()
    const letters = ((await page.locator(".snippet code").textContent()) ?? "").replace("YOUR_PUBLIC_KEY", key)
    const [head = "", data = ""] = letters.split("\n\n")
    const [first = "", ...fields] = head.split("\n")
    const headers = Object.fromEntries(fields.map((field) => field.split(": ")))
    const answer = await page.request.post(first.split(" ")[1] ?? "", { headers, data })
    assert.strictEqual(answer.status(), 200)
    await page.getByText("Login of player-1 arrived at").waitFor()
    await page.getByRole("img", { name: "Number of Login, last 24 hours" }).waitFor()

    const kept: string = await page.evaluate("JSON.stringify(localStorage) + JSON.stringify(sessionStorage)")
    const cookies = JSON.stringify((await context.storageState()).origins)
    for (const place of [kept, cookies, page.url()]) assert.notInclude(place, key)
    assert.deepStrictEqual(await leave(), [])
  })

  it("is told what is wrong with the server in plain words, and what helps", async () => {
    const { page, context, leave } = await world.visit()
    await context.request.post("/users/auth/signin", { data: { email: ada.email, password: ada.password } })
    const message = "events.sqlite is damaged in 2 places, which the log names"
    const problems = [{ code: "STORE_DAMAGED", store: "events", severity: "degraded", message }]
    const json = { status: "degraded", stores: { metadata: true, events: true }, problems }
    await page.route("**/ready", (route) => route.fulfill({ json }))
    for (const name of ["setup", "home"]) {
      await page.goto(`/p/1/production/${name}`)
      const told = page.getByRole("status").filter({ hasText: "A part of the markers cannot be read." })
      await told.getByText(message).waitFor()
      assert.deepStrictEqual(await barriersOn(page), [])
    }
    assert.deepStrictEqual(await leave(), [])
  })

  it("is told what is wrong at the door", async () => {
    const { page, leave } = await world.visit()
    await page.goto("/p/1/production/markers?type=Login")
    await page.waitForURL(/\/signin\?to=/)
    await page.getByLabel("E-mail").fill(ada.email)
    await page.getByLabel("Password").fill("wrong horse")
    await page.getByRole("button", { name: "Sign in" }).click()
    await page.getByRole("alert").getByText("do not belong together").waitFor()
    assert.deepStrictEqual(await barriersOn(page), [])
    await page.getByText("Ask a member of your studio for an invitation").waitFor()
    assert.strictEqual(await page.getByRole("link", { name: "Create an account" }).count(), 0)
    await page.goto("/signup?to=/p/1/production/markers?type=Login")
    await page.getByText("Use the e-mail address that was invited").waitFor()
    await page.getByLabel("Name").fill("Eve")
    await page.getByLabel("E-mail").fill("eve@example.com")
    await page.getByLabel("Password").fill("correct horse")
    await page.getByRole("button", { name: "Create the account" }).click()
    await page.getByText("Only invited people can sign up on this server").waitFor()
    assert.deepStrictEqual(await barriersOn(page), [])
    await page.getByRole("link", { name: "Sign in" }).click()
    await page.getByLabel("E-mail").fill(ada.email)
    await page.getByLabel("Password").fill(ada.password)
    await page.getByRole("button", { name: "Sign in" }).click()
    await page.waitForURL(/\/p\/1\/production\/markers\?type=Login$/)
    await page.getByText("No such marker in the last seven days").waitFor()
    assert.deepStrictEqual(await leave(), [])
  })

  it("is invited, joins, switches accounts and signs out", async () => {
    const { page, context, leave } = await world.visit()
    const asAda = await context.request.post("/users/auth/signin", {
      data: { email: ada.email, password: ada.password }
    })
    assert.strictEqual(asAda.status(), 200)
    const roles: ReadonlyArray<{ readonly id: number; readonly name: string }> = await (
      await context.request.get("/organization/1/v2/roles")
    ).json()
    const invitation = await context.request.post("/organization/1/invitations", {
      data: { email: "bob@example.com", roleId: roles.find(({ name }) => name === "Viewer")?.id },
      headers: { origin: world.server.url }
    })
    assert.strictEqual(invitation.status(), 201)
    const { token } = await invitation.json()
    await context.clearCookies()

    await page.goto(`/invite/${token}`)
    await page.getByRole("link", { name: "Create an account" }).waitFor()
    assert.deepStrictEqual(await barriersOn(page), [])
    await page.getByRole("link", { name: "Create an account" }).click()
    await page.getByLabel("Name").fill("Bob")
    await page.getByLabel("E-mail").fill("bob@example.com")
    await page.getByLabel("Password").fill("another horse")
    await page.getByRole("button", { name: "Create the account" }).click()
    await page.getByRole("button", { name: "Accept the invitation" }).click()
    await page.waitForURL(/\/p\/1\/production\/home$/)
    await page.getByRole("link", { name: "Setup" }).click()
    assert.isTrue(await page.getByRole("button", { name: "Make another public key" }).isDisabled())
    await page.getByText("Your role may not make keys").waitFor()

    await page.locator("summary", { hasText: "Bob" }).click()
    assert.deepStrictEqual(await barriersOn(page), [])
    await page.getByRole("link", { name: "Add another account" }).click()
    await page.getByLabel("E-mail").fill(ada.email)
    await page.getByLabel("Password").fill(ada.password)
    await page.getByRole("button", { name: "Sign in" }).click()
    await page.locator("summary", { hasText: "Ada" }).click()
    await page.getByRole("button", { name: "Switch to bob@example.com" }).click()
    await page.locator("summary", { hasText: "Bob" }).click()
    await page.getByRole("button", { name: "Sign out" }).click()
    await page.waitForURL(/\/signin$/)
    assert.deepStrictEqual(await leave(), [])
  })
})

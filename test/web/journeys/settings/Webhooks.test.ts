import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import type { BrowserContextOptions } from "playwright-core"
import { createServer, type Server } from "node:http"
import { missingBrowser, sayWhatIsMissing } from "../../../support/Browser.ts"
import { inBrowser, isOpenEverywhere } from "../../InBrowser.ts"
import { secretOf } from "../../Scripts.ts"
import { apiOf } from "../../Team.ts"

sayWhatIsMissing()

describe.skipIf(missingBrowser !== null)("webhooks", () => {
  const world = inBrowser(["--private-webhooks", "on"])
  const told: Array<string> = []
  let receiver: Server
  let address = ""
  let place = ""
  let session: BrowserContextOptions = {}

  beforeAll(async () => {
    receiver = createServer((request, response) => {
      let body = ""
      request.on("data", (part: Buffer) => (body += part.toString()))
      request.on("end", () => {
        told.push(JSON.parse(body).type)
        response.writeHead(request.url === "/works" ? 204 : 500).end("not now")
      })
    })
    await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve))
    address = `http://127.0.0.1:${Object(receiver.address()).port}`
    const { context, leave } = await world.visit()
    const api = apiOf(context.request, world.server.url)
    await api.signUp("Ada", "ada@studio.example")
    const { organizations } = await api.signIn("ada@studio.example")
    place = `/p/${organizations[0].applications[0].id}/production`
    session = { storageState: await context.storageState() }
    await leave()
  })
  afterAll(() => void receiver.close())

  it("one is made for what is chosen, tried, looked into, repaired and removed", async () => {
    const { page, leave } = await world.visit(session)
    await page.goto(`${place}/settings/webhooks`)
    await page.getByText("No webhook yet").waitFor()
    await page.getByRole("button", { name: "New webhook" }).click()
    await page.getByLabel("Name").fill("Chat")
    await page.getByLabel("Address").fill(`${address}/broken`)
    await page.getByRole("checkbox", { name: "Everything that happens" }).uncheck()
    await page.getByRole("checkbox", { name: "webhook.test" }).waitFor({ state: "detached" })
    await page.getByRole("checkbox", { name: "configuration.updated" }).check()
    const ends = await page
      .locator(".webhook-types fieldset")
      .first()
      .locator(".check")
      .evaluateAll((each) => each.map((label) => label.getBoundingClientRect().x))
    assert.strictEqual(new Set(ends).size, 1, "what belongs to one kind stands one below the other")
    await isOpenEverywhere(page, "new webhook")
    await page.getByRole("button", { name: "Make the webhook" }).click()
    assert.match(await secretOf(page), /^whsec_/)
    await page.getByRole("button", { name: "I have kept it" }).click()
    const row = page.getByRole("row", { name: /Chat/ })
    await row.getByText("configuration.updated").waitFor()
    await row.getByRole("button", { name: "Try Chat" }).click()
    await page.getByText("The trial was sent: Status 500 is no success").waitFor()
    await row.getByText("fails: its messages are tried again").waitFor()
    assert.deepStrictEqual(told, ["webhook.test"])

    await row.getByRole("button", { name: "Change Chat" }).click()
    await page.getByLabel("Address").fill(`${address}/works`)
    await page.getByRole("button", { name: "Save" }).click()
    await row.getByText(`${address}/works`).waitFor()
    await row.getByRole("button", { name: "Messages of Chat" }).click()
    const sheet = page.getByRole("dialog", { name: "What Chat was sent" })
    await sheet.getByRole("button", { name: "webhook.test", exact: true }).click()
    await sheet.getByText("not now").waitFor()
    await sheet.getByRole("button", { name: /^Send webhook.test/ }).click()
    await sheet.getByText(/answered 204/).waitFor()
    await isOpenEverywhere(page, "messages of a webhook")
    await sheet.getByRole("button", { name: "Close" }).click()
    await row.getByText("works", { exact: true }).waitFor()

    await row.getByRole("button", { name: "Change Chat" }).click()
    await page.getByRole("checkbox", { name: "Switched on" }).uncheck()
    await page.getByRole("button", { name: "Save" }).click()
    await row.getByText("switched off", { exact: true }).waitFor()
    assert.isTrue(await row.getByRole("button", { name: "Try Chat" }).isDisabled())
    await row.getByRole("button", { name: "Change Chat" }).click()
    await page.getByRole("button", { name: "Remove it" }).click()
    await page.getByRole("button", { name: "Remove the webhook" }).click()
    await page.getByText("No webhook yet").waitFor()
    assert.deepStrictEqual(await leave(), [])
  })

  it("a project and an environment that were removed can be taken out of what names them", async () => {
    const { context, page, leave } = await world.visit(session)
    const api = apiOf(context.request, world.server.url)
    const [{ id, applications }] = await api.ask("GET", "/organization")
    const [first] = applications
    const other = await api.ask("POST", `/organization/${id}/projects`, { name: "Other game", sdkId: 1 })
    const staging = await api.ask("POST", `/application/${first.id}/environments`, { name: "Staging" })
    const [production] = await api.ask("GET", `/application/${first.id}/environments`)
    const applicationIds = [first.id, other.id]
    await api.ask("POST", `/organization/${id}/webhooks`, { name: "Chat", url: `${address}/works`, applicationIds })
    await api.ask("POST", `/organization/${id}/api-keys`, {
      type: "public",
      name: "Test client",
      applicationId: first.id,
      environmentIds: [staging.id]
    })
    await api.ask("DELETE", `/application/${other.id}`)
    await api.ask("DELETE", `/application/${first.id}/environments/${staging.id}`)

    await page.goto(`${place}/settings/webhooks`)
    await page.getByRole("button", { name: "Change Chat" }).click()
    const form = page.getByRole("dialog", { name: "Change Chat" })
    await form.getByRole("checkbox", { name: `Project ${other.id}` }).click()
    await form.getByRole("button", { name: "Save" }).click()
    await form.waitFor({ state: "detached" })
    const [hook] = await api.ask("GET", `/organization/${id}/webhooks`)
    assert.deepStrictEqual(hook.applicationIds, [first.id])

    await page.goto(`${place}/settings/keys`)
    await page.getByRole("button", { name: "Change Test client" }).click()
    const sheet = page.getByRole("dialog", { name: "Change Test client" })
    await sheet.getByRole("checkbox", { name: `Environment ${staging.id}` }).click()
    await sheet.getByRole("checkbox", { name: production.name }).check()
    await sheet.getByRole("button", { name: "Save" }).click()
    await sheet.waitFor({ state: "detached" })
    const [key] = await api.ask("GET", `/organization/${id}/api-keys`)
    assert.deepStrictEqual(key.environmentIds, [production.id])
    assert.deepStrictEqual(await leave(), [])
  })
})

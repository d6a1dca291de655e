import { assert, beforeAll, describe, it } from "@effect/vitest"
import type { BrowserContextOptions } from "playwright-core"
import { allPermissions } from "../../../../src/domain/access/Permission.ts"
import { permissionGroups } from "../../../../src/web/settings/Permissions.ts"
import { missingBrowser, sayWhatIsMissing } from "../../../support/Browser.ts"
import { inBrowser, isOpenEverywhere, isOpenToEverybody, screens } from "../../InBrowser.ts"
import { secretOf, withoutBrowser } from "../../Scripts.ts"
import { apiOf, password } from "../../Team.ts"

sayWhatIsMissing()

const ada = "ada@studio.example"
const kim = "kim@studio.example"

const names = "project environments keys members roles webhooks changes organization account".split(" ")

it("the matrix of roles shows every permission once", () => {
  assert.deepStrictEqual(permissionGroups.flatMap(([, permissions]) => permissions).sort(), [...allPermissions].sort())
})

describe.skipIf(missingBrowser !== null)("settings", () => {
  const world = inBrowser()
  const { answered, send } = withoutBrowser(() => world.server.url)
  let place = ""
  let session: BrowserContextOptions = {}

  /** Ada's browser: she has signed in once. */
  const visitAsAda = () => world.visit(session)

  beforeAll(async () => {
    const { context, leave } = await world.visit()
    const api = apiOf(context.request, world.server.url)
    await api.signUp("Ada", ada)
    const { organizations } = await api.signIn(ada)
    place = `/p/${organizations[0].applications[0].id}/production`
    session = { storageState: await context.storageState() }
    await leave()
  })

  it("a key is made, shown once, rotated so that both secrets work, and revoked", async () => {
    const { page, leave } = await visitAsAda()
    await page.goto(`${place}/settings/keys`)
    await page.getByRole("button", { name: "New key" }).click()
    await page.getByLabel("Name").fill("Roblox client")
    await page.getByRole("button", { name: "Make the key" }).click()
    const shown = page.getByRole("dialog", { name: "Roblox client" })
    await shown.getByText("It is shown this once").waitFor()
    const first = await secretOf(page)
    assert.include(await shown.getByLabel("How to use it").textContent(), first)
    assert.isBelow(await send(first), 300)
    await shown.getByRole("button", { name: "I have kept it" }).click()
    const row = page.getByRole("row", { name: /Roblox client/ })
    await row.waitFor()
    assert.notInclude(await page.content(), first)
    await page.reload()
    await row.waitFor()
    assert.notInclude(await page.content(), first)

    await row.getByRole("button", { name: "Rotate Roblox client" }).click()
    await page.getByRole("button", { name: "Make a new secret" }).click()
    await shown.getByText("The old secret works until").waitFor()
    const second = await secretOf(page)
    assert.notStrictEqual(second, first)
    assert.isBelow(await send(first), 300)
    assert.isBelow(await send(second), 300)
    await page.getByRole("button", { name: "I have kept it" }).click()
    await row.getByText("The secret before works until").waitFor()

    await row.getByRole("button", { name: "Revoke Roblox client" }).click()
    await page.getByRole("button", { name: "Revoke the key" }).click()
    await page.getByText("None works any more.").waitFor()
    assert.deepStrictEqual([await send(first), await send(second)], [401, 401])
    assert.deepStrictEqual(await leave(), [])
  })

  it("a key is renamed and works elsewhere from then on, with the secret that it has", async () => {
    const { page, leave } = await visitAsAda()
    await page.goto(`${place}/settings/keys`)
    await page.getByRole("button", { name: "New key" }).click()
    await page.getByLabel("Name").fill("Test client")
    await page.getByRole("button", { name: "Make the key" }).click()
    const key = await secretOf(page)
    await page.getByRole("button", { name: "I have kept it" }).click()
    await page.getByRole("button", { name: "Change Test client" }).click()
    const sheet = page.getByRole("dialog", { name: "Change Test client" })
    const save = sheet.getByRole("button", { name: "Save" })
    await sheet.getByRole("textbox", { name: "Name" }).fill("Playtest client")
    await sheet.getByRole("checkbox", { name: /sdk:ingest/ }).uncheck()
    await sheet.getByRole("checkbox", { name: /sdk:read/ }).uncheck()
    await sheet.getByText("Choose what it may do.").waitFor()
    assert.isTrue(await save.isDisabled())
    await sheet.getByRole("checkbox", { name: /sdk:read/ }).check()
    await sheet.getByRole("checkbox", { name: "Development" }).uncheck()
    await isOpenToEverybody(page, "change of a key")
    await save.click()
    const row = page.getByRole("row", { name: /Playtest client/ })
    await row.getByText("1 permission").waitFor()
    assert.notInclude(await row.textContent(), "Development")
    assert.strictEqual(await send(key), 403)
    await row.getByRole("button", { name: "Revoke Playtest client" }).click()
    await page.getByRole("button", { name: "Revoke the key" }).click()
    await row.waitFor({ state: "detached" })
    assert.deepStrictEqual(await leave(), [])
  })

  it("who is invited to a role made in the matrix may do what it allows, until it is changed", async () => {
    const owner = await visitAsAda()
    const { page } = owner
    await page.goto(`${place}/settings/roles`)
    await page.getByRole("button", { name: "Copy Viewer" }).click()
    await page.getByRole("textbox", { name: /^Name/ }).fill("Economy designer")
    await page.getByRole("checkbox", { name: "Economy designer: players:read" }).uncheck()
    await page.getByRole("checkbox", { name: "Economy designer: configurations:write" }).check()
    await page.getByRole("button", { name: "Review" }).click()
    await page.getByRole("button", { name: "Make the role" }).click()
    await page.getByRole("button", { name: "Edit Economy designer" }).waitFor()

    await page.getByRole("link", { name: "Members" }).click()
    await page.getByRole("button", { name: "Invite", exact: true }).click()
    await page.getByLabel("E-mail").fill(kim)
    await page.getByLabel("Role", { exact: true }).selectOption("Economy designer")
    await page.getByRole("button", { name: "Make the link" }).click()
    await page.locator("[data-secret]").waitFor()
    const link = await secretOf(page)
    await page.getByRole("button", { name: "I have kept it" }).click()
    await page
      .getByRole("row", { name: new RegExp(kim) })
      .getByText("pending until")
      .waitFor()
    await page.reload()
    await page.getByRole("row", { name: new RegExp(kim) }).waitFor()
    assert.notInclude(await page.content(), link)

    const member = await world.visit()
    await member.page.goto(new URL(link).pathname)
    await member.page.getByRole("link", { name: "Create an account" }).click()
    await member.page.getByLabel("Name").fill("Kim")
    await member.page.getByLabel("E-mail").fill(kim)
    await member.page.getByLabel("Password").fill(password)
    await member.page.getByRole("button", { name: "Create the account" }).click()
    await member.page.getByRole("button", { name: "Accept the invitation" }).click()
    await member.page.waitForURL(/\/production\//)
    await member.page.goto(`${place}/players`)
    await member.page.getByText("Your role may not see this page").waitFor()
    await member.page.goto(`${place}/settings/keys`)
    const newKey = member.page.getByRole("button", { name: "New key" })
    await newKey.waitFor()
    assert.isTrue(await newKey.isDisabled())
    await member.page.goto(`${place}/configurations`)
    const newConfiguration = member.page.getByRole("button", { name: "New configuration" }).first()
    await newConfiguration.waitFor()
    assert.isTrue(await newConfiguration.isEnabled())

    await page.goto(`${place}/settings/roles`)
    await page.getByRole("button", { name: "Edit Economy designer" }).click()
    await page.getByRole("checkbox", { name: "Economy designer: configurations:write" }).uncheck()
    await page.getByText("Gains 0, loses 1").waitFor()
    await page.getByRole("button", { name: "Review" }).click()
    const sheet = page.getByRole("dialog", { name: "Review Economy designer" })
    await sheet.getByText("1 member can no longer do that").waitFor()
    await sheet.getByText(kim).waitFor()
    await isOpenToEverybody(page, "review of a role")
    await sheet.getByRole("button", { name: "Save the role" }).click()
    await sheet.waitFor({ state: "hidden" })
    await member.page.reload()
    await newConfiguration.waitFor()
    assert.isTrue(await newConfiguration.isDisabled())

    await page.getByRole("link", { name: "Members" }).click()
    await page.getByRole("button", { name: "Change the roles of Kim" }).click()
    await page.getByLabel("Role: In the organization").selectOption("Analyst")
    await page.getByText("Gains").waitFor()
    await page.getByRole("button", { name: "Save" }).click()
    await page.getByText("Saved.").waitFor()
    await page.keyboard.press("Escape")
    await page.getByRole("row", { name: /Kim/ }).getByText("Analyst").waitFor()
    assert.deepStrictEqual([...(await member.leave()), ...(await owner.leave())], [])
  })

  it("a personal token asks in one's own name, and is refused once it is revoked", async () => {
    const { page, leave } = await visitAsAda()
    await page.goto(`${place}/settings/account`)
    await page.getByRole("button", { name: "New token" }).click()
    const sheet = page.getByRole("dialog", { name: "New personal token" })
    await sheet.getByRole("textbox", { name: "Name" }).fill("Deploy script")
    assert.isTrue(await sheet.getByRole("button", { name: "Make the token" }).isDisabled())
    await sheet.getByRole("checkbox", { name: /configurations:read/ }).check()
    await sheet.getByRole("button", { name: "Make the token" }).click()
    await page.locator("[data-secret]").waitFor()
    const token = await secretOf(page)
    await page.getByRole("button", { name: "I have kept it" }).click()
    const application = `/application/${place.split("/")[2]}`
    const headers = { authorization: `Bearer ${token}` }
    assert.strictEqual(await answered(`${application}/v2/configurations`, headers), 200)
    assert.strictEqual(await answered(`${application}/boards`, headers), 403)
    await page.getByRole("button", { name: "Revoke Deploy script" }).click()
    await page.getByRole("button", { name: "Revoke the token" }).click()
    await page.getByText("You have none").waitFor()
    assert.strictEqual(await answered(`${application}/v2/configurations`, headers), 401)
    assert.deepStrictEqual(await leave(), [])
  })

  it("an environment keeps its markers for days of its own, and goes when its name is typed", async () => {
    const { page, leave } = await visitAsAda()
    await page.goto(`${place}/settings/environments`)
    await page.getByRole("button", { name: "New environment" }).click()
    await page.getByRole("textbox", { name: "Name", exact: true }).fill("Staging")
    await page.getByRole("button", { name: "Create", exact: true }).click()
    await page.getByRole("button", { name: "Change Staging" }).click()
    await page.getByLabel("Days markers are kept").fill("30")
    await page.getByRole("button", { name: "Add a type" }).click()
    await page.getByLabel("Type of marker").fill("Heartbeat")
    await page.getByLabel("Days Heartbeat is kept").fill("7")
    await page.getByRole("button", { name: "Save" }).click()
    await page.getByText("30 days; 1 type otherwise").waitFor()
    assert.isTrue(await page.getByRole("button", { name: "Delete Production" }).isDisabled())
    await page.getByRole("button", { name: "Delete Staging" }).click()
    const remove = page.getByRole("button", { name: "Delete the environment" })
    assert.isTrue(await remove.isDisabled())
    await page.getByLabel("Type the name to confirm").fill("Staging")
    await remove.click()
    await page.getByRole("row", { name: /Staging/ }).waitFor({ state: "detached" })
    assert.deepStrictEqual(await leave(), [])
  })

  it("every page is open to everybody in both themes, on a desk and on a phone", async () => {
    const { page, leave } = await visitAsAda()
    for (const name of names) {
      await page.goto(`${place}/settings/${name}`)
      await page.getByRole("heading", { level: 1 }).waitFor()
      await page.locator(".skeleton").first().waitFor({ state: "hidden" })
      if (name === "keys") await page.getByRole("checkbox", { name: /^Also the/ }).check()
      await isOpenEverywhere(page, name)
      await page.setViewportSize(screens[1])
      const tooWide =
        "[...document.querySelectorAll('.list-table')].filter((list) => list.scrollWidth > list.parentElement.clientWidth).length"
      assert.strictEqual(await page.evaluate(tooWide), 0, name)
    }
    await page.goto(`${place}/settings/keys`)
    await page.getByRole("button", { name: "New key" }).click()
    await page.getByRole("radio", { name: "Secret" }).click()
    await isOpenEverywhere(page, "new key")
    await page.goto(`${place}/settings/roles`)
    await page.getByRole("button", { name: "Copy Analyst" }).click()
    await page.getByRole("region", { name: "Draft" }).waitFor()
    await isOpenEverywhere(page, "new role")
    assert.deepStrictEqual(await leave(), [])
  })
})

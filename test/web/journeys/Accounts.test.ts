import { assert, describe, it } from "@effect/vitest"
import { missingBrowser, sayWhatIsMissing } from "../../support/Browser.ts"
import { barriersOn } from "../../support/Visitor.ts"
import { inDemoStudio } from "../InBrowser.ts"
import { apiOf, joinTeam } from "../Team.ts"

sayWhatIsMissing()

const stranger = { storageState: { cookies: [], origins: [] } }
const email = "lost@studio.example"
const newPassword = "another battery staple"

describe.skipIf(missingBrowser !== null)("accounts", () => {
  const studio = inDemoStudio()

  it("an owner gives somebody who has lost the password a link, and they come back in", async () => {
    const owner = await studio.visit()
    const member = await studio.visit(stranger)
    const ownerApi = apiOf(owner.context.request, studio.server.url)
    await joinTeam(ownerApi, apiOf(member.context.request, studio.server.url), "Viewer", email)
    await member.context.clearCookies()

    const { page } = owner
    await page.goto(`${studio.place}/settings/members`)
    await page.getByRole("button", { name: "New password for Viewer" }).click()
    assert.deepStrictEqual(await barriersOn(page), [])
    await page.getByRole("button", { name: "Make the link" }).click()
    const link = await page.locator("[data-secret]").innerText()
    assert.deepStrictEqual(await barriersOn(page), [])
    await page.getByRole("button", { name: "I have kept it" }).click()

    await member.page.goto("/signin")
    await member.page.getByText("Lost the password?").waitFor()
    await member.page.goto(link)
    assert.deepStrictEqual(await barriersOn(member.page), [])
    await member.page.getByLabel("New password").fill(newPassword)
    await member.page.getByRole("button", { name: "Save the password" }).click()
    await member.page.getByRole("link", { name: "Sign in" }).click()
    await member.page.getByLabel("E-mail").fill(email)
    await member.page.getByLabel("Password").fill(newPassword)
    await member.page.getByRole("button", { name: "Sign in" }).click()
    await member.page.waitForURL(/\/p\/\d+\//)

    await member.page.goto("/signin")
    await member.page.goto(link)
    await member.page.getByLabel("New password").fill(newPassword)
    await member.page.getByRole("button", { name: "Save the password" }).click()
    await member.page.getByText("This link was used or has ended").waitFor()
    assert.deepStrictEqual([...(await member.leave()), ...(await owner.leave())], [])
  })
})

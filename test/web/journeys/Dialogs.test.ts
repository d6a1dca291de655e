import { assert, describe, it } from "@effect/vitest"
import type { Locator, Page } from "playwright-core"
import { missingBrowser, sayWhatIsMissing } from "../../support/Browser.ts"
import { inDemoStudio, isOpenEverywhere } from "../InBrowser.ts"
import { apiOf, joinTeam } from "../Team.ts"

sayWhatIsMissing()

const focused = (page: Page): Promise<string> => page.evaluate("document.activeElement?.textContent?.trim() ?? ''")

/** A click on the page beside whatever lies over it. */
const clickBeside = (page: Page): Promise<void> => page.mouse.click(5, 5)

describe.skipIf(missingBrowser !== null)("what lies over a page and was changed", () => {
  const studio = inDemoStudio()

  it("a sheet asks before a click beside it, Esc or its cross lose what was typed", async () => {
    const { page, leave } = await studio.visit()
    await page.goto(`${studio.place}/deeplinks`)
    const opener = page.getByRole("button", { name: "New deeplink" }).first()
    const sheet = page.getByRole("dialog", { name: "New deeplink" })
    const question = page.getByRole("alertdialog", { name: "Discard your changes?" })
    const name = sheet.getByLabel(/^Name/)

    // Nothing typed, or nothing left of it: nothing to ask. Who types at once types into the first field.
    for (const close of [() => page.keyboard.press("Escape"), () => clickBeside(page)]) {
      await opener.click()
      await sheet.waitFor()
      await page.keyboard.type("Spring")
      assert.strictEqual(await name.inputValue(), "Spring")
      await name.fill("")
      await close()
      await sheet.waitFor({ state: "detached" })
      assert.strictEqual(await focused(page), "New deeplink")
    }

    await opener.click()
    await name.fill("Spring")
    await clickBeside(page)
    await question.waitFor()
    assert.strictEqual(await focused(page), "Keep editing")
    await isOpenEverywhere(page, "the question whether to discard")
    await question.getByRole("button", { name: "Keep editing" }).click()
    await question.waitFor({ state: "detached" })
    assert.strictEqual(await name.inputValue(), "Spring")
    assert.isTrue(await name.evaluate((field) => field === document.activeElement), "it goes on where it was")

    // However often Esc is pressed: it opens the question and closes it.
    for (let times = 0; times < 4; times++) {
      await page.keyboard.press("Escape")
      await question.waitFor()
      await page.keyboard.press("Escape")
      await question.waitFor({ state: "detached" })
    }
    assert.strictEqual(await name.inputValue(), "Spring")

    // A click beside the question is one beside nothing else.
    await page.keyboard.press("Escape")
    await question.waitFor()
    await clickBeside(page)
    assert.strictEqual(await name.inputValue(), "Spring")
    if (await question.isVisible()) await question.getByRole("button", { name: "Keep editing" }).click()

    await sheet.getByRole("button", { name: "Close" }).click()
    await question.getByRole("button", { name: "Discard" }).click()
    await sheet.waitFor({ state: "detached" })
    assert.strictEqual(await focused(page), "New deeplink")
    await opener.click()
    assert.strictEqual(await name.inputValue(), "")
    assert.deepStrictEqual(await leave(), [])
  })

  it("a dialog asks too, but not whoever cancels; choices count like words", async () => {
    const { page, leave } = await studio.visit()
    await page.goto(`${studio.place}/settings/members`)
    const opener = page.getByRole("button", { name: "Invite", exact: true })
    const form = page.getByRole("dialog", { name: "Invite somebody" })
    const question = page.getByRole("alertdialog")
    await opener.click()
    await form.getByLabel("E-mail").fill("kim@studio.example")
    await clickBeside(page)
    await question.getByRole("button", { name: "Keep editing" }).click()
    await form.getByRole("button", { name: "Cancel" }).click()
    await form.waitFor({ state: "detached" })
    assert.strictEqual(await focused(page), "Invite")
    await opener.click()
    await form.getByLabel("Role", { exact: true }).selectOption("Analyst")
    // The palette would lead away from it, over the question too.
    for (let press = 0; press < 2; press++) {
      await page.keyboard.press("Control+k")
      await question.waitFor()
      assert.strictEqual(await page.getByRole("dialog", { name: "Go to" }).count(), 0)
    }
    await question.getByRole("button", { name: "Keep editing" }).click()
    await page.keyboard.press("Escape")
    await question.getByRole("button", { name: "Discard" }).click()
    await form.waitFor({ state: "detached" })
    assert.deepStrictEqual(await leave(), [])
  })

  it("what was chosen, added or taken away by buttons of a form counts, and what is only looked at does not", async () => {
    const { page, leave } = await studio.visit()
    const question = page.getByRole("alertdialog", { name: "Discard your changes?" })
    const asks = async (
      title: string,
      change: (sheet: Locator) => Promise<void>,
      back: (sheet: Locator) => Promise<void>
    ) => {
      const sheet = page.getByRole("dialog", { name: title })
      await change(sheet)
      await page.keyboard.press("Escape")
      await question.getByRole("button", { name: "Keep editing" }).click()
      await question.waitFor({ state: "detached" })
      await back(sheet)
      await page.keyboard.press("Escape")
      await sheet.waitFor({ state: "detached" })
    }
    await page.goto(`${studio.place}/settings/keys`)
    await page.getByRole("button", { name: "New key" }).first().click()
    const kind = (name: RegExp) => (sheet: Locator) => sheet.getByRole("radio", { name }).first().click()
    await asks("New key", kind(/^Secret/), kind(/^Public/))
    await page.goto(`${studio.place}/settings/environments`)
    await page
      .getByRole("button", { name: /^Change/ })
      .first()
      .click()
    await asks(
      "Change Production",
      (sheet) => sheet.getByRole("button", { name: "Add a type" }).click(),
      (sheet) => sheet.getByRole("button", { name: /^Keep it like the others/ }).click()
    )
    assert.deepStrictEqual(await leave(), [])
  })

  it("a secret that is shown once is not lost to a click beside it", async () => {
    const { page, leave } = await studio.visit()
    await page.goto(`${studio.place}/settings/members`)
    await page.getByRole("button", { name: "Invite", exact: true }).click()
    await page.getByLabel("E-mail").fill("kim@studio.example")
    await page.getByRole("button", { name: "Make the link" }).click()
    const secret = page.locator("[data-secret]")
    await secret.waitFor()
    await clickBeside(page)
    const question = page.getByRole("alertdialog", { name: "Close it for good?" })
    await question.getByRole("button", { name: "Back to it" }).click()
    await page.keyboard.press("Control+k")
    await question.getByRole("button", { name: "Back to it" }).click()
    await secret.waitFor()
    await page.getByRole("button", { name: "I have kept it" }).click()
    await secret.waitFor({ state: "detached" })
    assert.strictEqual(await question.count(), 0)
    assert.deepStrictEqual(await leave(), [])
  })

  it("a role that was chosen and not saved is asked after, and one that is saved is not", async () => {
    const { page, leave } = await studio.visit()
    const member = await studio.visit({ storageState: { cookies: [], origins: [] } })
    const [owner, viewer] = [apiOf(page.request, studio.server.url), apiOf(member.page.request, studio.server.url)]
    await joinTeam(owner, viewer, "Viewer", "lin@studio.example")
    await member.leave()
    await page.goto(`${studio.place}/settings/members`)
    await page.getByRole("button", { name: "Change the roles of Viewer" }).click()
    const sheet = page.getByRole("dialog", { name: /^Roles of/ })
    await sheet.getByLabel("Role: In the organization").selectOption("Analyst")
    await page.keyboard.press("Escape")
    await page.getByRole("alertdialog", { name: "Discard your changes?" }).waitFor()
    await page.getByRole("button", { name: "Keep editing" }).click()
    await sheet.getByRole("button", { name: "Save" }).click()
    await sheet.getByText("Saved.").waitFor()
    await page.keyboard.press("Escape")
    await sheet.waitFor({ state: "detached" })
    assert.deepStrictEqual(await leave(), [])
  })

  it("the way back, the way on and a reload ask too, and go where nothing was typed", async () => {
    const { page, leave } = await studio.visit()
    const opener = page.getByRole("button", { name: "New deeplink" }).first()
    const sheet = page.getByRole("dialog", { name: "New deeplink" })
    const question = page.getByRole("alertdialog", { name: "Discard your changes?" })
    const name = sheet.getByLabel(/^Name/)
    const steps = (by: number) => page.evaluate(`history.go(${by})`)
    await page.goto(`${studio.place}/boards`)
    await page.getByRole("link", { name: "Deeplinks", exact: true }).click()
    await page.getByRole("link", { name: "Cohorts", exact: true }).click()
    await page.waitForURL(/\/cohorts$/)
    await steps(-1)
    for (const by of [-1, 1]) {
      await opener.click()
      await name.fill("Spring")
      await steps(by)
      await question.getByRole("button", { name: "Keep editing" }).click()
      await question.waitFor({ state: "detached" })
      assert.strictEqual(await name.inputValue(), "Spring")
      assert.match(page.url(), /\/deeplinks$/)
      await page.keyboard.press("Escape")
      await question.getByRole("button", { name: "Discard" }).click()
      await sheet.waitFor({ state: "detached" })
    }

    await opener.click()
    await name.fill("Spring")
    const asked = page.waitForEvent("dialog")
    await page.evaluate("void setTimeout(() => location.reload())")
    const prompt = await asked
    assert.strictEqual(prompt.type(), "beforeunload")
    await prompt.dismiss()
    assert.strictEqual(await name.inputValue(), "Spring")
    assert.strictEqual(await question.count(), 0)

    await name.fill("")
    await steps(-1)
    await page.waitForURL(/\/boards$/)
    await sheet.waitFor({ state: "detached" })
    assert.deepStrictEqual(await leave(), [])
  })

  it("a name is confirmed as it is read, and what was refused is said of that thing alone", async () => {
    const { page, leave } = await studio.visit()
    const { ask } = apiOf(page.request, studio.server.url)
    const home = `/application/${studio.place.split("/")[2]}/environments`
    const alpha = await ask("POST", home, { name: "Alpha", alias: "alpha" })
    await ask("POST", home, { name: " Beta  two ", alias: "beta" })
    await page.goto(`${studio.place}/settings/environments`)
    const dialog = page.getByRole("dialog", { name: /^Delete/ })
    await page.getByRole("button", { name: "Delete Alpha" }).click()
    await ask("DELETE", `${home}/${alpha.id}`)
    await dialog.getByRole("textbox").fill("Alpha")
    await dialog.getByRole("button", { name: "Delete the environment" }).click()
    await dialog.getByRole("alert").waitFor()
    await dialog.getByRole("button", { name: "Keep" }).click()
    await page.getByRole("button", { name: /^Delete\s+Beta/ }).click()
    await dialog.getByRole("textbox").fill("Beta two")
    assert.strictEqual(await dialog.getByRole("alert").count(), 0)
    await dialog.getByRole("button", { name: "Delete the environment" }).click()
    await dialog.waitFor({ state: "detached" })
    const left: ReadonlyArray<{ readonly alias: string }> = await ask("GET", home)
    assert.notInclude(
      left.map(({ alias }) => alias),
      "beta"
    )
    assert.deepStrictEqual(await leave(), [])
  })
})

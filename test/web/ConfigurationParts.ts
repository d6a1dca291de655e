import { assert } from "@effect/vitest"
import type { Locator, Page } from "playwright-core"
import type { inDemoStudio } from "./InBrowser.ts"

/** What journeys do to configurations of the demo studio beside the pages, by the API. */
export const configurationsOf = (studio: ReturnType<typeof inDemoStudio>) => {
  const applicationId = () => studio.place.split("/")[2] ?? ""

  /** What somebody else does at the same time, by the API. */
  const patch = async (page: Page, id: string, changes: ReadonlyArray<object>) => {
    const answer = await page.request.patch(`/application/${applicationId()}/v2/configuration/${id}`, {
      data: { changes, reason: "by somebody else" },
      headers: { origin: studio.server.url }
    })
    assert.strictEqual(answer.status(), 200, await answer.text())
  }

  const post = async (page: Page, path: string, data: object) => {
    const answer = await page.request.post(`/application/${applicationId()}/v2/${path}`, {
      data,
      headers: { origin: studio.server.url }
    })
    assert.strictEqual(answer.status(), 201, await answer.text())
    return answer.json()
  }

  /** An experiment that holds the price of a configuration: half of all players get another one. */
  const holdPrice = (page: Page, baseConfigurationId: number) =>
    post(page, "experiments", {
      name: "Dearer",
      unitType: "user",
      assignmentMode: "weightedHash",
      baseConfigurationId,
      groups: [
        { name: "As it is", weight: 5000, isControl: true },
        {
          name: "Dear",
          weight: 5000,
          changeset: { operations: [{ op: "set", path: ["price"], value: 20 }] }
        }
      ]
    })

  const live = async (page: Page, id: string) =>
    (await (await page.request.get(`/application/${applicationId()}/v2/configuration/${id}`)).json()).configuration

  return { applicationId, patch, post, holdPrice, live }
}

/** Puts a text in place of the one in an editor, as somebody who pastes it. */
export const replace = async (editor: Locator, text: string) => {
  await editor.press("Control+a")
  await editor.evaluate((element, pasted) => {
    const clipboardData = new DataTransfer()
    clipboardData.setData("text/plain", pasted)
    element.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }))
  }, text)
}

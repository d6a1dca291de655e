import { assert } from "@effect/vitest"
import type { Page } from "playwright-core"
import type { inDemoStudio } from "./InBrowser.ts"

/** What a game gets that asks for a configuration in production, for a player, with a key that is made for it. */
export const gameOf = async (page: Page, studio: ReturnType<typeof inDemoStudio>, configuration: string) => {
  const applicationId = Number(studio.place.split("/")[2])
  const json = async (path: string) => (await page.request.get(path)).json()
  const { organizationId } = await json(`/application/${applicationId}`)
  const environments: ReadonlyArray<{ readonly id: number; readonly alias: string }> = await json(
    `/application/${applicationId}/environments`
  )
  const created = await page.request.post(`/organization/${organizationId}/api-keys`, {
    headers: { origin: studio.server.url },
    data: {
      type: "public",
      name: "Game",
      applicationId,
      environmentIds: environments.filter(({ alias }) => alias === "production").map(({ id }) => id),
      permissions: ["sdk:read"]
    }
  })
  assert.strictEqual(created.status(), 201, await created.text())
  const { token } = await created.json()
  return async (distinctId: string) => {
    const answer = await fetch(`${studio.server.url}/sdk/v2/configurations/evaluate`, {
      method: "POST",
      headers: { authorization: token, environment: "production", "content-type": "application/json" },
      body: JSON.stringify({ configuration, unit: { type: "user", distinctId } })
    })
    assert.strictEqual(answer.status, 200)
    return (await answer.json()).configuration
  }
}

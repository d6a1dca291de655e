import { assert, beforeAll, describe, it } from "@effect/vitest"
import { type Studio, openStudio } from "../../support/access/Studio.ts"
import { caller, refused } from "../../support/Caller.ts"
import { stores } from "../../support/Stores.ts"
import { testApp } from "../../support/TestApp.ts"

const time = { step: "day", relative: { step: "day", value: 7 } }
const metrics = [{ id: "A", data: { name: "Login", type: "totalEvents" } }]
const bounds = { pointA: { x: 0, y: 0, z: 0 }, pointB: { x: 1, y: 1, z: 1 } }
const watch = { kind: "silence", names: "Level", minutes: 60 }

describe.each(stores)("ids over %s", (_, store) => {
  const { request } = testApp(store)
  let studio: Studio
  let call: ReturnType<typeof caller>
  let root: string

  beforeAll(async () => {
    studio = await openStudio(request, "ada")
    call = caller(request, { ...studio.cookie, environment_id: String(studio.production) })
    root = `/application/${studio.applicationId}`
  })

  const created = async (path: string, body: object): Promise<string> => {
    const { status, body: made } = await call("POST", path, body)
    assert.strictEqual(status, 201, JSON.stringify(made))
    return made.id
  }

  it("that are UUIDs are found in capital letters, and answered as they are", async () => {
    const query = { name: "Players", queryType: "insight", spec: { time, metrics } }
    const link = { name: "Summer", type: "web_url", redirectUrl: "https://studio.example/play" }
    const hook = { name: "Hook", url: "https://studio.example/hook", types: ["key.created"] }
    const cases: ReadonlyArray<readonly [string, object]> = [
      [`${root}/analytics/v1/heatmaps`, { name: "Harbour", bounds, resolutionFactor: 2 }],
      [`${root}/analytics/v1/queries`, query],
      [`${root}/boards`, { name: "Board" }],
      [`${root}/deeplinks`, link],
      [`${root}/alerts`, { name: "Quiet", watch }],
      [`/organization/${studio.organizationId}/webhooks`, hook]
    ]
    for (const [path, body] of cases) {
      const id = await created(path, body)
      const { status, body: found } = await call("GET", `${path}/${id.toUpperCase()}`)
      assert.deepStrictEqual([status, found.id], [200, id])
      refused(await call("GET", `${path}/${id.replaceAll("-", "")}`), 400, "VALIDATION_FAILED")
    }
  })

  it("that are UUIDs are read in capital letters in bodies", async () => {
    const id = await created(`${root}/analytics/v1/heatmaps`, { name: "Map", bounds, resolutionFactor: 2 })
    const asked = { time, metrics, heatmapData: { id: id.toUpperCase() } }
    assert.strictEqual((await call("POST", `${root}/analytics/v1/queries/heatmaps/execute`, asked)).status, 200)
    const saved = await created(`${root}/analytics/v1/queries`, {
      name: "Runs",
      queryType: "insight",
      spec: { time, metrics }
    })
    const runs = `${root}/analytics/v1/queries/${saved}/executions`
    const { executionId } = (await call("POST", runs, {})).body
    const state = await call("POST", `${runs}/state`, { executionId: executionId.toUpperCase() })
    assert.deepStrictEqual([state.status, state.body.executionId], [200, executionId])
  })
})

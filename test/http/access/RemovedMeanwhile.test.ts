import { assert, beforeAll, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { afterEach, vi } from "vitest"
import { ProjectRepo } from "../../../src/ports/access/ProjectRepo.ts"
import { type Studio, openStudio } from "../../support/access/Studio.ts"
import { caller, refused } from "../../support/Caller.ts"
import { stores } from "../../support/Stores.ts"
import { type Answer, testApp } from "../../support/TestApp.ts"

const time = { step: "day", relative: { step: "day", value: 7 } }
const spec = { time, metrics: [{ id: "A", data: { name: "Login", type: "totalEvents" } }] }
const did = { type: "firstTime", marker: "Login", window: { last: 7, unit: "day" } }
const bounds = { pointA: { x: 0, y: 0, z: 0 }, pointB: { x: 1, y: 1, z: 1 } }

const changed = (answer: Answer): void => refused(answer, 409, "CHANGED_MEANWHILE")

/** What a request finds, and somebody else removes before it stores something there. */
describe.each(stores)("what is created in what was there a moment ago, over %s", (_, store) => {
  const { request, run } = testApp(store)
  let studio: Studio
  let call: ReturnType<typeof caller>

  beforeAll(async () => {
    studio = await openStudio(request, "ada")
    call = caller(request, studio.cookie)
  })

  afterEach(() => {
    vi.restoreAllMocks()
  })

  const project = async () => {
    const { body } = await call("POST", `/organization/${studio.organizationId}/projects`, { name: "Short", sdkId: 1 })
    const root = `/application/${body.id}`
    const environment = await call("POST", `${root}/environments`, { name: "Staging" })
    const base = await call("POST", `${root}/v2/configuration`, { name: "base", configuration: { price: 1 } })
    assert.deepStrictEqual([environment.status, base.status], [201, 201])
    return { root, id: body.id, environmentId: environment.body.id, configurationId: base.body.id }
  }

  type Project = Awaited<ReturnType<typeof project>>

  const within = ({ environmentId }: Project) =>
    caller(request, { ...studio.cookie, environment_id: String(environmentId) })

  /** Requests go on finding the project, and its environments, as they are now. */
  const goesOnFinding = async ({ id }: Project) => {
    const repo = await run(ProjectRepo)
    const [found, all] = await run(Effect.all([repo.find(id), repo.environments(id)]))
    vi.spyOn(repo, "find").mockImplementation(() => Effect.succeed(found))
    vi.spyOn(repo, "environments").mockImplementation(() => Effect.succeed(all))
    return repo
  }

  it.each<[string, string, object]>([
    ["a configuration", "/v2/configuration", { name: "Shop", configuration: {} }],
    ["a cohort", "/analytics/v1/cohorts", { name: "New", definition: { op: "and", children: [did] } }],
    ["an alert", "/alerts", { name: "Quiet", watch: { kind: "silence", names: "Level", minutes: 60 } }],
    ["metadata of markers", "/analytics/v1/markers/metadata", { types: [{ name: "Login", hidden: true }] }]
  ])("%s is refused in an environment that is removed", async (_what, path, body) => {
    const place = await project()
    const repo = await goesOnFinding(place)
    await run(repo.removeEnvironment(place.environmentId))
    const method = path.endsWith("metadata") ? "PUT" : "POST"
    changed(await within(place)(method, place.root + path, body))
  })

  it.each<[string, string, object]>([
    ["a deeplink", "/deeplinks", { name: "Summer", type: "web_url", redirectUrl: "https://studio.example/play" }],
    ["a heatmap", "/analytics/v1/heatmaps", { name: "Harbour", bounds, resolutionFactor: 2 }],
    ["a query", "/analytics/v1/queries", { name: "Players", queryType: "insight", spec }],
    ["an environment", "/environments", { name: "Another" }]
  ])("%s is refused in a project that is removed", async (_what, path, body) => {
    const place = await project()
    const repo = await goesOnFinding(place)
    await run(repo.remove(place.id))
    changed(await call("POST", place.root + path, body))
  })

  it("a copy is refused in an environment that is removed", async () => {
    const place = await project()
    const repo = await goesOnFinding(place)
    const { root, configurationId, environmentId } = place
    await run(repo.removeEnvironment(environmentId))
    const copy = await call("POST", `${root}/v2/configuration/${configurationId}/copy`, { name: "Copy", environmentId })
    changed(copy)
    assert.strictEqual((await call("GET", `${root}/v2/configurations`)).body.length, 1)
  })
})

import { assert, beforeAll, describe, it } from "@effect/vitest"
import { openStudio, type Studio } from "../../support/access/Studio.ts"
import { stores } from "../../support/Stores.ts"
import { testApp } from "../../support/TestApp.ts"

const many = 8
const large = Array.from({ length: 1000 }, (_, at) => `value ${at}`)

/** How many turns the event loop takes until that has ended. */
const turnsOf = async <A>(work: () => Promise<A>) => {
  let turns = 0
  let next = setImmediate(function turn() {
    turns++
    next = setImmediate(turn)
  })
  const answer = await work()
  clearImmediate(next)
  return { turns, answer }
}

describe.each(stores)("E8: lists of large things over %s", (label, store) => {
  const { request } = testApp(store)
  let studio: Studio
  let lists: ReadonlyArray<readonly [name: string, path: string]>

  const call = (method: string, path: string, body?: unknown) =>
    request(method, path, {
      headers: { ...studio.cookie, environment_id: String(studio.production) },
      ...(body === undefined ? {} : { body })
    })

  beforeAll(async () => {
    studio = await openStudio(request, `turns-${label}`)
    const project = `/application/${studio.applicationId}`
    const filters = [{ source: "property", name: "platform", operator: "isIn", value: large }]
    const time = { step: "day", relative: { step: "day", value: 7 } }
    const metrics = [{ id: "A", data: { name: "Level", type: "totalEvents" } }]
    const behaviour = { type: "firstTime", marker: "Level", filters, window: { last: 30, unit: "day" } }
    const { body: configuration } = await call("POST", `${project}/v2/configuration`, {
      name: "Document",
      configuration: {}
    })
    for (let each = 0; each < many; each++) {
      const made = [
        await call("POST", `${project}/deeplinks`, {
          name: `Link ${each}`,
          type: "web_url",
          redirectUrl: "https://studio.example/play",
          metadata: { large }
        }),
        await call("POST", `${project}/analytics/v1/cohorts`, {
          name: `Cohort ${each}`,
          definition: { op: "and", children: [behaviour] }
        }),
        await call("POST", `${project}/analytics/v1/queries`, {
          name: `Query ${each}`,
          queryType: "insight",
          spec: { time, metrics, filters }
        }),
        await call("PATCH", `${project}/v2/configuration/${configuration.id}`, {
          changes: large.slice(0, 20).map((key) => ({ op: "set", path: [key], value: `${each} ${"x".repeat(500)}` }))
        })
      ]
      assert.deepStrictEqual(
        made.map(({ status }) => status),
        [201, 201, 201, 200]
      )
    }
    lists = [
      ["deeplinks", `${project}/deeplinks`],
      ["cohorts", `${project}/analytics/v1/cohorts`],
      ["saved queries", `${project}/analytics/v1/queries`],
      ["changes", `/organization/${studio.organizationId}/audit-log?operation=configurations.patch`]
    ]
  })

  it("are written one thing after the other, between which other requests are handled", async () => {
    for (const [name, path] of lists) {
      const { turns, answer } = await turnsOf(() => call("GET", path))
      assert.deepStrictEqual([name, answer.status], [name, 200])
      assert.lengthOf(answer.body.items ?? answer.body, many, name)
      assert.isAtLeast(turns, many, name)
    }
  })

  it("and so are the organizations of a person, who may make any number", async () => {
    for (let each = 1; each < many; each++)
      assert.strictEqual((await call("POST", "/organization", { name: `Studio ${each}` })).status, 201)
    const { turns, answer } = await turnsOf(() => call("GET", "/organization"))
    assert.lengthOf(answer.body, many)
    assert.isAtLeast(turns, many)
  })
})

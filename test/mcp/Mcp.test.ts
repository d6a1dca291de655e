import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { pageOf } from "../../src/web/saved/Kind.ts"
import { asksTheSame } from "../../src/web/saved/Same.ts"
import { mintKey, mintPersonalToken, openStudio, type Request, type Studio } from "../support/access/Studio.ts"
import { fetchRequest, startServer } from "../support/Server.ts"
import { type Assistant, permissions, proposedBy, ways } from "./Assistants.ts"
import { followUpsOn, logins, questionsOn, shownBy } from "./Questions.ts"

const groups = [
  { name: "As it is", weight: 5000, isControl: true },
  { name: "Cheaper", weight: 5000, changeset: { operations: [{ op: "set", path: ["price"], value: 299 }] } }
]

let folder: string
let server: Awaited<ReturnType<typeof startServer>>
let request: Request
let studio: Studio
let configurationId: number
let place: { readonly applicationId: number; readonly environment_id: number }

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "gamekeeper-"))
  server = await startServer(folder, ["--sign-up", "open"])
  request = fetchRequest(server.url)
  studio = await openStudio(request, "ada")
  place = { applicationId: studio.applicationId, environment_id: studio.production }
  const headers = { ...studio.cookie, environment_id: String(studio.production) }
  const created = await request("POST", `/application/${studio.applicationId}/v2/configuration`, {
    headers,
    body: { name: "Economy", configuration: { price: 499, shop: { gems: 10 } } }
  })
  configurationId = created.body.id
}, 120_000)

afterAll(async () => {
  await server?.stop()
  rmSync(folder, { recursive: true, force: true })
})

const minted = (given: ReadonlyArray<string> = permissions) =>
  mintPersonalToken(request, studio, { permissions: given })

describe.each(["stdio", "http"] as const)("tools for assistants over %s", (way) => {
  const withAssistant = async <A>(token: string, work: (assistant: Assistant) => Promise<A>): Promise<A> => {
    const assistant = await ways[way](server.url, token)
    try {
      return await work(assistant)
    } finally {
      await assistant.close()
    }
  }

  it("lists tools with schemas that are closed, and leads from projects to configurations", async () =>
    withAssistant(await minted(), async ({ client, call }) => {
      const { tools } = await client.listTools()
      for (const { name, inputSchema, description } of tools) {
        assert.strictEqual(inputSchema.type, "object", name)
        assert.strictEqual(inputSchema["additionalProperties"], false, name)
        assert.isAbove(description?.length ?? 0, 20, name)
      }
      const [project] = (await call("list_projects")).body
      assert.strictEqual(project.applicationId, studio.applicationId)
      const production = project.environments.find(({ alias }: { alias: string }) => alias === "production")
      assert.strictEqual(production.environment_id, studio.production)
      const found = (await call("search_configurations", { ...place, search: "GEMS" })).body
      assert.deepStrictEqual(
        found.map(({ name, keys }: { name: string; keys: unknown }) => ({ name, keys })),
        [{ name: "Economy", keys: ["price", "shop"] }]
      )
      assert.deepStrictEqual((await call("search_configurations", { ...place, search: "absent" })).body, [])
    }))

  it("answers each kind of question with the page that opens exactly this question", async () =>
    withAssistant(await minted(), async ({ call }) => {
      const map = await request("POST", `/application/${studio.applicationId}/analytics/v1/heatmaps`, {
        headers: studio.cookie,
        body: { name: `Courtyard ${way}`, bounds: { pointA: { x: 0, y: 0, z: 0 }, pointB: { x: 64, y: 64, z: 64 } } }
      })
      for (const { tool, kind, question } of questionsOn(map.body.id)) {
        const { body, text } = await call(tool, { ...place, question })
        assert.isString(body?.dashboard, text)
        const page = new URL(body.dashboard)
        assert.strictEqual(page.pathname, `/p/${studio.applicationId}/production/${pageOf(kind)}`)
        assert.isTrue(asksTheSame(question, shownBy(kind, page.searchParams)), body.dashboard)
      }
      const elsewhere = { ...logins, time: { ...logins.time, timezone: "Asia/Tokyo" } }
      const { dashboard, dashboardNote } = (await call("ask_insight", { ...place, question: elsewhere })).body
      assert.isNull(dashboard)
      assert.match(dashboardNote, /cannot show all parts/)
    }))

  it("leads behind the numbers of each kind of question, and to the markers themselves", async () =>
    withAssistant(await minted(), async ({ call }) => {
      const map = await request("POST", `/application/${studio.applicationId}/analytics/v1/heatmaps`, {
        headers: studio.cookie,
        body: { name: `Cellar ${way}`, bounds: { pointA: { x: 0, y: 0, z: 0 }, pointB: { x: 64, y: 64, z: 64 } } }
      })
      for (const [tool, question, field] of followUpsOn(map.body.id)) {
        const { body, isError, text } = await call(tool, { ...place, question })
        assert.isFalse(isError, `${tool}: ${text}`)
        assert.property(body, field, tool)
      }
      const refused = await call("read_markers", { ...place, question: { from: "now" } })
      assert.match(refused.text, /question\.from: .*question\.to: missing/)
    }))

  it("drafts, and neither publishes a configuration nor starts an experiment", async () =>
    withAssistant(await minted(), async ({ call }) => {
      const changes = [{ op: "set", path: ["price"], value: 399 }]
      const drafted = await call("draft_configuration_change", { ...place, configurationId, changes })
      assert.isFalse(drafted.isError, drafted.text)
      assert.deepStrictEqual(drafted.body.differences, [{ op: "set", path: ["price"], value: 399, previous: 499 }])
      assert.isFalse(drafted.body.wouldBeRefused)
      const page = `/p/${studio.applicationId}/production/configurations/${configurationId}`
      assert.deepStrictEqual(proposedBy(drafted), [page, changes])
      const { environment_id: _, ...anywhere } = place
      const unplaced = await call("draft_configuration_change", { ...anywhere, configurationId, changes })
      assert.deepStrictEqual(proposedBy(unplaced), [page, changes])
      const same = [{ op: "remove", path: ["absent"] }]
      const nothing = await call("draft_configuration_change", { ...place, configurationId, changes: same })
      assert.match(nothing.body.note, /change nothing/)
      const long = [{ op: "set", path: ["price"], value: "9".repeat(7000) }]
      const tooLong = await call("draft_configuration_change", { ...place, configurationId, changes: long })
      assert.deepStrictEqual(proposedBy(tooLong), [page, []])
      const kept = await call("read_configuration", { ...place, configurationId })
      assert.strictEqual(kept.body.configuration.price, 499)
      const experiment = {
        name: "Price",
        unitType: "user",
        assignmentMode: "weightedHash",
        baseConfigurationId: configurationId,
        groups
      }
      const made = await call("draft_experiment", { ...place, experiment })
      assert.isFalse(made.isError, made.text)
      assert.strictEqual(made.body.status, "draft")
      const { experimentId } = made.body
      const changed = await call("change_experiment_draft", {
        ...place,
        experimentId,
        experiment: { ...experiment, name: "Lower price" }
      })
      assert.strictEqual(changed.body?.status, "draft", changed.text)
      const told = await call("explain_experiment", { ...place, experimentId })
      assert.match(told.body?.explanation ?? told.text, /"Lower price" is a draft/)
      const started = await call("draft_experiment", { ...place, experiment: { ...experiment, status: "running" } })
      assert.match(started.text, /experiment\.status: this tool decides it/)
    }))

  it("explains a running experiment in words", async () =>
    withAssistant(await minted(), async ({ call }) => {
      const { body } = await request("POST", `/application/${studio.applicationId}/v2/experiments`, {
        headers: { ...studio.cookie, environment_id: String(studio.production) },
        body: {
          name: "Running",
          unitType: "user",
          assignmentMode: "weightedHash",
          baseConfigurationId: configurationId,
          groups: groups.map((group) => ({ ...group, changeset: { operations: [] } })),
          metrics: { goals: [{ id: "buyers", name: "Buyers", type: "proportion", marker: "Bought", withinDays: 7 }] }
        }
      })
      const told = await call("explain_experiment", { ...place, experimentId: body.id })
      assert.match(told.body?.explanation ?? told.text, /^"Running" is active.*\nVerdict: \S/)
      assert.strictEqual(told.body.results.status, "active")
    }))

  it("names every problem of a call, and changes nothing", async () =>
    withAssistant(await minted(), async ({ call }) => {
      const { isError, text } = await call("ask_insight", {
        applicationId: studio.applicationId,
        environmentid: 1,
        question: { ...logins, metric: 1, metrics: [] }
      })
      assert.isTrue(isError)
      assert.match(text, /environmentid: unknown argument, did you mean environment_id\?/)
      assert.match(text, /environment_id: missing/)
      assert.match(text, /question\.metric: unknown field/)
      assert.match(text, /question\.metrics: expected/)
      assert.match((await call("publish")).text, /No tool publish: there are list_projects,/)
      assert.match((await call("ask_funnel", { ...place, question: {} })).text, /question\.steps: missing/)
    }))

  it("may do what the token may, in no other organization", async () => {
    await withAssistant(await minted(["projects:read"]), async ({ call }) => {
      const refused = await call("ask_insight", { ...place, question: logins })
      assert.isTrue(refused.isError)
      assert.match(refused.text, /\(FORBIDDEN\)/)
    })
    const stranger = await openStudio(request, `eve-${way}`)
    const foreign = await mintPersonalToken(request, stranger, { permissions })
    await withAssistant(foreign, async ({ call }) => {
      assert.match((await call("ask_insight", { ...place, question: logins })).text, /NOT_FOUND\)/)
      assert.match((await call("read_configuration", { ...place, configurationId })).text, /NOT_FOUND\)/)
      const projects = (await call("list_projects")).body
      assert.notInclude(JSON.stringify(projects), `"applicationId":${studio.applicationId},`)
    })
  })

  it("takes a secret key for questions, and says why it names no page", async () => {
    const key = await mintKey(request, studio, { permissions: ["analytics:read"] })
    await withAssistant(key, async ({ call }) => {
      const { body, text } = await call("ask_insight", { ...place, question: logins })
      assert.isDefined(body?.answer, text)
      assert.isNull(body.dashboard)
      assert.match(body.dashboardNote, /projects:read/)
    })
  })
})

describe("the endpoint /mcp", () => {
  const initialize = {
    jsonrpc: "2.0",
    id: 1,
    method: "initialize",
    params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "test", version: "1" } }
  }
  const accept = "application/json, text/event-stream"

  it("refuses who shows no credential, a public key or a foreign page, large bodies and other methods", async () => {
    const authorization = `Bearer ${await minted()}`
    const key = await mintKey(request, studio, { type: "public", permissions: [] })
    const rows: ReadonlyArray<readonly [string, number, Parameters<Request>[2]]> = [
      ["no credential", 401, { body: initialize, headers: { accept } }],
      ["unknown token", 401, { body: initialize, headers: { accept, authorization: "Bearer pat_unknown" } }],
      ["public key", 401, { body: initialize, headers: { accept, authorization: `Bearer ${key}` } }],
      ["foreign page", 403, { body: initialize, headers: { accept, authorization, origin: "https://evil.example" } }],
      ["large body", 413, { body: { ...initialize, id: "x".repeat(1024 * 1024) }, headers: { accept, authorization } }],
      ["a batch", 400, { body: [initialize, initialize], headers: { accept, authorization } }],
      ["no JSON", 400, { raw: "{", headers: { accept, authorization, "content-type": "application/json" } }],
      ["a token", 200, { body: initialize, headers: { accept, authorization } }]
    ]
    for (const [name, status, call] of rows) {
      const answer = await request("POST", "/mcp", call)
      assert.strictEqual(answer.status, status, `${name}: ${answer.text}`)
    }
    assert.strictEqual((await request("GET", "/mcp", { headers: { accept, authorization } })).status, 405)
    assert.strictEqual((await request("DELETE", "/mcp", { headers: { authorization } })).status, 405)
  })
})

import { assert, beforeAll, describe, it } from "@effect/vitest"
import { afterAll, vi } from "vitest"
import { refused } from "../../support/Caller.ts"
import { type Laboratory, laboratoryOf } from "../../support/experiments/Laboratory.ts"
import { fullDisk } from "../../support/operations/FullDisk.ts"
import { SqliteStores } from "../../../src/app/Layers.ts"
import { type Answer, testApp } from "../../support/TestApp.ts"

const now = Date.now
let ahead = 0
vi.spyOn(Date, "now").mockImplementation(() => now() + ahead)

const minutes = 5
const disk = fullDisk()
afterAll(() => {
  disk.empty()
  vi.restoreAllMocks()
})

describe("I3: a disk that is full for five minutes", () => {
  const { request } = testApp(SqliteStores)
  let lab: Laboratory
  let configuration: { readonly id: number; readonly name: string }
  let link: { readonly id: string; readonly slug: string }
  const studioCall = (method: string, path: string, body?: object) =>
    lab.call(method, `/application/${lab.studio.applicationId}${path}`, body)

  beforeAll(async () => {
    lab = await laboratoryOf(request, "ada")
    const begun = await lab.begin()
    configuration = begun.configuration
    await lab.configure({ isPrimary: true })
    await lab.create(configuration.id, { targeting: { newUsersOnly: true } })
    for (const player of ["ann", "bob"]) await lab.evaluate(configuration.name, player)
    await lab.exposed(begun.path)
    await lab.game.send([marker("ann")])
    await studioCall("POST", "/analytics/v1/cohorts", { name: "Guests", kind: "static", unitIds: ["ann"] })
    link = (await studioCall("POST", "/deeplinks", { name: "Link", type: "web_url", redirectUrl: "https://a.example" }))
      .body
  })

  const marker = (distinctId: string) => ({
    markerId: crypto.randomUUID(),
    timestamp: Date.now(),
    eventName: "Level",
    distinctId
  })

  const older = (method: string, path: string, body?: object) =>
    request(method, `/sdk/${path}`, {
      headers: { authorization: lab.game.publicKey, isstudio: "true", serverid: "one", sdkversion: "4.2.0" },
      ...(body === undefined ? {} : { body })
    })

  const evaluate = (distinctId: string) =>
    lab.sdk("POST", "configurations/evaluate", {
      configuration: configuration.name,
      unit: { type: "user", distinctId },
      context: { schemaVersion: 1, properties: { level: 3 } }
    })

  const time = { step: "day", timezone: "UTC", relative: { step: "day", value: 7 } }
  const metrics = [{ id: "A", data: { name: "Level", type: "totalEvents" } }]

  /** What a game and an analyst read; each minute another player comes for the first time. */
  const reads = (minute: number): Record<string, () => Promise<Answer>> => ({
    status: () => lab.sdk("GET", "status"),
    bootstrap: () => lab.sdk("GET", "bootstrap"),
    configuration: () => lab.sdk("GET", `configurations?configuration=${encodeURIComponent(configuration.name)}`),
    "evaluation of a known player": () => evaluate("ann"),
    "evaluation of a new player": () => evaluate(`new ${minute}`),
    "assignments of many": () =>
      lab.sdk("POST", "experiments/assignments/bulk", {
        unitType: "user",
        units: [{ distinctId: "bob" }, { distinctId: `other ${minute}` }],
        sharedContext: { schemaVersion: 1, properties: {} }
      }),
    "active experiments": () => lab.sdk("GET", "experiments/active"),
    "older configurations": () => older("GET", "v1/configurations"),
    "older experiments": () => older("GET", "v1/experiments"),
    "older assignments": () => older("POST", "v1/experiments/assignments", { playerIds: [1, 100 + minute] }),
    "older requests": () => older("GET", "v1/requests"),
    membership: () => older("POST", "v1/cohorts/membership", { cohortName: "Guests", userIds: ["ann"] }),
    insight: () => lab.game.query("insights/execute", { time, metrics }),
    player: () => studioCall("GET", "/players/ann"),
    conversions: () => studioCall("GET", `/deeplinks/${link.id}/conversions`),
    "context properties": () => lab.call("GET", `${lab.root}/experiments/context-properties`),
    configurations: () => lab.call("GET", `${lab.root}/configurations`),
    "the click of a link": () => request("GET", `/d/${link.slug}`, { headers: { "user-agent": "Mozilla/5.0 (X11)" } })
  })

  it("I3: games and analysts read all the while, what is written is refused, and afterwards all goes on", async () => {
    const answers: Record<string, number> = {}
    for (const [name, ask] of Object.entries(reads(0))) answers[name] = (await ask()).status
    assert.deepStrictEqual(
      Object.entries(answers).filter(([, status]) => status !== 200),
      [["the click of a link", 302]]
    )

    disk.fill()
    for (let minute = 1; minute <= minutes; minute++) {
      ahead += 61_000
      for (const [name, ask] of Object.entries(reads(minute))) {
        const { status, text } = await ask()
        assert.strictEqual(status, answers[name], `${name} in minute ${minute}: ${text}`)
      }
      refused(
        await lab.call("POST", `${lab.root}/configuration`, { name: "x", configuration: {} }),
        507,
        "STORAGE_FULL"
      )
      assert.strictEqual((await lab.game.send([marker("ann")])).status, 507)
      const ready = await request("GET", "/ready")
      assert.strictEqual(ready.status, 503)
      assert.deepStrictEqual(
        ready.body.problems.map(({ code, store }: { code: string; store: string }) => `${code} ${store}`),
        ["STORAGE_FULL metadata", "STORAGE_FULL events"]
      )
    }
    assert.isAbove(disk.refused(), minutes)

    disk.empty()
    ahead += 61_000
    for (const [name, ask] of Object.entries(reads(1))) assert.strictEqual((await ask()).status, answers[name], name)
    assert.strictEqual((await lab.game.send([marker("ann")])).status, 200)
    assert.strictEqual((await request("GET", "/ready")).status, 200)
    const enrolled = (await evaluate("new 1")).body.experiments
    assert.isAbove(enrolled.length, 0, "a player who came meanwhile is enrolled now")
    const keys = await request("GET", `/organization/${lab.studio.organizationId}/api-keys`, {
      headers: lab.studio.cookie
    })
    const used = keys.body.map(({ lastUsedAt }: { lastUsedAt: string | null }) =>
      Date.parse(lastUsedAt ?? "1970-01-01")
    )
    assert.isAbove(Math.max(...used), Date.now() - 60_000, "the last use is noted again")
  })
})

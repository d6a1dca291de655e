import { assert, beforeAll, describe, it } from "@effect/vitest"
import { randomUUID } from "node:crypto"
import { joinAs, keysOf, refused } from "../../support/Caller.ts"
import { type Laboratory, laboratoryOf } from "../../support/experiments/Laboratory.ts"
import { stores } from "../../support/Stores.ts"
import { testApp } from "../../support/TestApp.ts"

interface Noted {
  readonly name: string
  readonly text: string
  readonly by: { readonly email: string } | null
}

const from = "2026-01-01T00:00:00Z"
const to = "2100-01-01T00:00:00Z"

describe.each(stores)("notes over %s", (_, store) => {
  const { request } = testApp(store)
  let lab: Laboratory

  const list = (query = "", more: Record<string, string> = {}) =>
    request("GET", `/application/${lab.studio.applicationId}/changes?from=${from}&to=${to}${query}`, {
      headers: { ...lab.studio.cookie, environment_id: String(lab.studio.development), ...more }
    })

  beforeAll(async () => {
    lab = await laboratoryOf(request, "ada")
  })

  it("G10: tell versions of configurations and what became of experiments, newest first", async () => {
    assert.deepStrictEqual((await list()).body, { items: [], nextCursor: null })
    const { configuration, experiment, path } = await lab.begin({ rollout: { percent: 10 } })
    await lab.call("PATCH", `${lab.root}/configuration/${configuration.id}`, {
      reason: "dearer",
      changes: [{ op: "set", path: ["shop", "banner"], value: "autumn" }]
    })
    await lab.call("PATCH", `${path}/rollout`, { action: "set", percent: 50 })
    await lab.end(path)
    const { status, body } = await list()
    assert.strictEqual(status, 200)
    for (const each of body.items) assert.deepStrictEqual(keysOf(each), ["at", "by", "id", "kind", "name", "text"])
    assert.deepStrictEqual(
      body.items.map(({ name, text, by }: Noted) => [name, text, by?.email ?? null]).toSorted(),
      [
        [configuration.name, "Version 1", "ada@studio.test"],
        [configuration.name, "Version 2: dearer", "ada@studio.test"],
        [experiment.name, "Started", "ada@studio.test"],
        [experiment.name, "Rolled out to 50 %", null],
        [experiment.name, "Ended", null]
      ].toSorted()
    )
    const times = body.items.map(({ at }: { at: string }) => Date.parse(at))
    assert.deepStrictEqual(
      times,
      times.toSorted((a: number, b: number) => b - a)
    )
    const pages = []
    let cursor = ""
    do {
      const page = (await list(`&limit=2${cursor}`)).body
      pages.push(...page.items)
      cursor = page.nextCursor === null ? "" : `&cursor=${page.nextCursor}`
    } while (cursor !== "")
    assert.deepStrictEqual(pages, body.items)
  })

  it("G10: tell when versions of the game were first seen, page by page, to who may read markers", async () => {
    const other = await laboratoryOf(request, "versions")
    const headers = { ...other.studio.cookie, environment_id: String(other.studio.development) }
    const minute = 60_000
    const start = Math.floor(Date.now() / minute) * minute - 10 * minute
    const instant = (minutes: number) => new Date(start + minutes * minute).toISOString()
    const played: ReadonlyArray<readonly [minutes: number, properties: object]> = [
      [3, { appVersion: "1.4.2" }],
      [1, { appVersion: "1.4.1" }],
      [2, { appVersion: "1.4.2" }],
      [1, { appVersion: "1.4.0" }],
      [0, {}]
    ]
    const markers = played.map(([minutes, properties]) => ({
      markerId: randomUUID(),
      timestamp: instant(minutes),
      type: "Login",
      userId: "p1",
      properties
    }))
    const sent = await other.game.send(markers, { environment: "development" })
    assert.isBelow(sent.status, 300, sent.text)
    const path = `/application/${other.studio.applicationId}/changes?from=${instant(0)}&to=${instant(9)}`
    const seen = { kind: "appVersion", id: null, by: null, text: "First seen" }
    const { body } = await request("GET", path, { headers })
    assert.deepStrictEqual(body.items, [
      { at: new Date(start + 2 * minute).toISOString(), name: "1.4.2", ...seen },
      { at: new Date(start + minute).toISOString(), name: "1.4.1", ...seen },
      { at: new Date(start + minute).toISOString(), name: "1.4.0", ...seen }
    ])
    const first = (await request("GET", `${path}&limit=2`, { headers })).body
    const second = (await request("GET", `${path}&limit=2&cursor=${first.nextCursor}`, { headers })).body
    assert.deepStrictEqual([...first.items, ...second.items], body.items)
    const later = path.replace(instant(0), instant(2))
    const names = (await request("GET", later, { headers })).body.items.map(({ name }: Noted) => name)
    assert.deepStrictEqual(names, ["1.4.2"])
    const roles = `/organization/${other.studio.organizationId}/v2/roles`
    await other.call("POST", roles, { name: "Blind", permissions: ["analytics:read"] })
    const blind = await joinAs(request, other.studio, "blind", "Blind")
    const answer = await request("GET", path, { headers: { ...headers, ...blind.cookie } })
    assert.deepStrictEqual(answer.body, { items: [], nextCursor: null })
  })

  it("tell of all versions of the game, page by page, also of more than one answer of the store has", async () => {
    const other = await laboratoryOf(request, "many-versions")
    const headers = { ...other.studio.cookie, environment_id: String(other.studio.development) }
    const start = Math.floor(Date.now() / 1000) * 1000 - 3_600_000
    const names = Array.from({ length: 1300 }, (_, index) => `1.${index}`)
    const instantOf = (index: number) => start + 1000 * Math.floor(index / 3)
    for (const type of ["Login", "Logout"]) {
      const markers = names.flatMap((appVersion, index) =>
        (type === "Login") === index < 700
          ? [
              {
                markerId: randomUUID(),
                timestamp: new Date(instantOf(index)).toISOString(),
                type,
                userId: "p1",
                properties: { appVersion }
              }
            ]
          : []
      )
      const sent = await other.game.send(markers, { environment: "development" })
      assert.isBelow(sent.status, 300, sent.text)
    }
    for (const limit of [400, 1000]) {
      const found: Array<Noted> = []
      let cursor = ""
      do {
        const path = `/application/${other.studio.applicationId}/changes?from=${from}&to=${to}&limit=${limit}${cursor}`
        const { body } = await request("GET", path, { headers })
        found.push(...body.items)
        cursor = body.nextCursor === null ? "" : `&cursor=${body.nextCursor}`
      } while (cursor !== "")
      assert.strictEqual(found.length, names.length)
      assert.deepStrictEqual(new Set(found.map(({ name }) => name)), new Set(names))
    }
  })

  it("are of the environment and the range that are asked for", async () => {
    const production = { environment_id: String(lab.studio.production) }
    assert.deepStrictEqual((await list("", production)).body.items, [])
    const past = await request(
      "GET",
      `/application/${lab.studio.applicationId}/changes?from=2020-01-01T00:00:00Z&to=2020-02-01T00:00:00Z`,
      { headers: { ...lab.studio.cookie, environment_id: String(lab.studio.development) } }
    )
    assert.deepStrictEqual(past.body, { items: [], nextCursor: null })
  })

  it("are only those that one may read", async () => {
    const roles = `/organization/${lab.studio.organizationId}/v2/roles`
    const permissions = ["analytics:read", "experiments:read"]
    const made = await lab.call("POST", roles, { name: "Watcher", permissions })
    assert.strictEqual(made.status, 201, made.text)
    const watcher = await joinAs(request, lab.studio, "watcher", "Watcher")
    const answer = await list("", watcher.cookie)
    assert.deepStrictEqual(
      new Set(answer.body.items.map(({ kind }: { kind: string }) => kind)),
      new Set(["experiment"]),
      answer.text
    )
  })

  it("refuse what cannot be asked", async () => {
    const base = `/application/${lab.studio.applicationId}/changes`
    const headers = { ...lab.studio.cookie, environment_id: String(lab.studio.development) }
    for (const query of ["", `?from=${from}`, `?from=${to}&to=${from}`, `?from=yesterday&to=${to}`]) {
      refused(await request("GET", base + query, { headers }), 400, "VALIDATION_FAILED")
    }
    const place = { at: 9e15, kind: "configuration", id: 1, serial: 1 }
    const never = `&cursor=${Buffer.from(JSON.stringify(place)).toString("base64url")}`
    for (const more of ["&cursor=nonsense", never, "&limit=0", "&limit=1001", "&since=now"]) {
      refused(await list(more), 400, "VALIDATION_FAILED")
    }
    refused(await list("", { environment_id: "987654" }), 404, "ENVIRONMENT_NOT_FOUND")
  })
})

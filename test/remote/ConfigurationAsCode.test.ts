import { assert, beforeAll, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { apply } from "../../src/remote/Apply.ts"
import { plan } from "../../src/remote/Plan.ts"
import { pull } from "../../src/remote/Pull.ts"
import { MemoryStores } from "../../src/app/Layers.ts"
import { mintPersonalToken, openStudio, type Studio } from "../support/access/Studio.ts"
import { caller } from "../support/Caller.ts"
import { filesIn, readJson, remoteOver, writeJson } from "../support/configuration/RemoteFiles.ts"
import { withFolder } from "../support/Server.ts"
import { testApp } from "../support/TestApp.ts"

const permissions = [
  "organization:read",
  "projects:read",
  "configurations:read",
  "configurations:write",
  "cohorts:read",
  "cohorts:write",
  "analytics:read",
  "queries:write",
  "experiments:read",
  "roles:read"
]

const economy = {
  name: "Economy",
  configuration: { shop: { price: 499 }, rules: { $link: { configuration: "Rules" } } },
  isPrimary: true
}

const lapsed = {
  name: "Lapsed",
  definition: {
    op: "and",
    children: [
      { type: "stopped", marker: "Login", window: { last: 90, unit: "day" }, quietFor: { value: 14, unit: "day" } },
      { type: "cohort", cohort: "Testers", in: false }
    ]
  }
}

const logins = {
  name: "Logins",
  queryType: "insight",
  spec: {
    time: { step: "day", relative: { step: "day", value: 7 } },
    metrics: [{ id: "logins", data: { type: "totalEvents", name: "Login" } }],
    filters: [{ source: "cohort", name: "cohort", operator: "isIn", value: ["Lapsed"] }]
  }
}

const morning = { name: "Morning", tiles: [{ query: "Logins", x: 0, y: 0, w: 6, h: 4 }], pinned: true }

const writeAll = (folder: string) => {
  writeJson(folder, "configurations/economy.json", economy)
  writeJson(folder, "configurations/rules.json", { name: "Rules", configuration: { cap: 3 } })
  writeJson(folder, "cohorts/lapsed.json", lapsed)
  writeJson(folder, "cohorts/testers.json", { name: "Testers", kind: "static" })
  writeJson(folder, "queries/logins.json", logins)
  writeJson(folder, "boards/morning.json", morning)
}

describe("configuration as code", () => {
  const { request } = testApp(MemoryStores)
  let number = 0
  let studio: Studio
  let token: string

  const open = async () => {
    studio = await openStudio(request, `coder${number++}`)
    token = await mintPersonalToken(request, studio, { permissions })
  }
  const configurations = async () =>
    (
      await request("GET", `/application/${studio.applicationId}/v2/configurations?include=configuration`, {
        headers: { ...studio.cookie, environment_id: String(studio.production) }
      })
    ).body

  beforeAll(open)

  it("makes what the files say, and the second time nothing", () =>
    withFolder(async (folder) => {
      writeAll(folder)
      const { run, asked } = remoteOver(request, token)
      const first = await run(plan(asked(folder)))
      assert.deepStrictEqual(
        first.report.changes.map(({ action, kind, name }) => `${action} ${kind}/${name}`),
        [
          "add configurations/Rules",
          "add configurations/Economy",
          "add cohorts/Testers",
          "add cohorts/Lapsed",
          "add queries/Logins",
          "add boards/Morning"
        ]
      )
      assert.strictEqual(await run(apply(asked(folder))), 6)
      assert.deepStrictEqual((await run(plan(asked(folder)))).report.changes, [])
      assert.strictEqual(await run(apply(asked(folder))), 0)
    }))

  it("pulls files of which nothing is to be applied, and writes none twice", () =>
    withFolder(async (folder) => {
      const { run, asked } = remoteOver(request, token)
      const { written } = await run(pull(asked(folder)))
      assert.deepStrictEqual([...written].sort(), filesIn(folder))
      assert.deepStrictEqual(readJson(folder, "configurations/economy.json").configuration, economy.configuration)
      assert.strictEqual(readJson(folder, "boards/morning.json").tiles[0].query, "Logins")
      assert.deepStrictEqual(readJson(folder, "queries/logins.json").spec.filters[0].value, ["Lapsed"])
      assert.deepStrictEqual((await run(plan(asked(folder)))).report.changes, [])
      assert.deepStrictEqual((await run(pull(asked(folder)))).written, [])
    }))

  it("tells changes field by field, and removes only what is pruned", () =>
    withFolder(async (folder) => {
      writeAll(folder)
      writeJson(folder, "configurations/economy.json", {
        ...economy,
        configuration: { ...economy.configuration, shop: { price: 299 } }
      })
      const { run, asked } = remoteOver(request, token)
      const { report } = await run(plan(asked(folder)))
      assert.deepStrictEqual(
        report.changes.map(({ name, fields }) => ({ name, fields })),
        [
          {
            name: "Economy",
            fields: [{ op: "set", path: ["configuration", "shop", "price"], value: 299, previous: 499 }]
          }
        ]
      )
      assert.strictEqual(await run(apply(asked(folder))), 1)
      await withFolder(async (empty) => {
        const only = { kinds: ["boards"] } as const
        assert.strictEqual(await run(apply(asked(empty, only))), 0)
        assert.strictEqual(await run(apply(asked(empty, { ...only, prune: true, pruneAll: true }))), 1)
      })
      assert.strictEqual(await run(apply(asked(folder))), 1)
    }))

  it("moves the primary configuration by the file of the next one", () =>
    withFolder(async (folder) => {
      const { isPrimary: _, ...plain } = economy
      const only = { kinds: ["configurations"] } as const
      const { run, asked } = remoteOver(request, token)
      const primary = async () =>
        (await configurations()).filter(({ isPrimary }: { isPrimary: boolean }) => isPrimary).map(nameOf)
      const nameOf = ({ name }: { name: string }) => name
      writeJson(folder, "configurations/economy.json", plain)
      writeJson(folder, "configurations/rules.json", { name: "Rules", configuration: { cap: 3 }, isPrimary: true })
      await run(apply(asked(folder, only)))
      assert.deepStrictEqual(await primary(), ["Rules"])
      assert.deepStrictEqual((await run(plan(asked(folder, only)))).report.changes, [])
      writeJson(folder, "configurations/economy.json", economy)
      writeJson(folder, "configurations/rules.json", { name: "Rules", configuration: { cap: 3 } })
      await run(apply(asked(folder, only)))
      assert.deepStrictEqual(await primary(), ["Economy"])
    }))

  it("refuses what somebody has changed meanwhile, and leaves it as they made it", () =>
    withFolder(async (folder) => {
      writeAll(folder)
      const call = caller(request, { ...studio.cookie, environment_id: String(studio.production) })
      const { id } = (await configurations()).find(({ name }: { name: string }) => name === "Rules")
      writeJson(folder, "configurations/rules.json", { name: "Rules", configuration: { cap: 4 } })
      const path = `/application/${studio.applicationId}/v2/configuration/${id}`
      let isChanged = false
      const { run, asked } = remoteOver(request, token, async (method) => {
        if (method !== "PUT" || isChanged) return
        isChanged = true
        await call("PATCH", path, { changes: [{ op: "set", path: ["cap"], value: 9 }] })
      })
      const refused = await run(Effect.flip(apply(asked(folder, { kinds: ["configurations"] }))))
      assert.match(refused.message, /HASH_MISMATCH/)
      assert.strictEqual((await call("GET", path)).body.configuration.cap, 9)
      await call("PATCH", path, { changes: [{ op: "set", path: ["cap"], value: 3 }] })
    }))

  it("goes on after it was cut off", async () => {
    await open()
    await withFolder(async (folder) => {
      writeAll(folder)
      let writes = 0
      const cut = remoteOver(request, token, (method) => {
        const isCut = method === "POST" && ++writes > 3
        return isCut ? Promise.reject(new Error("cut off")) : Promise.resolve()
      })
      await cut.run(Effect.flip(apply(cut.asked(folder))))
      const { run, asked } = remoteOver(request, token)
      assert.strictEqual(await run(apply(asked(folder))), 3)
      assert.deepStrictEqual((await run(plan(asked(folder)))).report.changes, [])
    })
  })

  it("names every problem of every file, and sends nothing", () =>
    withFolder(async (folder) => {
      writeAll(folder)
      writeJson(folder, "configurations/economy.json", { ...economy, prize: 1, privacy: "all" })
      writeJson(folder, "cohorts/broken.json", "{")
      writeJson(folder, "cohorts/list.json", [])
      writeJson(folder, "cohorts/twice.json", { name: "Testers", kind: "static" })
      writeJson(folder, "boards/morning.json", { ...morning, tiles: [{ ...morning.tiles[0], query: "Gone" }] })
      const sent: Array<string> = []
      const { run, asked } = remoteOver(request, token, (method) => {
        sent.push(method)
        return Promise.resolve()
      })
      const { message } = await run(Effect.flip(apply(asked(folder))))
      for (const problem of [
        /configurations\/economy\.json: prize: /,
        /configurations\/economy\.json: privacy: /,
        /cohorts\/broken\.json: no JSON: line 1, column 2: expected a name in double quotes or }/,
        /cohorts\/list\.json: expected a JSON object/,
        /cohorts\/twice\.json: name: cohorts\/testers\.json is called Testers too/,
        /boards\/morning\.json: no one of the queries is called Gone/
      ])
        assert.match(message, problem)
      assert.deepStrictEqual(new Set(sent), new Set(["GET"]))
    }))

  it("refuses what a running experiment holds before anything is changed", () =>
    withFolder(async (folder) => {
      writeAll(folder)
      const call = caller(request, { ...studio.cookie, environment_id: String(studio.production) })
      const { id } = (await configurations()).find(({ name }: { name: string }) => name === "Rules")
      const operations = [{ op: "set", path: ["cap"], value: 5 }]
      const started = await call("POST", `/application/${studio.applicationId}/v2/experiments`, {
        name: "Higher cap",
        unitType: "user",
        assignmentMode: "weightedHash",
        baseConfigurationId: id,
        groups: [
          { name: "As it is", weight: 5000, isControl: true },
          { name: "Higher", weight: 5000, changeset: { operations } }
        ],
        metrics: { goals: [{ id: "a", name: "A", type: "proportion", marker: "Login", withinDays: 7 }] }
      })
      assert.strictEqual(started.status, 201, started.text)
      writeJson(folder, "configurations/rules.json", { name: "Rules", configuration: { cap: 4 } })
      writeJson(folder, "configurations/new.json", { name: "New", configuration: {} })
      const { run, asked } = remoteOver(request, token)
      const held = (await run(plan(asked(folder)))).report.changes.flatMap(({ heldBy }) => heldBy)
      assert.deepStrictEqual(held, [{ experimentId: started.body.id, experiment: "Higher cap", path: ["cap"] }])
      const refused = await run(Effect.flip(apply(asked(folder))))
      assert.match(refused.message, /cap is held by the experiment Higher cap/)
      assert.isFalse((await configurations()).some(({ name }: { name: string }) => name === "New"))
    }))
})

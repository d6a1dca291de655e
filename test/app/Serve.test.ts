import { assert, describe, it } from "@effect/vitest"
import Database from "better-sqlite3"
import { existsSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs"
import { spawnSync } from "node:child_process"
import { join } from "node:path"
import { gamekeeper, root, settle, startServer, withFolder } from "../support/Server.ts"

describe("the built server", () => {
  it("serves, holds its folder alone, refuses a taken port, and ends well", () =>
    withFolder(async (folder) => {
      const server = await startServer(folder)
      const ready = await fetch(`${server.url}/ready`)
      assert.deepStrictEqual(await ready.json(), {
        status: "ready",
        stores: { metadata: true, events: true },
        problems: []
      })
      assert.match(server.output().out, /^gamekeeper listening on http:\/\/127\.0\.0\.1:\d+\n$/)

      const second = await gamekeeper(["--data", folder, "--port", "0"]).ended
      assert.deepStrictEqual([second.code, second.out], [1, ""])
      assert.match(second.err, /^gamekeeper: Another gamekeeper uses the data folder [^\n]+\n$/)

      const { port } = new URL(server.url)
      const third = await gamekeeper(["--data", join(folder, "other"), "--port", port]).ended
      assert.strictEqual(third.code, 1)
      assert.match(third.err, /^gamekeeper: Port \d+ on 127\.0\.0\.1 is taken[^\n]+\n$/)
      assert.isFalse(existsSync(join(folder, "other")), "I11: no file is written where the port is taken")

      assert.strictEqual((await server.stop()).code, 0)
      assert.strictEqual((await gamekeeper(["migrate", "--data", folder]).ended).code, 0)
    }))

  it("ends well when it is stopped while it starts, and answers a question that comes as soon as it listens", () =>
    withFolder(async (folder) => {
      const early = gamekeeper(["--data", folder, "--port", "0"])
      while (!existsSync(join(folder, "lock"))) await new Promise((resume) => setTimeout(resume, 5))
      early.process.kill("SIGTERM")
      const { code, err } = await early.ended
      assert.deepStrictEqual([code, err], [0, ""])

      assert.strictEqual((await settle(folder)).code, 0)
      const server = await startServer(folder)
      const post = (path: string, body: object, headers: Record<string, string> = {}) =>
        fetch(server.url + path, {
          method: "POST",
          headers: { "content-type": "application/json", ...headers },
          body: JSON.stringify(body)
        })
      const signedIn = await post("/users/auth/signin", {
        email: "ada@studio.example",
        password: "correct horse battery staple"
      })
      const cookie = signedIn.headers.getSetCookie()[0]?.split(";")[0] ?? ""
      const time = { step: "day", timezone: "UTC", from: "2026-01-01T00:00:00.000Z", to: "2026-01-03T00:00:00.000Z" }
      const metrics = [{ id: "A", data: { name: "played", type: "totalEvents" } }]
      const headers = { environment_id: "1", cookie }
      const asked = await post("/application/1/analytics/v1/queries/insights/execute", { time, metrics }, headers)
      assert.strictEqual(asked.status, 200, await asked.text())
      assert.strictEqual((await server.stop()).code, 0)
    }))

  it("shows its metrics to whoever has the token", () =>
    withFolder(async (folder) => {
      const token = "a-token-for-the-built-server"
      const server = await startServer(folder, ["--metrics-token", token, "--warm-up", "off"])
      const refused = await fetch(`${server.url}/metrics`)
      const shown = await fetch(`${server.url}/metrics`, { headers: { authorization: `Bearer ${token}` } })
      assert.deepStrictEqual([refused.status, shown.status], [401, 200])
      assert.match(await shown.text(), /^gamekeeper_file_bytes\{file="events\.sqlite"\} \d+$/m)
      assert.strictEqual((await server.stop()).code, 0)
    }))

  it("refuses a folder it cannot write and one of a newer version, each in one line", () =>
    withFolder(async (folder) => {
      writeFileSync(join(folder, "file"), "")
      const unwritable = await gamekeeper(["--data", join(folder, "file", "data")]).ended
      assert.strictEqual(unwritable.code, 1)
      assert.match(unwritable.err, /^gamekeeper: The data folder [^\n]+ cannot be written: [^\n]+\n$/)

      await gamekeeper(["migrate", "--data", folder]).ended
      const metadata = new Database(join(folder, "metadata.sqlite"))
      metadata.exec("insert into effect_sql_migrations (migration_id, name) values (999, 'tomorrow')")
      metadata.close()
      // A newer version keeps the checksums of what it writes; this connection does not.
      rmSync(join(folder, "metadata.sqlite-sums"))
      const newer = await gamekeeper(["--data", folder, "--port", "0"]).ended
      assert.strictEqual(newer.code, 1)
      assert.match(newer.err, /^gamekeeper: The data folder was written by a newer version [^\n]+\n$/)
    }))

  it("reads every setting from its flag or its variable, and refuses nonsense", () =>
    withFolder(async (folder) => {
      const refused = await gamekeeper(["--data", folder], { GAMEKEEPER_PORT: "99999" }).ended
      assert.strictEqual(refused.code, 1)
      assert.match(refused.out + refused.err, /GAMEKEEPER_PORT/)
    }))

  it("says why it cannot listen on an address that the machine does not have", () =>
    withFolder(async (folder) => {
      const refused = await gamekeeper(["--data", folder, "--host", "203.0.113.7", "--port", "4219"]).ended
      assert.deepStrictEqual([refused.code, readdirSync(folder)], [1, []])
      const said = "Cannot listen on 203.0.113.7:4219 (EADDRNOTAVAIL): this machine has no such address"
      assert.include(refused.err, said)
    }))

  it("makes an admin with the password of the environment, and fails at once where nobody can be asked for one (A5)", () =>
    withFolder(async (folder) => {
      const command = ["create-admin", "--email", "ada@example.com", "--data", folder]
      for (const env of [{}, { GAMEKEEPER_ADMIN_PASSWORD: "" }]) {
        const refused = await gamekeeper(command, env).ended
        assert.strictEqual(refused.code, 1)
        assert.match(
          refused.err,
          /^gamekeeper: create-admin needs a password: set GAMEKEEPER_ADMIN_PASSWORD, [^\n]+\n$/
        )
        assert.deepStrictEqual(readdirSync(folder), [])
      }
      const made = await gamekeeper(command, { GAMEKEEPER_ADMIN_PASSWORD: "correct horse" }).ended
      assert.deepStrictEqual([made.code, made.out], [0, "ada@example.com can sign in now\n"])
    }))

  const guides = [
    "README.md",
    "docs/older-game-servers.md",
    "docs/deeplinks.md",
    "docs/cohorts.md",
    "docs/configuration.md",
    "docs/experiments.md",
    "docs/accounts.md"
  ]

  /** What the guides' commands of these kinds print, one after the other on a fresh folder. */
  const guided = async (folder: string, ...kinds: ReadonlyArray<string>): Promise<string> => {
    const server = await startServer(join(folder, "data"))
    const text = guides.map((guide) => readFileSync(join(root, guide), "utf8")).join("\n")
    const blocks = kinds.flatMap((kind) => [...text.matchAll(new RegExp(`\`\`\`sh ${kind}\n([\\s\\S]*?)\`\`\``, "g"))])
    const script = blocks.map(([, block = ""]) => block).join("\n")
    const { stdout, status } = spawnSync("bash", ["-euo", "pipefail", "-c", script], {
      cwd: folder,
      encoding: "utf8",
      env: { ...process.env, GK: server.url }
    })
    await server.stop()
    assert.strictEqual(status, 0)
    return stdout
  }

  it("keeps the README's five minutes", () =>
    withFolder(async (folder) => {
      const stdout = await guided(folder, "quickstart")
      const chart = JSON.parse(stdout.slice(stdout.lastIndexOf('{"time"')))
      const totals = chart.series.map((series: any) => [series.metricId, series.breakdown[0].value, series.aggregate])
      assert.sameDeepMembers(totals, [
        ["A", "ios", 2],
        ["A", "android", 1],
        ["B", "ios", 1],
        ["B", "android", 1]
      ])
    }))

  it("keeps the guide to cohorts", () =>
    withFolder(async (folder) => {
      const stdout = await guided(folder, "quickstart", "cohorts")
      assert.include(stdout, '"kind":"static","definition":null,"status":"ready","memberCount":3')
      assert.deepStrictEqual(JSON.parse(stdout.slice(stdout.lastIndexOf('{"cohortExists"'))), {
        cohortExists: true,
        users: [
          { userId: "player-1", isMember: false },
          { userId: "player-2", isMember: true },
          { userId: 7, isMember: true }
        ]
      })
    }))

  it("keeps the guide to members, from an invitation to their removal", () =>
    withFolder(async (folder) => {
      const stdout = await guided(folder, "quickstart", "accounts")
      assert.include(stdout, '"role":{"id":5,"name":"Viewer"}')
      const [projects = "", removed = ""] =
        stdout
          .split("\n")
          .at(-2)
          ?.split(/(?<=\})(?=\{"statusCode")/) ?? []
      assert.match(projects, /\{"items":\[\{"id":1,"name":"My game",[^[]*\],"nextCursor":null\}$/)
      assert.match(removed, /"code":"ORGANIZATION_NOT_FOUND".*404$/)
    }))

  it("keeps the guide to deeplinks, from a click to its conversion", () =>
    withFolder(async (folder) => {
      const stdout = await guided(folder, "quickstart", "deeplinks")
      assert.include(stdout, '"totals":{"clicks":1,"uniqueClicks":1,"conversions":1,')
      assert.include(stdout, '"id":"login","name":"Login","count":1,')
    }))

  it("keeps the guides to configurations and experiments", () =>
    withFolder(async (folder) => {
      const stdout = await guided(folder, "quickstart", "configuration", "experiments")
      assert.include(stdout, '"path":["banner"]')
      assert.include(stdout, '"exposureProxyRecorded":true')
      assert.include(stdout, '"srm":')
      const shop = JSON.parse(stdout.split(/(?=\{"id":\d+,"applicationId")/).at(-1) ?? "")
      assert.deepStrictEqual([shop.version, shop.configuration.price], [4, 15])
    }))

  it("plays a demo studio, and the doctor finds the folder sound", () =>
    withFolder(async (folder) => {
      const played = await gamekeeper(["demo", "--data", folder]).ended
      assert.match(played.out, /^demo studio: sign in as \S+ with the password \S+ \(application 1, environment 1\)\n$/)
      const { code, out } = await gamekeeper(["doctor", "--deep", "--data", folder]).ended
      assert.strictEqual(code, 0, out)
      assert.strictEqual((await gamekeeper(["doctor", "--data", join(folder, "nowhere")]).ended).code, 1)
    }))
})

import { assert, describe, it } from "@effect/vitest"
import { readdirSync, readFileSync } from "node:fs"
import { networkInterfaces } from "node:os"
import { join } from "node:path"
import { DemoGame } from "../../src/domain/demo/DemoGame.ts"
import { dayMillis } from "../../src/domain/Durations.ts"
import { caller } from "../support/Caller.ts"
import { fetchRequest, startServer, withFolder } from "../support/Server.ts"

const started = async (data: string) => {
  const server = await startServer(data, ["--demo", "--host", "0.0.0.0"])
  const { port } = new URL(server.url)
  let link = ""
  while (link === "") {
    await new Promise((done) => setTimeout(done, 20))
    link =
      /^demo studio: open (http:\/\/127\.0\.0\.1:\d+\/demo\/[\w-]+) in a browser/m.exec(server.output().out)?.[1] ?? ""
  }
  return { ...server, port, link, secret: link.split("/").at(-1) ?? "" }
}

const visit = async (link: string, headers: Record<string, string> = {}, method = "GET") => {
  const { status, headers: answered } = await fetch(link, { method, headers, redirect: "manual" })
  return { status, location: answered.get("location"), cookie: answered.getSetCookie()[0]?.split(";")[0] ?? null }
}

const missing = { status: 404, location: null, cookie: null }

/** An address of this machine that other machines use, if it has one. */
const outside = Object.values(networkInterfaces())
  .flatMap((all) => all ?? [])
  .find(({ internal, family }) => !internal && family === "IPv4")?.address

const launchDay = Math.floor(Date.now() / dayMillis) - 35

/** When the players of the demo begin to play next, by its plan; at night that may take minutes. */
const nextStart = (after: number): number => {
  const game = new DemoGame(launchDay)
  const starts: Array<number> = []
  while (game.nextDay * dayMillis <= after + dayMillis)
    starts.push(...game.next().sessions.map(({ startsAt }) => startsAt))
  return Math.min(...starts.filter((startsAt) => startsAt > after))
}

/** Logins by the hour of the last day, and when somebody began to play last. */
const logins = async (url: string, cookie: string) => {
  const call = caller(fetchRequest(url), { cookie, environment_id: "1" })
  const answer = await call("POST", "/application/1/analytics/v1/queries/insights/execute", {
    time: { step: "hour", relative: { step: "hour", value: 24 } },
    metrics: [{ id: "A", data: { type: "totalEvents", name: "Login" } }]
  })
  const types = await call("GET", "/application/1/analytics/v1/markers/types")
  const { lastSeenAt } = types.body.find(({ name }: { name: string }) => name === "Login")
  const values: ReadonlyArray<number> = answer.body.series[0].values
  return { values, lastSeenAt: Date.parse(lastSeenAt) }
}

describe("npm start -- --demo", () => {
  it("prints a link that opens the studio once and from this machine only; a later start goes on with the markers", () =>
    withFolder(async (folder) => {
      const data = join(folder, "data")
      const first = await started(data)
      assert.deepStrictEqual(await visit(first.link, { "x-forwarded-for": "10.1.2.3" }), missing)
      assert.deepStrictEqual(await visit(first.link, { "x-forwarded-for": "127.0.0.1, 10.1.2.3" }), missing)
      assert.deepStrictEqual(await visit(first.link, { forwarded: "for=10.1.2.3" }), missing)
      if (outside !== undefined) assert.deepStrictEqual(await visit(first.link.replace("127.0.0.1", outside)), missing)
      assert.deepStrictEqual(await visit(first.link, {}, "HEAD"), missing)
      const wrong = await visit(first.link.replace(first.secret, "x".repeat(43)))
      assert.deepStrictEqual(wrong, { status: 303, location: "/", cookie: null })

      const entered = await visit(first.link, { "x-forwarded-for": "127.0.0.1" })
      assert.deepStrictEqual([entered.status, entered.location], [303, "/"])
      const cookie = entered.cookie ?? ""
      const me = await caller(fetchRequest(first.url), { cookie })("GET", "/users/me")
      assert.strictEqual(me.body.email, "demo@gamekeeper.example")
      assert.deepStrictEqual(await visit(first.link), { status: 303, location: "/", cookie: null })

      const before = await logins(first.url, cookie)
      assert.isTrue(
        before.values.every((count) => count > 0),
        String(before.values)
      )
      await first.stop()
      const { out, err } = first.output()
      assert.strictEqual(out.split(first.secret).length, 2, "the secret stands in one line")
      assert.notInclude(err, first.secret)
      for (const file of readdirSync(data)) assert.isFalse(readFileSync(join(data, file)).includes(first.secret), file)

      const second = await started(data)
      assert.notStrictEqual(second.secret, first.secret)
      assert.isNull((await visit(second.link.replace(second.secret, first.secret))).cookie)
      let after = await logins(second.url, cookie)
      const due = nextStart(before.lastSeenAt)
      for (let look = 0; look < 120 && after.lastSeenAt <= before.lastSeenAt && due < Date.now() + 60_000; look++) {
        await new Promise((done) => setTimeout(done, 500))
        after = await logins(second.url, cookie)
      }
      if (due < Date.now() - 5_000) assert.isAbove(after.lastSeenAt, before.lastSeenAt)
      const total = (values: ReadonlyArray<number>) => values.slice(0, -2).reduce((sum, each) => sum + each, 0)
      assert.isAtMost(Math.abs(total(after.values) - total(before.values)), 0.2 * total(before.values))
      await second.stop()
    }))
})

import { assert, describe, it } from "@effect/vitest"
import { readdirSync, readFileSync } from "node:fs"
import { networkInterfaces } from "node:os"
import { join } from "node:path"
import { DemoGame } from "../../src/domain/demo/DemoGame.ts"
import { dayMillis, hourMillis, minuteMillis } from "../../src/domain/Durations.ts"
import { caller } from "../support/Caller.ts"
import { eventually } from "../support/Npm.ts"
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

/** When the players of a demo that was launched on that day begin to play next, by its plan; at night that may take half an hour. */
const nextStart = (launchDay: number, after: number): number => {
  const game = new DemoGame(launchDay)
  const starts: Array<number> = []
  while (game.nextDay * dayMillis <= after + dayMillis)
    starts.push(...game.next().sessions.map(({ startsAt }) => startsAt))
  return Math.min(...starts.filter((startsAt) => startsAt > after))
}

/** Logins by the hour of the day before that hour, and when somebody began to play last. */
const logins = async (url: string, cookie: string, hour: number) => {
  const call = caller(fetchRequest(url), { cookie, environment_id: "1" })
  const answer = await call("POST", "/application/1/analytics/v1/queries/insights/execute", {
    time: { step: "hour", from: new Date(hour - dayMillis).toISOString(), to: new Date(hour).toISOString() },
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

      const { body: application } = await caller(fetchRequest(first.url), { cookie })("GET", "/application/1")
      const hour = Math.floor(Date.now() / hourMillis) * hourMillis
      const before = await logins(first.url, cookie, hour)
      assert.strictEqual(before.values.length, 24)
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
      const after = () => logins(second.url, cookie, hour)
      const launchDay = Math.floor(Date.parse(application.createdAt) / dayMillis)
      // Where the next player comes later, there is nothing to wait for: test/services/demo/Demo.test.ts moves the clock.
      if (nextStart(launchDay, before.lastSeenAt) < Date.now() + minuteMillis)
        await eventually("the player who is due", async () =>
          (await after()).lastSeenAt > before.lastSeenAt ? true : undefined
        )
      assert.deepStrictEqual((await after()).values, before.values)
      await second.stop()
    }))
})

import { assert, describe, it } from "@effect/vitest"
import { openStudio } from "../support/access/Studio.ts"
import { secret, withAddresses } from "../support/cluster/Addresses.ts"
import { gameOf } from "../support/game/Game.ts"
import { fetchRequest, gamekeeper, startServer, withFolder } from "../support/Server.ts"

const time = { step: "day", timezone: "UTC", relative: { step: "week", value: 1 } }
const insight = { time, metrics: [{ id: "A", data: { name: "Login", type: "totalEvents" } }] }
const login = {
  markerId: "00000000-0000-4000-8000-000000000001",
  timestamp: Date.now(),
  type: "Login",
  userId: "u1",
  value: {}
}

describe("The built server over the stores of its options", () => {
  it("shares them with another process, and refuses one whose settings differ without showing a password", () =>
    withFolder((folder) =>
      withAddresses(async (env) => {
        const a = await startServer(folder, [], env)
        const b = await startServer(folder, [], env)
        const studio = await openStudio(fetchRequest(a.url), "ada")
        const made = await fetchRequest(b.url)("POST", `/application/${studio.applicationId}/environments`, {
          headers: studio.cookie,
          body: { name: "Later", alias: "later" }
        })
        assert.strictEqual(made.status, 201, made.text)
        const game = await gameOf(fetchRequest(a.url), studio)
        assert.strictEqual((await game.send([login])).body.ingestedMarkersCount, 1)
        const onB = await gameOf(fetchRequest(b.url), studio)
        const answered = await onB.query("insights/execute", insight)
        assert.strictEqual(answered.body.series[0].aggregate, 1, answered.text)
        const other = ["--port", "0", "--rate-limits", "off", "--retention-days", "30", "--key-prefix", "xy"]
        const { code, err } = await gamekeeper(other, env).ended
        assert.strictEqual(code, 1)
        assert.include(err, "--retention-days: 30 here, 400 there")
        assert.include(err, "--key-prefix: xy here, gk there")
        const [endedA, endedB] = [await a.stop(), await b.stop()]
        assert.notInclude(err + [endedA, endedB].map((ended) => ended.out + ended.err).join(""), secret)
        const changed = await startServer(folder, ["--retention-days", "30"], env)
        assert.strictEqual((await changed.stop()).code, 0)
      })
    ))

  it("refuses one store without the other, and an address of something else, which it does not show", async () => {
    const alone = await gamekeeper(["--metadata", `postgres://gk:${secret}@localhost/gk`]).ended
    assert.strictEqual(alone.code, 1)
    assert.include(alone.err, "--metadata is given without --events")
    const wrong = await gamekeeper(["--metadata", `mysql://gk:${secret}@localhost/gk`]).ended
    assert.strictEqual(wrong.code, 1)
    assert.include(wrong.out + wrong.err, "must be an address such as postgres://")
    assert.notInclude(alone.out + alone.err + wrong.out + wrong.err, secret)
  })

  it("says which of the stores cannot be used, and why", () =>
    withAddresses(async (env) => {
      const metadata = `${env["GAMEKEEPER_METADATA"]}`.replace(/\/[^/?]+(?=\?|$)/, "/nowhere")
      const missing = await gamekeeper(["--port", "0"], { ...env, GAMEKEEPER_METADATA: metadata }).ended
      assert.strictEqual(missing.code, 1)
      assert.include(missing.err, `gamekeeper: PostgreSQL cannot be used: database "nowhere" does not exist`)
      const silent = await gamekeeper(["--port", "0"], { ...env, GAMEKEEPER_EVENTS: "clickhouse://127.0.0.1:1/gk" })
        .ended
      assert.strictEqual(silent.code, 1)
      assert.include(silent.err, "gamekeeper: ClickHouse cannot be used: connect ECONNREFUSED 127.0.0.1:1")
      assert.notInclude(missing.out + missing.err + silent.out + silent.err, secret)
    }))
})

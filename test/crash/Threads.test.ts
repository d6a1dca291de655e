import { assert, it } from "@effect/vitest"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { startSendingServer } from "../support/operations/SendingServer.ts"
import { gamekeeper, root, startServer, withFolder } from "../support/Server.ts"

const faultyThreads = pathToFileURL(join(root, "test/support/operations/FaultyThreads.mjs")).href

const time = { step: "day", relative: { step: "day", value: 7 } }

it("a question that takes all memory of its thread fails alone; a server whose writer has died ends, and has what it acknowledged", () =>
  withFolder(async (folder) => {
    const data = join(folder, "data")
    const started = await startSendingServer(data, { NODE_OPTIONS: `--import ${faultyThreads}` })
    const { server: first, request, studio } = started
    const send = (url: string) => started.send(url, ["a".repeat(32)])
    const ask = async (name: string) => {
      const metrics = [{ id: "A", visible: true, data: { name, type: "totalEvents" } }]
      const headers = { ...studio.cookie, environment_id: String(studio.production) }
      const path = `/application/${studio.applicationId}/analytics/v1/queries/insights/execute`
      const { status, body } = await request("POST", path, { headers, body: { time, metrics } })
      return [status, body.code]
    }
    assert.strictEqual((await send(first.url)).body.ingestedMarkersCount, 1)
    const exhausted = [422, "QUERY_TIMEOUT"]
    const answer = [200, undefined]
    assert.deepStrictEqual(await ask("OutOfMemory"), exhausted)
    assert.deepStrictEqual(await ask("played"), answer)
    const together = ["OutOfMemory", "played", "OutOfMemory", "played"].map(ask)
    assert.deepStrictEqual(await Promise.all(together), [exhausted, answer, exhausted, answer])
    assert.deepStrictEqual((await request("GET", "/ready")).body.problems, [])
    assert.strictEqual(first.output().err, "")

    first.process.kill("SIGUSR2")
    const { code, err } = await first.ended
    // Node aborts where it ends a thread in the middle of a statement: then there is no status, and no last word.
    assert.notStrictEqual(code, 0)
    if (code === 1)
      assert.match(err, /gamekeeper: The thread that stores markers has died \([^)]+\): start the server again\n$/)
    const second = await startServer(data)
    assert.deepInclude((await send(second.url)).body, { ingestedMarkersCount: 0, duplicateMarkersCount: 1 })
    assert.deepStrictEqual([(await second.stop()).code, second.output().err], [0, ""])
    assert.strictEqual((await gamekeeper(["doctor", "--deep", "--data", data]).ended).code, 0)
  }))

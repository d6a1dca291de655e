import { assert, describe, it } from "@effect/vitest"
import { execFileSync } from "node:child_process"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { vi } from "vitest"
import { laboratoryOf } from "../support/experiments/Laboratory.ts"
import { fetchRequest, root, startServer, withFolder } from "../support/Server.ts"
import type { Answer } from "../support/TestApp.ts"

const minutes = 5
const clock = pathToFileURL(join(root, "test/support/ClockBySignal.mjs")).href

/** How long any file that the process writes may be; past that the kernel refuses writes, as where a disk or a quota is full. */
const limitFiles = (pid: number, bytes: number | "unlimited") =>
  execFileSync("prlimit", ["--pid", String(pid), `--fsize=${bytes}:unlimited`])

const patient = { timeout: 60_000, interval: 50 }

/** The limit is one of Linux. */
const missingLimit = process.platform === "linux" ? null : "prlimit"

describe.skipIf(missingLimit !== null)("I3: a kernel that refuses every write for five minutes", () => {
  it("games and analysts read all the while, markers are refused with 507, and taken again afterwards", () =>
    withFolder(async (folder) => {
      const server = await startServer(folder, [], { NODE_OPTIONS: `--import ${clock}` })
      const pid = server.process.pid ?? 0
      const request = fetchRequest(server.url)
      const lab = await laboratoryOf(request, "ada")
      const { configuration } = await lab.begin()
      await lab.configure({ isPrimary: true })
      const evaluate = () =>
        lab.sdk("POST", "configurations/evaluate", {
          configuration: configuration.name,
          unit: { type: "user", distinctId: "ann" },
          context: { schemaVersion: 1, properties: { level: 3 } }
        })
      const marker = () => ({
        markerId: crypto.randomUUID(),
        timestamp: Date.now(),
        eventName: "Level",
        distinctId: "ann"
      })
      const time = { step: "day", timezone: "UTC", relative: { step: "day", value: 7 } }
      const reads: Record<string, () => Promise<Answer>> = {
        status: () => lab.sdk("GET", "status"),
        bootstrap: () => lab.sdk("GET", "bootstrap"),
        poll: () => lab.sdk("GET", `configurations?configuration=${encodeURIComponent(configuration.name)}`),
        "evaluation of a known player": evaluate,
        question: () =>
          lab.game.query("insights/execute", {
            time,
            metrics: [{ id: "A", data: { name: "Level", type: "totalEvents" } }]
          }),
        configurations: () => lab.call("GET", `${lab.root}/configurations`),
        health: () => request("GET", "/health")
      }
      const allRead = async (when: string) => {
        for (const [name, read] of Object.entries(reads)) {
          const { status, text } = await read()
          assert.strictEqual(status, 200, `${name} ${when}: ${text}`)
        }
      }
      assert.strictEqual((await lab.game.send([marker()])).status, 200)
      await allRead("before")
      const { experiments } = (await evaluate()).body

      limitFiles(pid, 1)
      for (let minute = 1; minute <= minutes; minute++) {
        server.process.kill("SIGUSR2")
        await vi.waitUntil(() => server.output().err.includes(`minute ${minute}\n`), patient)
        await allRead(`in minute ${minute}`)
        assert.deepStrictEqual((await evaluate()).body.experiments, experiments)
        const refused = await lab.game.send([marker()])
        assert.deepStrictEqual([refused.status, refused.body.errorCode], [507, "STORAGE_FULL"])
        const { status, body } = await lab.call("POST", `${lab.root}/configuration`, { name: "x", configuration: {} })
        assert.deepStrictEqual([status, body.code], [507, "STORAGE_FULL"])
        assert.strictEqual((await request("GET", "/ready")).status, 503)
      }

      limitFiles(pid, "unlimited")
      assert.strictEqual((await lab.game.send([marker(), marker()])).status, 200)
      assert.strictEqual(await lab.game.count("Level"), 3)
      await allRead("afterwards")
      await vi.waitUntil(async () => (await request("GET", "/ready")).status === 200, patient)
      const { code } = await server.stop()
      assert.strictEqual(code, 0)

      const again = await startServer(folder)
      const found = await fetchRequest(again.url)("GET", "/ready")
      assert.strictEqual(found.status, 200, found.text)
      await again.stop()
    }))
})

import { assert, describe, it } from "@effect/vitest"
import { existsSync } from "node:fs"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { startSendingServer } from "../support/operations/SendingServer.ts"
import { gamekeeper, root, startServer, withFolder } from "../support/Server.ts"

const endBySignal = pathToFileURL(join(root, "test/support/EndBySignal.mjs")).href

describe("a server that a fault ends", () => {
  it.each([
    ["an uncaught exception", "throw"],
    ["an exit in the middle of things", "exit"]
  ])("starts again after %s, with all that it acknowledged", (_, end) =>
    withFolder(async (folder) => {
      const data = join(folder, "data")
      const started = await startSendingServer(data, { NODE_OPTIONS: `--import ${endBySignal}`, TEST_END: end })
      const { server: first } = started
      const send = (url: string) => started.send(url, ["a".repeat(32), "b".repeat(32)])
      assert.deepInclude((await send(first.url)).body, { ingestedMarkersCount: 2, duplicateMarkersCount: 0 })
      first.process.kill("SIGUSR2")
      // Node aborts where it ends a thread in the middle of a statement: then there is no status.
      assert.notStrictEqual((await first.ended).code, 0)

      const second = await startServer(data)
      assert.deepInclude((await send(second.url)).body, { ingestedMarkersCount: 0, duplicateMarkersCount: 2 })
      assert.deepStrictEqual([(await second.stop()).code, second.output().err], [0, ""])
      for (const left of ["-wal", "-shm"]) assert.isFalse(existsSync(join(data, `events.sqlite${left}`)), left)
      assert.strictEqual((await gamekeeper(["doctor", "--deep", "--data", data]).ended).code, 0)
    })
  )
})

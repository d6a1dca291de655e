import { assert, describe, it } from "@effect/vitest"
import { join } from "node:path"
import { gamekeeper, settle, withFolder } from "../support/Server.ts"

describe("timestamps in the future", () => {
  it("import says how many markers had a timestamp in the future, as one in microseconds is", () =>
    withFolder(async (folder) => {
      const data = join(folder, "data")
      await settle(data)
      const imported = async () => {
        const command = gamekeeper(["import", "-", "--environment", "1", "--data", data])
        const markers = [Date.now(), Date.now() * 1000, Date.now() + 3_600_000].map((timestamp, at) =>
          JSON.stringify({
            eventName: "Level",
            distinctId: "ann",
            timestamp,
            markerId: `0193a5b2-7c1e-7a3b-9d4f-1f2e3d4c5b6${at}`
          })
        )
        command.process.stdin?.end(markers.join("\n"))
        return (await command.ended).out.trim().split("\n")
      }
      assert.deepStrictEqual(await imported(), [
        "3 records: 3 markers imported, 0 duplicates, 0 stale, 0 rejected",
        "2 imported markers had a timestamp in the future, and got the instant of this import in its place:",
        "a clock was wrong, or the file has microseconds where milliseconds should be (docs/import.md)"
      ])
      assert.deepStrictEqual(await imported(), ["3 records: 0 markers imported, 3 duplicates, 0 stale, 0 rejected"])
    }))
})

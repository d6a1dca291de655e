import { assert, describe, it } from "@effect/vitest"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { gzipSync } from "node:zlib"
import { gamekeeper, settle, withFolder } from "../support/Server.ts"

describe("imports of files that are not whole", () => {
  it("store what is there, tell how much it was, and take the rest once it is there", () =>
    withFolder(async (folder) => {
      const data = join(folder, "data")
      const file = join(folder, "markers.ndjson.gz")
      await settle(data)
      const now = Date.now()
      const lines = Array.from({ length: 5000 }, (_, index) =>
        JSON.stringify({ eventName: "Level", distinctId: crypto.randomUUID(), timestamp: now - index * 1000 })
      )
      const packed = gzipSync(lines.join("\n"))
      const run = () => gamekeeper(["import", "--environment", "1", "--data", data, file]).ended
      writeFileSync(file, packed.subarray(0, (packed.length * 2) / 3))
      const cut = await run()
      assert.match(cut.err, /markers\.ndjson\.gz is cut off: its gzip stops before its end/)
      assert.notStrictEqual(cut.code, 0)
      const [, stored = ""] =
        /^Up to where the import had to stop: \d+ records: (\d+) markers imported/.exec(cut.out) ?? []
      assert.isAbove(Number(stored), 2000, cut.out)
      assert.match(cut.out, /the same command imports the rest: what is stored already is a duplicate/)
      writeFileSync(file, packed)
      const whole = await run()
      assert.match(
        whole.out,
        new RegExp(`^5000 records: ${5000 - Number(stored)} markers imported, ${stored} duplicates`)
      )
      assert.strictEqual(whole.code, 0)
    }))
})

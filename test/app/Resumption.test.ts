import { NodeContext } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { readdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { gzipSync } from "node:zlib"
import { Resumption } from "../../src/cli/Resumption.ts"
import { emptySummary } from "../../src/domain/ingest/ImportSummary.ts"
import { gamekeeper, settle, withFolder } from "../support/Server.ts"

const run = <A, E>(effect: Effect.Effect<A, E, NodeContext.NodeContext>) =>
  Effect.runPromise(Effect.provide(effect, NodeContext.layer))

describe("resumption", () => {
  it("an import goes on only with the same files in the same order and the same mapping", () =>
    withFolder(async (folder) => {
      const [a, b] = [join(folder, "a.jsonl"), join(folder, "b.jsonl")]
      writeFileSync(a, "1")
      writeFileSync(b, "1")
      const store = { file: "a", highestSequence: 4000 }
      const at = (files: ReadonlyArray<string>, environment: number, mapping: string, now = store) =>
        run(Resumption(folder, files, environment, mapping, now))
      const nothing = { summary: emptySummary, isStale: false }
      const summary = { ...emptySummary, records: 4000, leftOut: 12, imported: 3988, reasons: { INVALID_TYPE: 1 } }
      const done = await at([a, b], 1, "posthog {}")
      await run(done.save(summary, store))
      for (const now of [store, { ...store, highestSequence: 5000 }])
        assert.deepStrictEqual(await run((await at([a, b], 1, "posthog {}", now)).load), { summary, isStale: false })
      // Another event file, and the same one as it was before.
      for (const now of [
        { ...store, file: "b" },
        { ...store, highestSequence: 3999 }
      ])
        assert.deepStrictEqual(await run((await at([a, b], 1, "posthog {}", now)).load), { ...nothing, isStale: true })
      for (const other of [
        at([b, a], 1, "posthog {}"),
        at([a], 1, "posthog {}"),
        at([a, b], 2, "posthog {}"),
        at([a, b], 1, "")
      ])
        assert.deepStrictEqual(await run((await other).load), nothing)
      const [note = ""] = readdirSync(join(folder, "imports"))
      // A version that knew no stores left the summary alone.
      writeFileSync(join(folder, "imports", note), JSON.stringify(summary))
      assert.deepStrictEqual(await run(done.load), { ...nothing, isStale: true })
      writeFileSync(b, "12")
      assert.deepStrictEqual(await run((await at([a, b], 1, "posthog {}")).load), nothing)
      await run(done.clear)
      assert.deepStrictEqual(readdirSync(join(folder, "imports")), [])
      const standardInput = await at(["-"], 1, "")
      await run(standardInput.save(summary, store))
      assert.deepStrictEqual(await run(standardInput.load), nothing)
    }))

  it("the built command begins anew where what it refused may be taken now: with another retention, or another mapping in the same file", () =>
    withFolder(async (folder) => {
      const file = (name: string, content: string | Buffer) => {
        writeFileSync(join(folder, name), content)
        return join(folder, name)
      }
      const table = (level: string) =>
        JSON.stringify({ markers: [{ type: level, timestamp: "{time}", unitId: "{player}" }] })
      const rows = file("rows.csv", `player,time\n${"ada,2020-01-02T00:00:00Z\n".repeat(2500)}`)
      const cut = file("rows.csv.gz", gzipSync("player,time\nada,2020-01-02T00:00:00Z\n").subarray(0, 30))
      const mapping = file("mapping.json", table("Level"))
      const data = join(folder, "data")
      await settle(data)
      const imported = async (...args: ReadonlyArray<string>) => {
        const common = ["--environment", "1", "--data", data, "--mapping", mapping]
        return (await gamekeeper(["import", rows, cut, ...common, ...args]).ended).err
      }
      const goesOn = /Going on after \d+ records/
      assert.notMatch(await imported(), goesOn)
      assert.match(await imported(), goesOn)
      assert.notMatch(await imported("--retention-days", "36500"), goesOn)
      assert.match(await imported("--retention-days", "36500"), goesOn)
      file("mapping.json", table("Won"))
      assert.notMatch(await imported("--retention-days", "36500"), goesOn)
    }))
})

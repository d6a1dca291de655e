import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fixture, recordsOf } from "../support/ingest/ExportRecords.ts"
import { withFolder } from "../support/Server.ts"
import { storedZip } from "../support/StoredZip.ts"

describe("imports of Talo's exports", () => {
  it("the zip of a Talo export holds events in files of its own, and what else is in it is passed over", () =>
    withFolder(async (folder) => {
      const events = readFileSync(fixture("talo-events.csv"))
      const [columns = "", ...rows] = events.toString().trim().split("\n")
      const file = join(folder, "export-1-20261121.zip")
      const others = {
        "players-1.csv": "id,lastSeenAt,createdAt,updatedAt\n3a1d,2026-11-20T10:00:00.000Z,2026-11-20T10:00:00.000Z,",
        "playerAliases-1.csv": "id,service,identifier,player.id,createdAt,updatedAt\n7,username,ada,3a1d,,",
        "gameStats-1.csv": "id,internalName,name,defaultValue\n1,gold,Gold,0",
        "gameFeedback.csv": "id,category.internalName,comment\n1,bugs,It hangs, again, and again"
      }
      const parts = { "events-1.csv": [columns, rows[0]], "events-2.csv": [columns, ...rows.slice(1)] }
      const texts = Object.entries({ ...others, ...parts }).map(([name, text]) => [
        name,
        Buffer.from(typeof text === "string" ? text : text.join("\n"))
      ])
      writeFileSync(file, storedZip(Object.fromEntries(texts)))
      const packed = await Effect.runPromise(recordsOf("talo", file))
      const plain = await Effect.runPromise(recordsOf("talo", fixture("talo-events.csv")))
      assert.strictEqual(packed.length, 5)
      assert.deepStrictEqual(
        packed.map(({ name, markers }) => [name, markers]),
        plain.map(({ name, markers }) => [name, markers])
      )
    }))

  it.effect("an event of Talo keeps id, time and alias, and its props have the types that they read like", () =>
    Effect.gen(function* () {
      const [first, second, quit, comma, quoted] = yield* recordsOf("talo", fixture("talo-events.csv"))
      assert.deepStrictEqual(first?.markers, [
        {
          markerId: "5f0e0b9c-2a75-4d2e-9a3a-6f5d2c1b0a01",
          type: "Level completed",
          timestamp: "2026-11-20T10:00:00.250Z",
          userId: "ada",
          sessionId: undefined,
          value: { level: 12, won: true },
          properties: { platform: "Windows", appVersion: "2.4.1" }
        }
      ])
      assert.deepInclude(second?.markers[0], {
        userId: "76561198000000001",
        value: { level: 13, note: "007", won: false }
      })
      assert.deepInclude(quit?.markers[0], { type: "Quit", userId: undefined, value: {}, properties: {} })
      // Talo writes no quotes around texts: what has a comma is no row, and a quote is one of the text.
      assert.isArray(comma?.markers[0])
      assert.deepInclude(quoted?.markers[0], { type: "Said", value: { note: '"hi" he said' } })
    })
  )
})

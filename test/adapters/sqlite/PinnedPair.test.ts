import { assert, describe, it, vi } from "@effect/vitest"
import Database from "better-sqlite3"
import { Effect } from "effect"
import { join } from "node:path"
import { Worker } from "node:worker_threads"
import { pinPair } from "../../../src/adapters/sqlite/operations/PinnedPair.ts"
import { eventually } from "../../support/Npm.ts"
import { runCount } from "../../support/Runs.ts"
import { withFolder } from "../../support/Server.ts"

/** Writes the same number into the one file and then into the other, as fast as it can, until it is ended. */
const writer = `
const { workerData } = require("node:worker_threads")
const Database = require("better-sqlite3")
const [metadata, events] = workerData.map((file) => {
  const database = new Database(file)
  database.pragma("synchronous = off")
  return database.prepare("update counter set n = ?")
})
for (let n = 1; ; n++) {
  metadata.run(n)
  events.run(n)
}
`

const numberIn = (database: Database.Database) => Number(database.prepare("select n from counter").pluck().get())

const filled = (folder: string) => {
  const files = { metadata: join(folder, "metadata.sqlite"), events: join(folder, "events.sqlite") }
  for (const file of Object.values(files)) {
    const database = new Database(file)
    database.pragma("journal_mode = wal")
    database.exec("create table counter (n integer); insert into counter values (0)")
    database.close()
  }
  return files
}

type Files = ReturnType<typeof filled>

/** The numbers in both files, as a pinned pair sees them; that of the metadata is read first and last. */
const pinnedNumbers = (files: Files) =>
  Effect.runPromise(
    Effect.scoped(
      Effect.map(pinPair(files), ({ metadata, events }) => [numberIn(metadata), numberIn(events), numberIn(metadata)])
    )
  )

describe("a pinned pair", () => {
  it("is pinned again where both files change between the looks at them", () =>
    withFolder(async (folder) => {
      const files = filled(folder)
      const writers = Object.values(files).map((file) => new Database(file))
      let changes = 0
      const begin = Database.prototype.exec
      const spy = vi.spyOn(Database.prototype, "exec").mockImplementation(function (this: Database.Database, sql) {
        if (sql === "begin" && this.name === files.events && changes < 3) {
          changes++
          for (const each of writers) each.prepare("update counter set n = n + 1").run()
        }
        return begin.call(this, sql)
      })
      assert.deepStrictEqual(await pinnedNumbers(files), [3, 3, 3])
      spy.mockRestore()
      for (const each of writers) each.close()
    }))

  it("sees one instant while each file is written without a pause", { timeout: 120_000 }, () =>
    withFolder(async (folder) => {
      const files = filled(folder)
      const worker = new Worker(writer, { eval: true, workerData: Object.values(files) })
      const database = new Database(files.events, { readonly: true })
      let last = 0
      for (let run = 0; run < runCount(30); run++) {
        await eventually("another write", () => (numberIn(database) > last ? true : undefined))
        const [first = 0, second = 0, later = 0] = await pinnedNumbers(files)
        assert.include([second, second + 1], first)
        assert.strictEqual(later, first)
        assert.isAtLeast(first, last)
        last = first
      }
      database.close()
      await worker.terminate()
    })
  )
})

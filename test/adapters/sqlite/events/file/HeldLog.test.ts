import { assert, describe, it } from "@effect/vitest"
import { existsSync, readFileSync, renameSync } from "node:fs"
import { join } from "node:path"
import { openForReading, openGuarded } from "../../../../../src/adapters/sqlite/events/file/EventsDb.ts"
import { HeldLog } from "../../../../../src/adapters/sqlite/events/file/HeldLog.ts"
import { withFolder } from "../../../../support/Server.ts"

const openIn = (folder: string) => {
  const file = join(folder, "events.sqlite")
  const { db, guard } = openGuarded(file, assert.fail)
  guard.note()
  const finish = () => {
    guard.finish(db)
    guard.close()
  }
  return { file, log: `${file}-wal`, db, finish }
}

describe("the log of an event file, held by a connection that reads", () => {
  it("stays when the writer's connection closes without having emptied it", () =>
    withFolder(async (folder) => {
      const { file, log, db } = openIn(folder)
      const held = new HeldLog(file)
      const before = readFileSync(log)
      assert.isNotEmpty(before)
      db.close()
      held.close()
      assert.deepStrictEqual(readFileSync(log), before)
      openGuarded(file, assert.fail).db.close()
    }))

  it("goes once the writer has emptied it, unless somebody else reads", () =>
    withFolder(async (folder) => {
      for (const isRead of [false, true]) {
        const { file, log, finish } = openIn(folder)
        const held = new HeldLog(file)
        const other = isRead ? openForReading(file) : null
        other?.pragma("schema_version")
        finish()
        assert.strictEqual(readFileSync(log).length, 0)
        held.close()
        assert.strictEqual(existsSync(log), isRead)
        other?.close()
      }
    }))

  it("is left alone where the path leads to another file", () =>
    withFolder(async (folder) => {
      const { file, log, finish } = openIn(folder)
      const held = new HeldLog(file)
      finish()
      renameSync(file, join(folder, "moved.sqlite"))
      renameSync(log, join(folder, "moved.sqlite-wal"))
      renameSync(`${file}-sums`, join(folder, "moved.sqlite-sums"))
      const other = openIn(folder)
      assert.isTrue(existsSync(log))
      const before = readFileSync(log)
      held.close()
      assert.deepStrictEqual(readFileSync(log), before)
      other.finish()
    }))
})

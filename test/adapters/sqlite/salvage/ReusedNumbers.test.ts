import { assert, describe, it } from "@effect/vitest"
import { join } from "node:path"
import type { Db } from "../../../../src/adapters/sqlite/events/file/Db.ts"
import { openForWriting } from "../../../../src/adapters/sqlite/events/file/EventsDb.ts"
import { verify } from "../../../../src/adapters/sqlite/events/file/Verification.ts"
import { rebuildRuns } from "../../../../src/adapters/sqlite/salvage/MarkerIdSalvage.ts"
import { SegmentSalvage } from "../../../../src/adapters/sqlite/salvage/SegmentSalvage.ts"
import { buildEvents } from "../../../support/operations/SalvagedWorld.ts"
import { withFolder } from "../../../support/Server.ts"

const numberIn = (db: Db, sql: string) => Number(db.prepare(sql).pluck().get())

/** Loses the newest row of a table, as with the page that it is on: its number is the next that is given. */
const loseNewest = (db: Db, table: "key_run" | "segment") => {
  db.exec(`delete from ${table} where id = (select max(id) from ${table})`)
  db.exec(`update sqlite_sequence set seq = (select max(id) from ${table}) where name = '${table}'`)
}

describe("what is written anew by a salvage", () => {
  it("may get the number of what was lost, of which parts are left", () =>
    withFolder(async (folder) => {
      const { closed } = buildEvents(folder)
      const db = openForWriting(join(closed, "events.sqlite"))
      assert.isAbove(numberIn(db, "select count(*) from key_run"), 1)
      const keys = numberIn(db, "select keys from key_run order by id desc limit 1")
      loseNewest(db, "key_run")
      assert.strictEqual(rebuildRuns(db), keys)

      assert.isAbove(numberIn(db, "select count(*) from segment"), 1)
      loseNewest(db, "segment")
      const first = numberIn(db, "select min(id) from segment")
      const newest = numberIn(db, "select max(id) from segment")
      // Its last column is the index of times, without which the segment is written anew.
      const column = numberIn(db, `select max(id) from segment_column where id / 65536 = ${first}`)
      db.prepare("update segment_column set data = zeroblob(length(data)) where id = ?").run(column)
      new SegmentSalvage(db).run()
      assert.isAbove(numberIn(db, "select min(id) from segment"), first)
      assert.strictEqual(numberIn(db, "select max(id) from segment"), newest + 1)
      const stray = "select count(*) from segment_column where id / 65536 not in (select id from segment)"
      assert.strictEqual(numberIn(db, stray), 0)
      const ofIds = verify(db).problems.filter((problem) => problem.startsWith("Marker ids"))
      assert.deepStrictEqual(ofIds, [])
      db.close()
    }))
})

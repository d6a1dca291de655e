import { assert, describe, it } from "@effect/vitest"
import Database from "better-sqlite3"
import { PinnedLog } from "../../../../src/adapters/sqlite/pages/PinnedLog.ts"
import { seeded } from "../../../support/Seeded.ts"
import { copyOf, inFolder, openDatabase } from "./GuardedDatabase.ts"

interface Checkpoint {
  readonly busy: number
  readonly log: number
  readonly checkpointed: number
}

/** A guarded database whose log another connection brings into the file, as a thread does. */
const openPinned = (file: string) => {
  const database = openDatabase(file)
  database.write("first")
  const pinned = new PinnedLog(file)
  const other = new Database(file, { timeout: 0 })
  other.pragma("wal_autocheckpoint = 0")
  const passive = other.prepare<[], Checkpoint>("pragma wal_checkpoint(passive)")
  const close = () => {
    other.close()
    pinned.close()
    database.close()
  }
  return { ...database, pinned, bringOver: () => passive.get()!, close }
}

describe("PinnedLog", () => {
  it("lets a checkpoint bring over what was sealed and no more, while writes go on", () =>
    inFolder((file) => {
      const { guard, write, pinned, bringOver, close } = openPinned(file)
      for (let n = 0; n < 30; n++) write(`before ${n}`)
      assert.isAbove(pinned.leftOf(guard.mark), 30)
      assert.isTrue(guard.hold(() => pinned.begin()))
      const sealed = guard.mark!.frames - 1
      for (let n = 0; n < 5; n++) write(`meanwhile ${n}`)
      for (let turn = 0; turn < 2; turn++) assert.strictEqual(bringOver().checkpointed, sealed)
      pinned.end(guard.mark, sealed)
      const left = pinned.leftOf(guard.mark)
      assert.strictEqual(left, guard.mark!.frames - sealed)
      guard.checkpoint()
      assert.isAtMost(pinned.leftOf(guard.mark), left)
      write("after")
      assert.isBelow(guard.mark!.frames, 10)
      close()
    }))

  it("I5: no sound database is refused, whatever another thread has brought over when the process is killed", () =>
    inFolder((file, folder) => {
      const random = seeded(11)
      const { db, guard, write, notes, pinned, bringOver, close } = openPinned(file)
      const reader = new Database(file, { readonly: true })
      let isHeld = false
      const steps: ReadonlyArray<() => void> = [
        () => write("x".repeat(Math.floor(random() * 9000))),
        () => write(`note ${random()}`),
        () => {
          db.exec("delete from note where id % 3 = 0")
          guard.note()
        },
        () => {
          isHeld ||= guard.hold(() => pinned.begin())
        },
        () => {
          if (isHeld) bringOver()
        },
        () => {
          if (isHeld) pinned.end(guard.mark, bringOver().checkpointed)
          isHeld = false
        },
        () => {
          if (!isHeld) guard.checkpoint()
        },
        () => {
          if (!isHeld) guard.empty()
        },
        () => {
          if (reader.inTransaction) reader.exec("rollback")
          else {
            reader.exec("begin")
            reader.prepare("select count(*) from note").get()
          }
        }
      ]
      for (let turn = 0; turn < 400; turn++) {
        steps[Math.floor(random() * steps.length)]?.()
        if (turn % 4 !== 0) continue
        const reports: Array<string> = []
        const again = openDatabase(copyOf(file, folder, "copy.sqlite"), reports)
        assert.deepStrictEqual([again.notes(), reports], [notes(), []], `after ${turn} steps`)
        again.close()
      }
      reader.close()
      close()
    }))
})

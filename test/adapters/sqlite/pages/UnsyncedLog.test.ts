import { assert, describe, it } from "@effect/vitest"
import * as FastCheck from "effect/FastCheck"
import { truncateSync } from "node:fs"
import { frameHeaderBytes, logHeaderBytes } from "../../../../src/adapters/sqlite/pages/WriteAheadLog.ts"
import { runCount } from "../../../support/Runs.ts"
import { copyOf, inFolder, openDatabase, sizeOf } from "./GuardedDatabase.ts"

type Mark = ReturnType<ReturnType<typeof openDatabase>["guard"]["follow"]>

/** A guarded database whose commits reach the disk later than they are made. */
const openUnsynced = (file: string) => {
  const { db, guard, ...others } = openDatabase(file)
  const frame = frameHeaderBytes + Number(db.pragma("page_size", { simple: true }))
  const insert = db.prepare<[string]>("insert into note (text) values (?)")
  const unsynced: Array<{ readonly mark: Mark; readonly rows: number }> = []
  let kept = { mark: guard.mark, rows: 0 }
  let rows = 0
  const write = (size: number) => {
    insert.run("x".repeat(size))
    unsynced.push({ mark: guard.follow(), rows: ++rows })
  }
  /** The disk has what the oldest of the commits that wait wrote. */
  const sync = () => {
    const next = unsynced.shift()
    if (next === undefined) return
    guard.note(next.mark)
    if (next.rows > kept.rows) kept = next
  }
  /** Both bring the log to the disk themselves. */
  const bringOver = (how: "checkpoint" | "empty") => {
    guard[how]()
    kept = { mark: guard.mark, rows }
  }
  /** What a loss of power leaves: of the log, any part from what the disk is known to have. Answers how many rows that has at least. */
  const losePower = (folder: string, part: number) => {
    const copy = copyOf(file, folder, "copy.sqlite")
    const least = logHeaderBytes + (kept.mark?.frames ?? 0) * frame
    const size = sizeOf(`${copy}-wal`)
    if (size > least) truncateSync(`${copy}-wal`, Math.round(least + (size - least) * part))
    return { copy, least: kept.rows }
  }
  return { ...others, write, sync, bringOver, losePower, rows: () => rows }
}

describe("a log that reaches the disk later", () => {
  it("is noted as far as the disk has it", () =>
    inFolder((file, folder) => {
      const database = openUnsynced(file)
      for (let row = 0; row < 3; row++) database.write(5000)
      database.sync()
      const { copy } = database.losePower(folder, 0)
      const reports: Array<string> = []
      const again = openDatabase(copy, reports)
      assert.deepStrictEqual([again.notes().length, reports], [1, []])
      again.close()
      database.sync()
      truncateSync(`${database.losePower(folder, 0).copy}-wal`, sizeOf(`${copy}-wal`) - 1)
      assert.throws(() => openDatabase(copy), /Writes that were acknowledged are lost/)
      database.close()
    }))

  it("is never refused after a loss of power, and has every row that the disk was known to have", () => {
    const step = FastCheck.oneof(
      { weight: 6, arbitrary: FastCheck.record({ type: FastCheck.constant("write"), size: FastCheck.nat(9000) }) },
      { weight: 4, arbitrary: FastCheck.record({ type: FastCheck.constant("sync"), size: FastCheck.constant(0) }) },
      ...["checkpoint", "empty", "power"].map((type) => ({
        weight: 1,
        arbitrary: FastCheck.record({ type: FastCheck.constant(type), size: FastCheck.nat(100) })
      }))
    )
    FastCheck.assert(
      FastCheck.property(FastCheck.array(step, { maxLength: 60 }), (steps) =>
        inFolder((file, folder) => {
          const database = openUnsynced(file)
          for (const { type, size } of steps) {
            if (type === "write") database.write(size)
            else if (type === "sync") database.sync()
            else if (type === "checkpoint" || type === "empty") database.bringOver(type)
            else {
              const { copy, least } = database.losePower(folder, size / 100)
              const reports: Array<string> = []
              const again = openDatabase(copy, reports)
              assert.deepStrictEqual(again.notes(), database.notes().slice(0, again.notes().length))
              assert.isAtLeast(again.notes().length, least)
              assert.isEmpty(reports)
              again.close()
            }
          }
          database.close()
        })
      ),
      { numRuns: runCount(60) }
    )
  })
})

import { assert, describe, it } from "@effect/vitest"
import { vi } from "vitest"
import { KeyRuns } from "../../../../../src/adapters/sqlite/events/file/KeyRuns.ts"
import { mergedRun } from "../../../../../src/adapters/sqlite/events/file/RunMerging.ts"
import { openForWriting } from "../../../../../src/adapters/sqlite/events/file/EventsDb.ts"
import { keptIds } from "../../../../../src/adapters/sqlite/events/file/ids/KeptIds.ts"
import { StoredMarkerIds } from "../../../../../src/adapters/sqlite/events/file/ids/StoredMarkerIds.ts"
import { ColumnCache } from "../../../../../src/adapters/sqlite/events/file/ColumnCache.ts"
import { verify } from "../../../../../src/adapters/sqlite/events/file/Verification.ts"
import { readMarkerId } from "../../../../../src/adapters/sqlite/events/bytes/MarkerId.ts"
import { flatRun } from "../FlatRuns.ts"
import { run } from "../Opened.ts"
import { KeyRunBuilder } from "../../../../../src/adapters/sqlite/events/format/KeyRun.ts"

const keysPerRun = 50

/** The n-th id. */
const idOf = (n: number): DataView => {
  const view = new DataView(new ArrayBuffer(16))
  for (let word = 0; word < 4; word++) view.setUint32(word * 4, Math.imul(n + 1, 2_654_435_761 + word) >>> 0)
  return view
}

/** A file in which each of these days has so many runs, and how many runs a day has once they are merged. */
const merged = (runsByDay: ReadonlyArray<readonly [environmentId: number, day: number, runs: number]>) => {
  const db = openForWriting(":memory:")
  const runs = new KeyRuns(db)
  let next = 0
  const ids: Array<readonly [environmentId: number, day: number, id: DataView]> = []
  for (const [environmentId, day, count] of runsByDay)
    for (let run = 0; run < count; run++) {
      const builder = new KeyRunBuilder()
      for (let key = 0; key < keysPerRun; key++, next++) {
        const id = idOf(next)
        ids.push([environmentId, day, id])
        builder.add(new Uint8Array(id.buffer), 0, next)
      }
      runs.insert(builder.finish(environmentId, day))
    }
  for (let some = runs.mergeable(); some !== null; some = runs.mergeable()) runs.replace(some, run(mergedRun(db, some)))
  const left = db
    .prepare<[], { environment_id: number; day: number; runs: number; keys: number }>(
      "select environment_id, day, count(*) runs, sum(keys) keys from key_run group by environment_id, day order by 1, 2"
    )
    .all()
    .map((row) => [row.environment_id, row.day, row.runs, row.keys / keysPerRun])
  return { runs, ids, left, another: idOf(next), close: () => db.close() }
}

describe("Runs of marker ids are merged", () => {
  const cases: ReadonlyArray<readonly [string, Parameters<typeof merged>[0], ReadonlyArray<ReadonlyArray<number>>]> = [
    ["eight at a time on the day to which more come", [[1, 20_000, 17]], [[1, 20_000, 3, 17]]],
    ["not fewer on that day", [[1, 20_000, 7]], [[1, 20_000, 7, 7]]],
    [
      "all that are left of a day that is over",
      [
        [1, 20_000, 7],
        [1, 20_001, 2],
        [1, 20_002, 3]
      ],
      [
        [1, 20_000, 1, 7],
        [1, 20_001, 1, 2],
        [1, 20_002, 3, 3]
      ]
    ],
    [
      "each environment's by its own days",
      [
        [1, 20_000, 2],
        [2, 20_001, 2]
      ],
      [
        [1, 20_000, 2, 2],
        [2, 20_001, 2, 2]
      ]
    ]
  ]
  it.each(cases)("%s", (_, runsByDay, expected) => {
    const { runs, ids, left, another, close } = merged(runsByDay)
    assert.deepStrictEqual(left, expected)
    for (const [environmentId, day, id] of ids) {
      assert.isTrue(runs.has(environmentId, day, id, 0))
      assert.isFalse(runs.has(environmentId + 2, day, id, 0))
    }
    assert.isFalse(runs.has(1, 20_000, another, 0))
    close()
  })
})

const day = 20_000

/** A file of eight runs of so many ids each; those with an even number as builds of the formats 1 to 6 wrote them. */
const mixed = (keys: number, firstSequence: number) => {
  const db = openForWriting(":memory:")
  const runs = new KeyRuns(db)
  for (let run = 0; run < 8; run++) {
    const builder = new KeyRunBuilder()
    for (let key = run * keys; key < (run + 1) * keys; key++)
      builder.add(new Uint8Array(idOf(key).buffer), 0, firstSequence + key)
    const finished = builder.finish(1, day)
    runs.insert(run % 2 === 0 ? flatRun(finished) : finished)
  }
  return { db, runs, count: keys * 8 }
}

describe("Runs of both layouts", () => {
  it.each([
    [1500, 1],
    [1500, 2 ** 32 - 6000]
  ])("have the same ids, before they are merged and afterwards: %i a run, from sequence %i on", (keys, first) => {
    const { db, runs, count } = mixed(keys, first)
    const layouts = () => db.prepare<[], number | null>("select layout from key_run order by id").pluck().all()
    const look = (known: KeyRuns) => {
      for (let key = 0; key < count; key++) assert.isTrue(known.has(1, day, idOf(key), 0))
      for (let key = count; key < count + 3000; key++) assert.isFalse(known.has(1, day, idOf(key), 0))
      const ids = new Map(
        [...keptIds(db, 1)].map(({ sequence, bytes, offset }) => [sequence, readMarkerId(bytes, offset)])
      )
      assert.strictEqual(ids.size, count)
      for (let key = 0; key < count; key++)
        assert.strictEqual(ids.get(first + key), readMarkerId(new Uint8Array(idOf(key).buffer), 0))
      const stored = new StoredMarkerIds(db, new ColumnCache(1_000_000))
      for (const wanted of [[first, first + 7, first + count - 1], [first + 1], [first + keys * 2 + 1]])
        for (const _turn of [1, 2, 3])
          assert.deepStrictEqual(
            [...stored.of(1, wanted)].toSorted(([a], [b]) => a - b),
            wanted.map((sequence) => [sequence, ids.get(sequence)!])
          )
      assert.deepStrictEqual(verify(db).problems, [])
    }
    assert.deepStrictEqual(layouts(), [null, 1, null, 1, null, 1, null, 1])
    look(runs)
    look(new KeyRuns(db))
    const some = runs.mergeable()
    assert.isNotNull(some)
    runs.replace(some!, run(mergedRun(db, some!)))
    assert.deepStrictEqual(layouts(), [1])
    look(runs)
    look(new KeyRuns(db))
    db.close()
  })

  it("are examined page by page", () => {
    const { db } = mixed(1500, 1)
    const pages = db.prepare<[], number>("select id from key_page order by id").pluck().all()
    for (const id of pages) {
      db.exec("savepoint damage")
      db.prepare("update key_page set data = substr(data, 1, length(data) - 7) where id = ?").run(id)
      assert.strictEqual(verify(db).problems.length, 1, String(id))
      db.prepare("delete from key_page where id = ?").run(id)
      assert.match(verify(db).problems.join(), /^Marker ids of run \d+: page \d+ is missing or not whole$/)
      db.exec("rollback to damage; release damage")
    }
    db.exec("update key_run set keys = keys + 1 where id = 2")
    assert.deepStrictEqual(verify(db).problems, ["Marker ids of run 2: it has 1500 ids instead of 1501"])
    db.close()
  })
})

describe("A merge of runs whose commit fails, as on a full disk,", () => {
  const oldDay = 20_000

  /** Two runs of a day that is over, whose merge is rolled back when it has been written. */
  const failed = () => {
    const db = openForWriting(":memory:")
    const runs = new KeyRuns(db)
    const ids = Array.from({ length: 3 * keysPerRun }, (_, n) => idOf(n))
    for (const [place, day] of [oldDay, oldDay, oldDay + 1].entries()) {
      const builder = new KeyRunBuilder()
      const own = ids.slice(place * keysPerRun, (place + 1) * keysPerRun)
      for (const [at, id] of own.entries()) builder.add(new Uint8Array(id.buffer), 0, place * keysPerRun + at)
      runs.insert(builder.finish(1, day))
    }
    const some = runs.mergeable()
    assert(some !== null)
    const whole = run(mergedRun(db, some))
    const { transaction } = db
    const full = () => {
      throw new Error("database or disk is full")
    }
    vi.spyOn(db, "transaction").mockImplementationOnce((work) =>
      transaction.call(db, (...given) => {
        work(...given)
        full()
      })
    )
    assert.throws(() => runs.replace(some, whole), "database or disk is full")
    return { db, runs, ids, some, hasAll: () => ids.every((id) => runs.has(1, oldDay, id, 0)) }
  }

  it("leaves them as they were, to be merged again", () => {
    const { db, runs, some, hasAll } = failed()
    assert.isTrue(hasAll())
    assert.deepStrictEqual(runs.mergeable(), some)
    runs.replace(some, run(mergedRun(db, some)))
    assert.isTrue(hasAll())
    assert.isNull(runs.mergeable())
    db.close()
  })

  it("forgets no marker id where the file cannot be read afterwards either", () => {
    const { db, runs, ids, hasAll } = failed()
    db.exec("alter table key_run rename to elsewhere")
    assert.throws(() => runs.has(1, oldDay, ids[0]!, 0))
    db.exec("alter table elsewhere rename to key_run")
    assert.isTrue(hasAll())
    db.close()
  })
})

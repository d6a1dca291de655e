import { assert, describe, it } from "@effect/vitest"
import { KeyRuns, mergedRun } from "../../../../../src/adapters/sqlite/events/file/KeyRuns.ts"
import { openForWriting } from "../../../../../src/adapters/sqlite/events/file/EventsDb.ts"
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

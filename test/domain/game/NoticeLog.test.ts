import { assert, describe, it } from "@effect/vitest"
import { FastCheck } from "effect"
import { frame, heartbeat, opening } from "../../../src/domain/game/Frame.ts"
import type { NoticeLog } from "../../../src/domain/game/NoticeLog.ts"
import { append, empty, position, since } from "../../../src/domain/game/NoticeLog.ts"
import { runCount } from "../../support/Runs.ts"

const filled = (count: number): NoticeLog =>
  Array.from({ length: count }, (_, index) => index + 1).reduce(
    (log, id) => append(log, { event: "configuration", ids: [id] }),
    empty("abc")
  )

const missed = (log: NoticeLog, id: string | undefined) => {
  const found = since(log, id)
  return found.type === "reset" ? "reset" : found.notices.flatMap(({ ids }) => ids)
}

describe("the log of notices", () => {
  it("tells whoever comes back exactly what came after the last id they know", () => {
    FastCheck.assert(
      FastCheck.property(FastCheck.nat({ max: 30 }), FastCheck.nat({ max: 40 }), (count, known) => {
        const expected = Array.from({ length: Math.max(0, count - known) }, (_, index) => known + index + 1)
        assert.deepStrictEqual(missed(filled(count), `abc-${known}`), known > count ? "reset" : expected)
      }),
      { numRuns: runCount(1000) }
    )
  })

  it("has nothing to tell who comes for the first time", () => {
    assert.deepStrictEqual([missed(filled(3), undefined), missed(filled(3), "")], [[], []])
  })

  it("of another process, past its length, or no id at all is a reset", () => {
    for (const id of ["abd-1", "abc-4", "abc-", "abc", "-1", "abc--1", "abc-1.5", "abc-99999999999999999", "x"]) {
      assert.strictEqual(missed(filled(3), id), "reset", id)
    }
    const long = filled(1005)
    assert.strictEqual(missed(long, "abc-4"), "reset")
    assert.lengthOf(missed(long, "abc-5"), 1000)
    assert.deepStrictEqual(missed(long, position(long)), [])
  })

  it("numbers notices upwards", () => {
    assert.deepStrictEqual(
      filled(3).notices.map(({ id }) => id),
      ["abc-1", "abc-2", "abc-3"]
    )
  })
})

describe("frames", () => {
  it("are events with their id and data, a comment, and a beginning that leaves an id behind", () => {
    const [notice] = filled(1).notices
    assert.strictEqual(frame(notice!), 'event: configuration\nid: abc-1\ndata: {"ids":[1]}\n\n')
    assert.strictEqual(heartbeat, ":\n\n")
    assert.strictEqual(opening(since(filled(0), undefined), "abc-0"), "retry: 2000\n\nid: abc-0\n\n")
    assert.strictEqual(
      opening(since(filled(1), "abc-0"), "abc-1"),
      'retry: 2000\n\nevent: configuration\nid: abc-1\ndata: {"ids":[1]}\n\nid: abc-1\n\n'
    )
    assert.strictEqual(
      opening({ type: "reset" }, "abc-1"),
      'retry: 2000\n\nevent: reset\ndata: {"ids":[]}\n\nid: abc-1\n\n'
    )
  })
})

import { assert, describe, it } from "@effect/vitest"
import { examinePages, untilSure } from "../../../../src/adapters/sqlite/pages/PageExamination.ts"
import { flip, inFolder, openDatabase, sizeOf } from "./GuardedDatabase.ts"

describe("examining pages beside a server", () => {
  it("takes a page for damaged that is so at every look: others were being written", () => {
    const asked: Array<ReadonlyArray<number> | null> = []
    const seen = (...looks: ReadonlyArray<ReadonlyArray<number>>) => {
      asked.length = 0
      return untilSure((suspects) => {
        asked.push(suspects)
        return { log: null, pages: looks[Math.min(asked.length, looks.length) - 1] ?? [] }
      })
    }
    assert.deepStrictEqual(seen([]), { log: null, pages: [] })
    assert.deepStrictEqual(seen([3, 7], [7], []), { log: null, pages: [] })
    assert.deepStrictEqual(asked, [null, [3, 7], [7]])
    assert.deepStrictEqual(seen([3, 7], [7]), { log: null, pages: [7] })
    let looks = 0
    const cut = { log: "The log is damaged", pages: [] }
    assert.deepStrictEqual(
      untilSure(() => (looks++ === 0 ? cut : { log: null, pages: [] })),
      { log: null, pages: [] }
    )
    assert.deepStrictEqual(
      untilSure(() => cut),
      cut
    )
  })

  it("names a damaged page and its table", () =>
    inFolder((file) => {
      const { write, close } = openDatabase(file)
      for (let at = 0; at < 400; at++) write(`note ${at} ${"x".repeat(200)}`)
      close()
      assert.deepStrictEqual(examinePages(file), [])
      flip(file, sizeOf(file) - 4096 + 900)
      const [problem, ...others] = examinePages(file)
      assert.match(problem ?? "", /page \d+ \((note|note_by_text|unknown)\) is not as it was written$/)
      assert.deepStrictEqual(others, [])
    }))
})

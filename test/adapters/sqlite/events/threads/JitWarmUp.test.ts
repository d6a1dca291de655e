import { assert, describe, it } from "@effect/vitest"
import { ByteReader } from "../../../../../src/adapters/sqlite/events/bytes/ByteReader.ts"
import { form, readIntegers } from "../../../../../src/adapters/sqlite/events/bytes/IntegerEncoding.ts"
import { Segments } from "../../../../../src/adapters/sqlite/events/file/Segments.ts"
import { Control } from "../../../../../src/adapters/sqlite/events/read/Control.ts"
import { warmUpStore } from "../../../../../src/adapters/sqlite/events/threads/JitWarmUp.ts"
import { types, warmUpQuestions } from "../../../../../src/adapters/sqlite/events/threads/JitWarmUpPlans.ts"
import { Reader } from "../../../../../src/adapters/sqlite/events/threads/Reader.ts"

const filled = () => {
  const job = warmUpStore()
  for (let step = job.next(); ; step = job.next()) if (step.done === true) return step.value
}

describe("The store that readers warm up with", () => {
  const db = filled()
  const reader = new Reader(db, { cacheBytes: 8_000_000 })

  it("holds two full segments of each type, one bit-packed and one compressed, and no duplicates", () => {
    const segments = new Segments(db)
    const stored = segments.newerThan(0)
    const rows = stored[0]?.rows ?? 0
    const forms = stored.map((segment) => ({
      type: segment.type,
      rows: segment.rows,
      form: segments.read(segment, "unit")?.[0]
    }))
    assert.deepStrictEqual(forms, [
      ...types.map((type) => ({ type, rows, form: form.bits })),
      ...types.map((type) => ({ type, rows, form: form.planes }))
    ])
    assert.strictEqual(stored.at(-1)?.lastSequence, stored.length * rows)
  })

  it.each(warmUpQuestions.map((question, at) => [at, question.kind, question] as const))(
    "answers question %i (%s)",
    (id, _, question) => {
      const control = new Control().shared
      assert.strictEqual(reader.reply({ type: "ask", id, environmentId: 1, question, control }).type, "answer")
    }
  )

  it("has a name for the unit of every marker, so that no number lies outside what scans make room for", () => {
    const segments = new Segments(db)
    const highest = db.prepare<[], { readonly id: number }>("select max(id) as id from unit").get()?.id ?? 0
    for (const segment of segments.newerThan(0)) {
      const units = readIntegers(new ByteReader(segments.read(segment, "unit") ?? new Uint8Array()), segment.rows)
      assert.isAtMost(Math.max(...units), highest)
      assert.isAtLeast(Math.min(...units), 1)
    }
  })
})

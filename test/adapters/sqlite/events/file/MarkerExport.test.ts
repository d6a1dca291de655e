import { assert, describe, it } from "@effect/vitest"
import { FastCheck as fc } from "effect"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { openForWriting } from "../../../../../src/adapters/sqlite/events/file/EventsDb.ts"
import { IdsBySequence } from "../../../../../src/adapters/sqlite/events/file/ids/IdsBySequence.ts"
import { MarkerExport } from "../../../../../src/adapters/sqlite/events/file/MarkerExport.ts"
import { encodeFrame } from "../../../../../src/adapters/sqlite/events/format/FrameEncoder.ts"
import { writeMarkerId } from "../../../../../src/adapters/sqlite/events/bytes/MarkerId.ts"
import { Writer } from "../../../../../src/adapters/sqlite/events/write/Writer.ts"
import type { StoredEvent } from "../../../../../src/domain/analytics/markers/Event.ts"
import { events } from "../../../../support/Arbitraries.ts"
import { origin, tick, ticks, types } from "../../../../support/analytics/PlanParts.ts"
import { runCount } from "../../../../support/Runs.ts"

const environment = 1
const uuid = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, "0")}`

const run = (job: Generator<void, unknown>) => {
  while (job.next().done !== true);
}

const steps = fc.array(
  fc.tuple(
    events({ units: 4, types, ticks, tick, origin, most: 20, least: 1 }),
    fc.constantFrom("seal" as const, "compact" as const, "nothing" as const)
  ),
  { maxLength: 6 }
)

const bySequence = (a: StoredEvent, b: StoredEvent) => a.sequence - b.sequence

const withScratch = <A>(work: (file: string) => A): A => {
  const folder = mkdtempSync(join(tmpdir(), "gamekeeper-export-"))
  try {
    return work(join(folder, "ids"))
  } finally {
    rmSync(folder, { recursive: true })
  }
}

describe("The export of an event file", () => {
  it("has every marker whole, from any place on in the same order, and counts what it has", () =>
    fc.assert(
      fc.property(steps, fc.nat(120), fc.integer({ min: 1, max: 7 }), (script, place, most) =>
        withScratch((file) => {
          const db = openForWriting(":memory:")
          const writer = new Writer(db, { dedupeDays: 7, ownSegmentRows: 4, sealAt: 65_536 })
          const sent: Array<StoredEvent> = []
          for (const [at, [all, step]] of script.entries()) {
            const receivedAt = origin + at
            const request = all.map((event, index) => {
              const sequence = sent.length + index + 1
              return { ...event, sequence, markerId: uuid(sequence), receivedAt }
            })
            // The first marker comes twice, so that something in the tail is skipped.
            writer.commit([{ environmentId: environment, frame: encodeFrame(receivedAt, [request[0]!, ...request]) }])
            sent.push(...request)
            if (step === "seal") run(writer.seal())
            if (step === "compact") run(writer.compact())
          }
          const markers = new MarkerExport(db, environment, file)
          const whole = [...markers.from(0, 1000)].flat()
          assert.strictEqual(markers.count, sent.length)
          assert.deepStrictEqual(whole.toSorted(bySequence), sent)
          assert.deepStrictEqual([...markers.from(place, most)].flat(), whole.slice(place))
          const counted = [...markers.counted(3)].flatMap(({ rows }) => rows)
          assert.deepStrictEqual(
            counted.map(({ sequence, type, hasUnit }) => [sequence, type, hasUnit]),
            whole.map(({ sequence, type, unitId }) => [sequence, type, unitId !== null])
          )
          markers.close()
          db.close()
        })
      ),
      { numRuns: runCount(50) }
    ))

  it("finds ids of far more sequences than it holds in memory", () =>
    withScratch((file) => {
      const ids = new IdsBySequence(file)
      const sequences = Array.from({ length: 100 }, (_, at) => 1 + at * 70_000)
      const bytes = new Uint8Array(16)
      for (const sequence of sequences) {
        writeMarkerId(uuid(sequence), bytes, 0)
        ids.put(sequence, bytes, 0)
      }
      for (const sequence of sequences) assert.strictEqual(ids.find(sequence), uuid(sequence))
      assert.isNull(ids.find(2))
      ids.close()
    }))
})

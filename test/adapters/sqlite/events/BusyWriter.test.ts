import { assert, describe, it } from "@effect/vitest"
import { openForWriting } from "../../../../src/adapters/sqlite/events/file/EventsDb.ts"
import { encodeFrame } from "../../../../src/adapters/sqlite/events/format/FrameEncoder.ts"
import { sealAll } from "../../../../src/adapters/sqlite/events/threads/WriterJobs.ts"
import { Writer } from "../../../../src/adapters/sqlite/events/write/Writer.ts"
import type { Event } from "../../../../src/domain/analytics/markers/Event.ts"
import { base } from "./Arbitraries.ts"
import { listed, options } from "./Opened.ts"

/** More steps than any of these jobs takes of a few markers. */
const mostSteps = 2000

const marker = (unitId: string): Event => ({
  receivedAt: base,
  timestamp: base,
  type: "played",
  unitId,
  sessionId: null,
  serverId: null,
  clamped: false,
  position: null,
  markerId: crypto.randomUUID(),
  arguments: { level: 1 },
  properties: {}
})

/** Opens a store with some markers of two units. */
const opened = () => {
  const db = openForWriting(":memory:")
  const writer = new Writer(db, options)
  const commit = (unitId: string) =>
    void writer.commit([{ environmentId: 1, frame: encodeFrame(base, [marker(unitId)]) }])
  for (const unitId of ["ada", "bea", "ada"]) commit(unitId)
  return { db, writer, commit }
}

/** The job takes so many steps between two commits, which is less than it takes to seal anything. */
const stepsBetween = 5

/** Runs a job while games send one marker after the other, and answers how many they have sent by its end. */
const busily = (job: Generator<void, unknown>, send: () => void): number => {
  for (let step = 1; step <= mostSteps; step++) {
    if (job.next().done === true) return Math.floor((step - 1) / stepsBetween)
    if (step % stepsBetween === 0) send()
  }
  return assert.fail(`The job has not ended after ${mostSteps} steps`)
}

describe("while markers come without a pause", () => {
  it("an erasure comes to its end, and takes what was there when it began", () => {
    const { db, writer, commit } = opened()
    const sent = busily(writer.erase(1, [{ unitId: "ada", record: null }]), () => commit("bea"))
    assert.deepStrictEqual(
      listed(db, 1).map(({ unitId }) => unitId),
      Array.from({ length: 1 + sent }, () => "bea")
    )
  })

  it("maintenance comes to its end", () => {
    const { db, writer, commit } = opened()
    const plan = { now: base, retention: [{ environmentId: 1, before: base - 1 }] }
    const sent = busily(writer.maintain(plan), () => commit("bea"))
    assert.strictEqual(listed(db, 1).length, 3 + sent)
  })

  it("the removal of an environment comes to its end", () => {
    const { db, writer, commit } = opened()
    writer.commit([{ environmentId: 2, frame: encodeFrame(base, [marker("dora")]) }])
    const sent = busily(writer.drop([2]), () => commit("bea"))
    assert.deepStrictEqual([listed(db, 2).length, listed(db, 1).length], [0, 3 + sent])
  })

  it("what is to be sealed at once is, without what comes meanwhile", () => {
    const { db, writer, commit } = opened()
    const sent = busily(sealAll(writer), () => commit("bea"))
    const rows = db.prepare<[], { rows: number }>("select sum(rows) as rows from segment").get()?.rows
    assert.strictEqual(rows, 3)
    assert.strictEqual(listed(db, 1).length, 3 + sent)
  })
})

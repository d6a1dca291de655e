import { assert, describe, it } from "@effect/vitest"
import { FastCheck as fc } from "effect"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { setImmediate } from "node:timers/promises"
import { packNames } from "../../../../../src/adapters/sqlite/events/cohorts/CohortQuestion.ts"
import type { Db } from "../../../../../src/adapters/sqlite/events/file/Db.ts"
import { openForWriting } from "../../../../../src/adapters/sqlite/events/file/EventsDb.ts"
import { encodeFrame } from "../../../../../src/adapters/sqlite/events/format/FrameEncoder.ts"
import { SealerThread } from "../../../../../src/adapters/sqlite/events/threads/SealerThread.ts"
import { Writer } from "../../../../../src/adapters/sqlite/events/write/Writer.ts"
import { unguarded } from "../../../../../src/adapters/sqlite/pages/LogKeeper.ts"
import { runCount } from "../../../../support/Runs.ts"
import { threads } from "../../../../support/Workers.ts"
import { anyEvent, base } from "../Arbitraries.ts"
import { run } from "../Opened.ts"
import { directory } from "../Store.ts"

const options = { dedupeDays: 7, ownSegmentRows: 3, sealAt: 65_536 }

/** A writer over a new file that has another thread make ready what it seals. */
const opened = (file: string, script: string, few = 0, onDamaged: (message: string) => void = assert.fail) => {
  const db = openForWriting(file)
  const threadsOf: Array<SealerThread> = []
  const start = { file, ownSegmentRows: options.ownSegmentRows }
  const waiting = () => writer.tailEvents
  const writer: Writer = new Writer(db, options, unguarded(db), onDamaged, (own) => {
    const thread = new SealerThread(script, start, own, waiting, () => undefined, few)
    threadsOf.push(thread)
    return thread
  })
  const stop = () => threadsOf[0]?.stop()
  const close = () => {
    stop()
    db.close()
  }
  return { db, writer, stop, close }
}

/** Goes on with a job whenever what it waits for has been made ready. */
const finished = async <A>(writer: Writer, job: Generator<void, A>): Promise<A> => {
  for (;;) {
    if (writer.preparation.isElsewhere) {
      await setImmediate()
      continue
    }
    const step = job.next()
    if (step.done === true) return step.value
  }
}

/** Every row of every table. */
const contents = (db: Db) =>
  db
    .prepare<[], { name: string }>("select name from sqlite_schema where type = 'table' order by name")
    .all()
    .filter(({ name }) => !/^(sqlite_|file|page_token)/.test(name))
    .map(({ name }) => [name, db.prepare(`select * from "${name}"`).all()])

const unitId = fc.integer({ min: 1, max: 40 }).map((unit) => `u${unit}`)

/** New units come again and again, some of them as members of a cohort before they send anything. */
const event = fc.tuple(anyEvent, unitId).map(([drawn, unit]) => ({ ...drawn, unitId: unit }))

const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant("commit" as const), events: fc.array(event, { maxLength: 6 }) })
  },
  {
    weight: 3,
    arbitrary: fc.oneof(
      fc.record({ kind: fc.constant("seal" as const) }),
      fc.record({ kind: fc.constant("compact" as const) })
    )
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant("members" as const),
      names: fc.uniqueArray(unitId, { minLength: 1, maxLength: 3 })
    })
  },
  {
    weight: 1,
    arbitrary: fc.oneof(
      fc.record({ kind: fc.constant("erase" as const) }),
      fc.record({ kind: fc.constant("drop" as const) }),
      fc.record({ kind: fc.constant("maintain" as const) })
    )
  }
)

type Step = typeof step extends fc.Arbitrary<infer A> ? A : never

const jobOf = (writer: Writer, drawn: Step, at: number): Generator<void, unknown> | null => {
  switch (drawn.kind) {
    case "commit":
      return null
    case "seal":
      return writer.seal()
    case "compact":
      return writer.compact()
    case "erase":
      return writer.erase(1, [{ unitId: "u2", record: null }])
    case "drop":
      return writer.drop([2])
    case "maintain":
      return writer.maintain({ now: base, retention: [] })
    case "members": {
      const { names } = drawn
      const change = { cohortId: at, revision: 0, at: base + at, memberCount: names.length }
      const units = { entered: new Uint32Array(), left: new Uint32Array() }
      return writer.swapMembers(1, { ...change, ...units, names: packNames(names), nameCount: names.length })
    }
  }
}

describe("The thread that makes sealing and compaction ready", () => {
  it("leaves the same file as a writer that does it by itself, whatever else is done in between", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 8, maxLength: 25 }), fc.constantFrom(0, 10), async (steps, few) => {
        const { file, remove } = directory()
        const there = opened(file, threads.sealer, few)
        const here = openForWriting(":memory:")
        const own = new Writer(here, options)
        try {
          for (const [at, drawn] of steps.entries()) {
            if (drawn.kind === "commit") {
              const requests = [1, 2].map((environmentId) => ({
                environmentId,
                frame: encodeFrame(base, environmentId === 1 ? drawn.events : drawn.events.slice(0, 3))
              }))
              assert.deepStrictEqual(there.writer.commit(requests), own.commit(requests))
              continue
            }
            const [job, ownJob] = [jobOf(there.writer, drawn, at + 1), jobOf(own, drawn, at + 1)]
            if (job !== null) await finished(there.writer, job)
            if (ownJob !== null) run(ownJob)
          }
          assert.deepStrictEqual(contents(there.db), contents(here))
        } finally {
          there.close()
          remove()
        }
      }),
      { numRuns: runCount(25) }
    )
  })

  it("is not needed: a writer that has lost it, or stops it, does the work by itself", async () => {
    const { path, file, remove } = directory()
    const dying = join(path, "dying.mjs")
    writeFileSync(
      dying,
      `import { parentPort } from "node:worker_threads"; parentPort.on("message", () => process.exit(1))`
    )
    const silent = join(path, "silent.mjs")
    writeFileSync(silent, `import { parentPort } from "node:worker_threads"; parentPort.on("message", () => undefined)`)
    const events = fc.sample(anyEvent, { numRuns: 200, seed: 1 })
    for (const [script, isStopped] of [
      [dying, false],
      [join(path, "missing.mjs"), false],
      // Node throws for this path at once, as it does where the system allows no further thread.
      ["nowhere", false],
      [silent, true]
    ] as const) {
      const { db, writer, stop, close } = opened(`${file}-${isStopped}-${script.length}`, script)
      writer.commit([{ environmentId: 1, frame: encodeFrame(base, events) }])
      const job = writer.seal()
      if (isStopped) {
        job.next()
        assert.isTrue(writer.preparation.isElsewhere)
        stop()
      }
      assert.isTrue(await finished(writer, job))
      await finished(writer, writer.compact())
      assert.strictEqual(db.prepare<[], { rows: number }>("select sum(rows) as rows from segment").get()?.rows, 200)
      close()
    }
    remove()
  })

  it("is not started for a few markers, and does all work once it is there", async () => {
    const { path, file, remove } = directory()
    const { db, writer, close } = opened(file, join(path, "missing.mjs"), 101)
    const events = fc.sample(anyEvent, { numRuns: 200, seed: 4 })
    const send = (from: number, to: number) =>
      writer.commit([{ environmentId: 1, frame: encodeFrame(base, events.slice(from, to)) }])
    for (let part = 0; part < 5; part++) {
      send(part * 20, part * 20 + 20)
      const job = writer.seal()
      job.next()
      assert.isFalse(writer.preparation.isElsewhere)
      await finished(writer, job)
    }
    await finished(writer, writer.compact())
    send(100, 200)
    send(0, 1)
    const job = writer.seal()
    job.next()
    assert.isFalse(writer.preparation.isElsewhere, "a hundred new ones")
    await finished(writer, job)
    assert.strictEqual(db.prepare<[], { rows: number }>("select sum(rows) as rows from segment").get()?.rows, 200)
    close()
    remove()
  })

  it("says what it cannot read, and leaves it as it is", async () => {
    const { file, remove } = directory()
    const told: Array<string> = []
    const { db, writer, close } = opened(file, threads.sealer, 0, (message) => told.push(message))
    const events = fc.sample(anyEvent, { numRuns: 200, seed: 2 })
    for (let part = 0; part < 5; part++) {
      writer.commit([{ environmentId: 1, frame: encodeFrame(base, events.slice(part * 40, part * 40 + 40)) }])
      await finished(writer, writer.seal())
    }
    const [damaged] = db.prepare<[], { id: number }>("select min(id) as id from segment").all()
    db.prepare("update segment_column set data = zeroblob(length(data)) where id = ?").run((damaged?.id ?? 0) * 65_536)
    await finished(writer, writer.compact())
    assert.match(told.join("\n"), new RegExp(`^Segment ${damaged?.id} `))
    assert.strictEqual(db.prepare<[], { rows: number }>("select sum(rows) as rows from segment").get()?.rows, 200)
    close()
    remove()
  })

  it("fails as sealing itself would, and seals again afterwards", async () => {
    const { file, remove } = directory()
    const { db, writer, close } = opened(file, threads.sealer)
    const events = fc.sample(anyEvent, { numRuns: 50, seed: 3 })
    writer.commit([{ environmentId: 1, frame: encodeFrame(base, events) }])
    const stored = db.prepare<[], { data: Uint8Array }>("select data from tail").get()?.data
    db.prepare("update tail set data = x'01ff'").run()
    const outcome = await finished(writer, writer.seal()).then(
      () => "sealed",
      (cause: unknown) => String(cause)
    )
    assert.match(outcome, /Error/)
    db.prepare("update tail set data = ?").run(stored)
    assert.isTrue(await finished(writer, writer.seal()))
    close()
    remove()
  })
})

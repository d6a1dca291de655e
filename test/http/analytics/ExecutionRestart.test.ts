import { inlineThreads } from "../../../src/adapters/sqlite/events/threads/InlineThreads.ts"
import { assert, describe, it } from "@effect/vitest"
import { Layer } from "effect"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll } from "vitest"
import { EventStoreSqlite } from "../../../src/adapters/sqlite/analytics/EventStore.ts"
import { SqliteMetadata } from "../../../src/adapters/sqlite/Sqlite.ts"
import { concurrency } from "../../../src/services/analytics/ExecutionRuns.ts"
import { analystOf, savedInsight, until } from "../../support/analytics/Analyst.ts"
import { gated } from "../../support/game/Gate.ts"
import { openStudio } from "../../support/access/Studio.ts"
import { testApp } from "../../support/TestApp.ts"

const folder = mkdtempSync(join(tmpdir(), "executions-"))
afterAll(() => rmSync(folder, { recursive: true }))

const fileStores = () =>
  Layer.merge(
    SqliteMetadata(join(folder, "metadata.sqlite")),
    EventStoreSqlite({
      file: join(folder, "events.sqlite"),
      threads: inlineThreads,
      dedupeDays: 7,
      cacheBytes: 1_000_000,
      budget: 10_000
    })
  )

describe("executions over a restart", () => {
  it("one that was running is run again, one that waited has its turn, and one that ended stays as it was", async () => {
    const gate = gated(fileStores())
    const before = testApp(gate.stores)
    const studio = await openStudio(before.request, "ada")
    const analyst = analystOf(before.request, studio)
    const { id } = (await analyst.save(savedInsight)).body
    const done = (await analyst.ask(id, { idempotencyKey: "done" })).body.executionId
    const ended = (await analyst.reached(id, done, "succeeded")).body
    const another = (await analyst.save({ ...savedInsight, spec: { ...savedInsight.spec, breakdownLimit: 7 } })).body.id
    gate.shut()
    const running = []
    for (let n = 0; n < concurrency; n++) {
      running.push((await analyst.ask(another, { idempotencyKey: `r${n}` })).body.executionId)
    }
    await until(() => gate.waiting() === concurrency)
    const waiting = (await analyst.ask(another)).body.executionId
    const canceled = (await analyst.ask(another)).body.executionId
    await analyst.cancel(another, canceled)
    const started = (await analyst.state(another, running[0])).body.startedAt
    await before.close()

    const after = testApp(fileStores())
    const again = analystOf(after.request, studio)
    for (const each of [...running, waiting]) {
      const { body } = await again.reached(another, each, "succeeded", "failed")
      assert.strictEqual(body.state, "succeeded", JSON.stringify(body))
      assert.isTrue(body.requestedAt <= body.startedAt && body.startedAt > started)
    }
    assert.deepStrictEqual((await again.state(id, done)).body, ended)
    assert.strictEqual((await again.state(another, canceled)).body.state, "canceled")
    assert.strictEqual((await again.ask(another, { idempotencyKey: "r0" })).body.executionId, running[0])
    assert.strictEqual((await again.ask(id, { idempotencyKey: "done" })).body.executionId, done)
    await after.close()
  })
})

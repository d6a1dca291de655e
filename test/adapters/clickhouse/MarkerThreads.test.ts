import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { CohortPlan } from "../../../src/domain/cohorts/CohortPlan.ts"
import { everythingKept } from "../../../src/domain/analytics/markers/RetentionRule.ts"
import { makeMarkerThreads } from "../../../src/adapters/clickhouse/questions/MarkerThreads.ts"
import type { Scene } from "../../../src/adapters/clickhouse/questions/SceneMarkers.ts"

const scene: Scene = { environment: 1, highest: 0, limit: everythingKept, idsFrom: 0, generations: new Map() }
const plan: CohortPlan = { op: "and", negate: false, children: [] }
const clickHouse = { url: "http://127.0.0.1:1", database: "none", timeout: 1000 }

const folder = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "threads-"))),
  (path) => Effect.sync(() => rmSync(path, { recursive: true }))
)

/** What is said of members that a thread of this program computes; null: there is no such program. */
const said = (program: string | null) =>
  Effect.gen(function* () {
    const script = join(yield* folder, "Reader.mjs")
    const ready = 'import { parentPort } from "node:worker_threads"\nparentPort.postMessage({ type: "ready" })\n'
    if (program !== null) writeFileSync(script, `${ready}parentPort.on("message", () => ${program})\n`)
    const { units } = yield* makeMarkerThreads({ budget: 5000, rows: 1 }, { script, threads: 1, clickHouse })
    return yield* Effect.flip(units(scene, plan))
  }).pipe(Effect.scoped, Effect.runPromise)

describe("threads that compute of markers", () => {
  it.each([
    [
      "an answer of ClickHouse is handed on",
      `parentPort.postMessage({ type: "refused", code: 158, message: "too many rows" })`,
      "ClickHouseRefused"
    ],
    ["and so is that none came", `parentPort.postMessage({ type: "silent", message: "down" })`, "ClickHouseSilent"],
    ["who asks for more than a thread has memory for has asked too much", "process.exit(1)", "QueryTimedOut"],
    ["where no thread can start, nobody has", null, "StoreOverloaded"]
  ])("%s", async (_, program, tag) => {
    assert.strictEqual((await said(program))._tag, tag)
  })
})

import { assert, describe, it } from "@effect/vitest"
import {
  fileReplaced,
  lowDisk,
  readinessOf,
  silent,
  storageFull,
  type StoreProblem,
  unwritable
} from "../../../src/domain/operations/StoreProblem.ts"

const degraded: StoreProblem = { ...storageFull("events"), severity: "degraded" }
const usable = (metadata: boolean, events: boolean) => ({ metadata, events })

describe("problems of the stores", () => {
  it.each<[string, ReadonlyArray<StoreProblem>, string, object]>([
    ["none", [], "ready", usable(true, true)],
    ["something missing", [degraded], "degraded", usable(true, true)],
    ["markers refused", [storageFull("events")], "unavailable", usable(true, false)],
    ["metadata refused", [unwritable("metadata", "why"), degraded], "unavailable", usable(false, true)],
    ["both", [fileReplaced("metadata"), silent("events", 5)], "unavailable", usable(false, false)],
    ["little space", lowDisk(1, 2), "unavailable", usable(true, true)]
  ])("%s", (_case, problems, status, stores) => {
    assert.deepStrictEqual(readinessOf(problems), { status, stores, problems } as never)
  })

  it("markers are taken in while they cannot be asked about, where they have a log of their own", () => {
    const down = silent("events", 5)
    assert.deepStrictEqual(readinessOf([down], true), {
      status: "degraded",
      stores: { metadata: true, log: true, events: false },
      problems: [{ ...down, severity: "degraded" }]
    })
    const [refused, lost] = [unwritable("log", "why"), unwritable("metadata", "why")]
    assert.deepStrictEqual(readinessOf([refused], true), {
      status: "unavailable",
      stores: { metadata: true, log: false, events: true },
      problems: [refused]
    })
    assert.strictEqual(readinessOf([lost, down], true).status, "unavailable")
    assert.deepStrictEqual(readinessOf([], true).stores, { metadata: true, log: true, events: true })
  })

  it("space is low below the least, and unknown space is not", () => {
    assert.deepStrictEqual([lowDisk(null, 100), lowDisk(100, 100), lowDisk(5, 0)], [[], [], []])
    assert.deepStrictEqual(
      lowDisk(12_900_000, 100_000_000).map(({ message }) => message),
      ["Only 12 MB of disk are free, less than the 100 MB of --min-free-mb"]
    )
  })
})

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

  it("space is low below the least, and unknown space is not", () => {
    assert.deepStrictEqual([lowDisk(null, 100), lowDisk(100, 100), lowDisk(5, 0)], [[], [], []])
    assert.deepStrictEqual(
      lowDisk(12_900_000, 100_000_000).map(({ message }) => message),
      ["Only 12 MB of disk are free, less than the 100 MB of --min-free-mb"]
    )
  })
})

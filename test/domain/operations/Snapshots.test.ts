import { assert, describe, it } from "@effect/vitest"
import {
  isHalfUpgraded,
  needsSnapshot,
  snapshotName,
  superfluousSnapshots
} from "../../../src/domain/operations/Snapshots.ts"

describe("snapshots", () => {
  const newest = { schema: 23, format: 5 }

  it.each([
    [{ schema: 23, format: 5 }, false],
    [{ schema: 22, format: 5 }, true],
    [{ schema: 23, format: 4 }, true],
    [{ schema: 0, format: 0 }, false],
    [{ schema: 23, format: 0 }, false],
    [{ schema: 24, format: 5 }, false]
  ])("of a folder with %j: %s", (found, isNeeded) => {
    assert.strictEqual(needsSnapshot(found, newest), isNeeded)
  })

  it("keep the newest two and whatever is none", () => {
    const names = [1, 2, 3].map((day) => snapshotName({ schema: 20 + day, format: 5 }, Date.UTC(2026, 10, day)))
    assert.strictEqual(names[0], "2026-11-01T00-00-00-000Z-schema-21-format-5")
    assert.deepStrictEqual(superfluousSnapshots([...names.toReversed(), "mine", ".unfinished"]), names.slice(0, 1))
    assert.deepStrictEqual(superfluousSnapshots(names.slice(1)), [])
  })

  it.each([
    [{ schema: 23, format: 5 }, true],
    [{ schema: 22, format: 5 }, false],
    [{ schema: 22, format: 6 }, true],
    [{ schema: 23, format: 4 }, false]
  ])("of schema 22 and format 5 tell that %j is half upgraded: %s", (found, isHalf) => {
    const [earlier, own, later] = [1, 2, 3].map((day) =>
      snapshotName({ schema: 22, format: 5 }, Date.UTC(2026, 10, day))
    )
    assert.strictEqual(isHalfUpgraded(own!, [earlier!, own!, "mine", ".upgrading"], found), isHalf)
    assert.isFalse(isHalfUpgraded(own!, [earlier!, own!, later!], found))
    assert.isFalse(isHalfUpgraded(own!, [earlier!], found))
    assert.isFalse(isHalfUpgraded("mine", [own!], found))
  })
})

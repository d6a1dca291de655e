import { assert, describe, it } from "@effect/vitest"
import { FastCheck } from "effect"
import * as Changeset from "../../../src/domain/configuration/Changeset.ts"
import { equals } from "../../../src/domain/configuration/Document.ts"
import type { PathLock } from "../../../src/domain/experiments/PathLock.ts"
import { conflict, lockedPath, meet, touchedPaths } from "../../../src/domain/experiments/PathLock.ts"
import { ConfigurationId, ExperimentId } from "../../../src/domain/Ids.ts"
import { document, json, path } from "../../support/configuration/Documents.ts"
import { overlap, simpleLockedPath } from "../../support/configuration/SimpleChanges.ts"
import { runCount } from "../../support/Runs.ts"

const lock = (
  id: number,
  configuration: number,
  paths: PathLock["paths"],
  startsAt: number,
  endsAt: number | null
) => ({
  experimentId: ExperimentId.make(id),
  configurationId: ConfigurationId.make(configuration),
  paths,
  startsAt,
  endsAt
})

const changeset: FastCheck.Arbitrary<Changeset.Changeset> = FastCheck.record({
  operations: FastCheck.array(
    FastCheck.oneof(
      FastCheck.record({ op: FastCheck.constant("set" as const), path, value: json }),
      FastCheck.record({ op: FastCheck.constant("delete" as const), path })
    ),
    { maxLength: 3 }
  )
})

describe("path locks", () => {
  it("changesets whose paths do not overlap give the same document in either order", () => {
    let apart = 0
    FastCheck.assert(
      FastCheck.property(document, changeset, changeset, (document, first, second) => {
        const [mine, theirs] = [touchedPaths([first]), touchedPaths([second])]
        if (mine.some((path) => theirs.some((other) => overlap(path, other)))) return
        apart++
        const oneWay = Changeset.apply(Changeset.apply(document, first), second)
        const otherWay = Changeset.apply(Changeset.apply(document, second), first)
        assert.isTrue(equals(oneWay, otherWay))
      }),
      { numRuns: runCount(4_000) }
    )
    assert.isAbove(apart, runCount(1_000))
  })

  it("a path overlaps itself, what is inside it and what is around it", () => {
    assert.isTrue(overlap(["a", "b"], ["a", "b"]))
    assert.isTrue(overlap(["a"], ["a", "b"]))
    assert.isTrue(overlap(["a", "b"], ["a"]))
    assert.isFalse(overlap(["a", "b"], ["a", "c"]))
    assert.isFalse(overlap(["ab"], ["a", "b"]))
  })

  it("touched paths are those of all groups, once, without the empty one", () => {
    const set = (path: ReadonlyArray<string>) => ({ op: "set" as const, path, value: 1 })
    assert.deepStrictEqual(
      touchedPaths([
        { operations: [set(["a"]), set([])] },
        { operations: [set(["a"]), { op: "delete", path: ["b", "c"] }] }
      ]),
      [["a"], ["b", "c"]]
    )
  })

  const running = lock(1, 1, [["shop", "price"]], 100, 200)
  const wanted = lock(2, 1, [["title"], ["shop"]], 150, null)

  it("experiments meet when one starts before the other ends", () => {
    assert.isTrue(meet(running, wanted))
    assert.isFalse(meet(running, { startsAt: 200, endsAt: 300 }))
    assert.isFalse(meet({ startsAt: 0, endsAt: 100 }, running))
    assert.isTrue(meet({ startsAt: 0, endsAt: null }, running))
  })

  it("two experiments conflict over one path of one configuration at one time", () => {
    assert.deepStrictEqual(conflict([running], wanted), { experimentId: running.experimentId, path: ["shop"] })
    assert.isNull(conflict([running], { ...wanted, startsAt: 200 }))
    assert.isNull(conflict([running], lock(2, 2, wanted.paths, 150, null)))
    assert.isNull(conflict([running], lock(2, 1, [["shop", "title"]], 150, null)))
    assert.isNull(conflict([running], lock(1, 1, running.paths, 150, 900)))
  })

  it("E3: the first held path and its lock are found as by definition, and every lock is read once", () => {
    const paths = FastCheck.array(path, { maxLength: 6 })
    let found = 0
    FastCheck.assert(
      FastCheck.property(FastCheck.array(paths, { maxLength: 5 }), paths, (held, edited) => {
        let reads = 0
        const locks = held.map((paths, index) => ({
          ...lock(index + 1, 1, [], 0, null),
          get paths() {
            reads++
            return paths
          }
        }))
        const conflict = lockedPath(locks, ConfigurationId.make(1), edited)
        assert.isAtMost(reads, locks.length)
        if (conflict !== null) found++
        assert.deepStrictEqual(conflict, simpleLockedPath(locks, ConfigurationId.make(1), edited))
      }),
      { numRuns: runCount(2_000) }
    )
    assert.isAbove(found, runCount(500))
  })

  it("an editor may not change a held path, what is inside or around it", () => {
    const edit = (path: ReadonlyArray<string>) => lockedPath([running], running.configurationId, [["free"], path])
    for (const path of [["shop"], ["shop", "price"], ["shop", "price", "gold"]]) {
      assert.deepStrictEqual(edit(path), { experimentId: running.experimentId, path })
    }
    assert.isNull(edit(["shop", "name"]))
    assert.isNull(lockedPath([running], ConfigurationId.make(2), [["shop"]]))
  })
})

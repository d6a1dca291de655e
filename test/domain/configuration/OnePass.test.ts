import { assert, describe, it } from "@effect/vitest"
import { Array as Arrays, Either, FastCheck } from "effect"
import * as Changeset from "../../../src/domain/configuration/Changeset.ts"
import type { Document, Path } from "../../../src/domain/configuration/Document.ts"
import { pathTree } from "../../../src/domain/configuration/PathTree.ts"
import { leadsTo, pathsIn, subtree } from "../../../src/domain/configuration/PathTree.ts"
import * as Patch from "../../../src/domain/configuration/Patch.ts"
import { cut, cutValue, privacyTree, sameSet, without } from "../../../src/domain/configuration/Privacy.ts"
import { countedDocument } from "../../support/configuration/CountedDocument.ts"
import { document, json, key, path } from "../../support/configuration/Documents.ts"
import { simpleApply, simpleLostPaths, simplePatch } from "../../support/configuration/SimpleChanges.ts"
import { simpleCovers, simpleCut, simpleCutValue, simpleInside } from "../../support/configuration/SimpleLinks.ts"
import { runCount } from "../../support/Runs.ts"

const runs = { numRuns: runCount(2_000) }

const paths = FastCheck.array(path, { maxLength: 8 })

/** Paths that may also name items of arrays. */
const intoArrays = FastCheck.array(
  FastCheck.array(FastCheck.oneof({ weight: 2, arbitrary: key }, FastCheck.constantFrom("0", "1")), { maxLength: 4 }),
  { maxLength: 8 }
)

const operations = FastCheck.array(
  FastCheck.oneof(
    FastCheck.record({ op: FastCheck.constantFrom("set" as const, "add" as const), path, value: json }),
    FastCheck.record({ op: FastCheck.constant("delete" as const), path })
  ),
  { maxLength: 12 }
)

const changes = FastCheck.array(
  FastCheck.oneof(
    FastCheck.record({ op: FastCheck.constant("set" as const), path, value: json }),
    FastCheck.record({ op: FastCheck.constant("remove" as const), path })
  ),
  { maxLength: 12 }
)

const thousand = Arrays.range(0, 999)

describe("E3: many changes of a document in one pass", () => {
  it("give what they give one after the other, in the same order of keys", () => {
    FastCheck.assert(
      FastCheck.property(document, operations, (document, operations) => {
        const before = JSON.stringify([document, operations])
        const changed = Changeset.apply(document, { operations })
        const expected = simpleApply(document, operations)
        assert.strictEqual(JSON.stringify(changed), JSON.stringify(expected))
        assert.strictEqual(changed === document, expected === document)
        assert.deepStrictEqual(Changeset.lostPaths(document, { operations }), simpleLostPaths(document, operations))
        assert.strictEqual(JSON.stringify([document, operations]), before)
      }),
      runs
    )
  })

  it("give what an editor's changes give one after the other, or the same refusal", () => {
    FastCheck.assert(
      FastCheck.property(document, changes, (document, changes) => {
        const [changed, expected] = [Patch.apply(document, changes), simplePatch(document, changes)]
        assert.strictEqual(JSON.stringify(changed), JSON.stringify(expected))
      }),
      runs
    )
  })

  it("list the keys of a large object once, not once for each change", () => {
    const { document, seen } = countedDocument(5_000)
    const operations = thousand.map((index) => ({ op: "set" as const, path: [`k${index}`], value: "new" }))
    assert.strictEqual(Changeset.apply(document, { operations })["k999"], "new")
    assert.deepStrictEqual(Changeset.lostPaths(document, { operations }), [])
    assert.strictEqual(Either.getOrThrow(Patch.apply(document, operations))["k999"], "new")
    assert.isAtMost(seen.passes, 6)
  })
})

describe("E3: many private paths in one pass", () => {
  it("cut what they cut one after the other", () => {
    FastCheck.assert(
      FastCheck.property(document, json, intoArrays, (document, value, paths) => {
        const tree = privacyTree(paths)
        const same = (a: unknown, b: unknown) => assert.strictEqual(JSON.stringify(a), JSON.stringify(b))
        same(cut(document, tree), simpleCut(document, paths))
        same(cutValue(value, tree), simpleCutValue(value, paths))
      }),
      runs
    )
  })

  it("lead to and continue a path exactly if one of them does", () => {
    const texts = (paths: Iterable<Path>) => [...new Set([...paths].map((path) => JSON.stringify(path)))].sort()
    FastCheck.assert(
      FastCheck.property(paths, path, paths, (paths, path, others) => {
        const privacy = privacyTree(paths)
        assert.strictEqual(leadsTo(privacy, path), simpleCovers(paths, path))
        const below = subtree(privacy, path)
        const inside = below === undefined ? [] : [...pathsIn(below, [])].filter(({ length }) => length > 0)
        assert.deepStrictEqual(texts(inside), texts(simpleInside(paths, path)))
        assert.deepStrictEqual(texts(pathsIn(pathTree(paths), [])), texts(paths))
        assert.deepStrictEqual(
          texts(without(paths, others)),
          texts(paths).filter((each) => !texts(others).includes(each))
        )
        assert.strictEqual(sameSet(paths, others), texts(paths).join() === texts(others).join())
      }),
      runs
    )
  })

  it("list the keys of a large object a few times, not once for each path", () => {
    const { document, seen } = countedDocument(5_000)
    const left: Document = cut(document, privacyTree(thousand.map((index) => [`k${index}`])))
    assert.strictEqual(Object.keys(left).length, 4_000)
    assert.isAtMost(seen.passes, 2)
  })
})

import { assert, describe, it } from "@effect/vitest"
import { Either, FastCheck } from "effect"
import * as Changeset from "../../../src/domain/configuration/Changeset.ts"
import { diff } from "../../../src/domain/configuration/Diff.ts"
import type { Document, Path } from "../../../src/domain/configuration/Document.ts"
import { equals, get } from "../../../src/domain/configuration/Document.ts"
import { placesOf } from "../../../src/domain/configuration/LinkedChanges.ts"
import * as Patch from "../../../src/domain/configuration/Patch.ts"
import { ExperimentId } from "../../../src/domain/Ids.ts"
import { document, json, path } from "../../support/configuration/Documents.ts"
import { runCount } from "../../support/Runs.ts"

const runs = { numRuns: runCount(2_000) }

const operation: FastCheck.Arbitrary<Changeset.Operation> = FastCheck.oneof(
  FastCheck.record({ op: FastCheck.constantFrom("set" as const, "add" as const), path, value: json }),
  FastCheck.record({ op: FastCheck.constant("delete" as const), path })
)

const operations = FastCheck.array(operation, { maxLength: 5 })

const applied = FastCheck.record({
  experimentId: FastCheck.integer({ min: 1, max: 3 }).map((id) => ExperimentId.make(id)),
  unitType: FastCheck.constantFrom("user" as const, "server" as const),
  changeset: FastCheck.record({ operations })
})

describe("diff", () => {
  it("as a patch and as a changeset makes the one document out of the other, and back", () => {
    FastCheck.assert(
      FastCheck.property(document, document, (from, to) => {
        const changes = diff(from, to)
        assert.isTrue(equals(Either.getOrThrow(Patch.apply(from, changes)), to))
        assert.isTrue(equals(Either.getOrThrow(Patch.apply(to, diff(to, from))), from))
        const operations = changes.map((change) =>
          change.op === "set" ? change : { op: "delete" as const, path: change.path }
        )
        assert.isTrue(equals(Changeset.apply(from, { operations }), to))
        for (const { path, previous } of changes) assert.isTrue(equals(get(from, path), previous))
      }),
      runs
    )
  })

  it("is empty exactly between equal documents", () => {
    FastCheck.assert(
      FastCheck.property(document, document, (from, to) => {
        assert.strictEqual(diff(from, to).length === 0, equals(from, to))
        assert.deepStrictEqual(diff(from, from), [])
      }),
      runs
    )
  })

  it("names the smallest changed values and replaces arrays whole", () => {
    assert.deepStrictEqual(
      diff({ a: { x: 1, y: 2 }, l: [1], gone: 0 }, { a: { x: 1, y: 3 }, l: [1, 2], fresh: null }),
      [
        { op: "set", path: ["a", "y"], value: 3, previous: 2 },
        { op: "set", path: ["l"], value: [1, 2], previous: [1] },
        { op: "remove", path: ["gone"], previous: 0 },
        { op: "set", path: ["fresh"], value: null }
      ]
    )
  })
})

describe("places of changes", () => {
  const link = (configurationId: number, path?: ReadonlyArray<string>) => ({
    $link: { configurationId, ...(path === undefined ? {} : { path }) }
  })
  const rows: ReadonlyArray<readonly [what: string, from: Document, to: Document, ReadonlyArray<Path>]> = [
    ["a value", { a: { b: 1 } }, { a: { b: 2 } }, [["a", "b"]]],
    ["a link that leads elsewhere", { a: link(1) }, { a: link(2, ["x"]) }, [["a"]]],
    ["links side by side", { a: link(1), b: link(1) }, { a: link(2), b: link(2) }, [["a"], ["b"]]],
    ["a link that becomes an object", { a: link(1) }, { a: { b: 1 } }, [["a"], ["a", "b"]]],
    ["an object that becomes a link", { a: { b: 1 } }, { a: link(1) }, [["a", "b"], ["a"]]],
    ["a link that becomes a number", { a: link(1) }, { a: 1 }, [["a"]]],
    ["the whole document", link(1), link(2), [[]]],
    ["nothing", { a: link(1) }, { a: link(1) }, []]
  ]
  for (const [what, from, to, places] of rows)
    it(`are the link's own for ${what}`, () => assert.deepStrictEqual(placesOf(diff(from, to)), places))
})

describe("patch", () => {
  it("sets what it says last for a path, and never changes the given document", () => {
    FastCheck.assert(
      FastCheck.property(document, path, json, (document, path, value) => {
        const before = JSON.stringify(document)
        const result = Patch.apply(document, [{ op: "set", path, value }])
        assert.strictEqual(JSON.stringify(document), before)
        if (Either.isRight(result)) assert.isTrue(equals(get(result.right, path), value))
        else assert.strictEqual(result.left.reason === "EmptyPath", path.length === 0)
      }),
      runs
    )
  })

  it("makes missing parents, refuses to walk through a value, and does all or nothing", () => {
    assert.deepStrictEqual(
      Patch.apply({}, [{ op: "set", path: ["a", "b", "c"], value: 1 }]),
      Either.right({ a: { b: { c: 1 } } })
    )
    const blocked = [
      { op: "set", path: ["x"], value: 1 },
      { op: "set", path: ["a", "b", "c"], value: 1 }
    ] as const
    assert.deepStrictEqual(
      Patch.apply({ a: { b: [1] } }, blocked),
      Either.left({ reason: "NotAnObject", path: ["a", "b"] })
    )
    assert.deepStrictEqual(Patch.apply({ a: 1 }, [{ op: "remove", path: ["b", "c"] }]), Either.right({ a: 1 }))
    assert.deepStrictEqual(
      Patch.apply({ a: 1 }, [{ op: "remove", path: [] }]),
      Either.left({ reason: "EmptyPath", path: [] })
    )
  })
})

describe("changeset", () => {
  const base: Document = { shop: { price: 10, items: [{ id: 1 }] }, title: "hello" }
  const cases: ReadonlyArray<readonly [string, Changeset.Operation, Document]> = [
    ["set", { op: "set", path: ["shop", "price"], value: 5 }, { ...base, shop: { price: 5, items: [{ id: 1 }] } }],
    ["add as set", { op: "add", path: ["title"], value: "hi" }, { ...base, title: "hi" }],
    ["a new key beside others", { op: "add", path: ["extra"], value: null }, { ...base, extra: null }],
    ["delete", { op: "delete", path: ["shop", "items"] }, { ...base, shop: { price: 10 } }],
    ["nothing without a parent", { op: "set", path: ["event", "price"], value: 5 }, base],
    ["nothing through an array", { op: "set", path: ["shop", "items", "0"], value: 5 }, base],
    ["nothing through a value", { op: "set", path: ["title", "x"], value: 5 }, base],
    ["nothing deleting what is missing", { op: "delete", path: ["shop", "discount"] }, base],
    ["nothing at the empty path", { op: "set", path: [], value: {} }, base],
    ["nothing deleting the root", { op: "delete", path: [] }, base]
  ]
  for (const [name, operation, expected] of cases) {
    it(`does ${name}`, () => assert.deepStrictEqual(Changeset.apply(base, { operations: [operation] }), expected))
  }

  it("loses exactly the operations that do nothing for want of a path", () => {
    const document: Document = { a: { x: 1 } }
    const operations: ReadonlyArray<Changeset.Operation> = [
      { op: "set", path: ["a", "x"], value: 2 },
      { op: "set", path: ["b"], value: {} },
      { op: "set", path: ["b", "y"], value: 2 },
      { op: "set", path: ["c", "y"], value: 2 },
      { op: "delete", path: ["a", "z"] },
      { op: "delete", path: [] }
    ]
    assert.deepStrictEqual(Changeset.lostPaths(document, { operations }), [
      ["c", "y"],
      ["a", "z"]
    ])
  })

  it("merges server experiments before user experiments, by ascending id, in whatever order they are given", () => {
    FastCheck.assert(
      FastCheck.property(document, FastCheck.array(applied, { maxLength: 5 }), (document, changesets) => {
        const unique = changesets.filter(
          ({ experimentId, unitType }, index) =>
            index ===
            changesets.findIndex((other) => other.experimentId === experimentId && other.unitType === unitType)
        )
        const merged = Changeset.applyAll(document, unique)
        assert.deepStrictEqual(Changeset.applyAll(document, unique.toReversed()), merged)
        const flat = (["server", "user"] as const).flatMap((unitType) =>
          [1, 2, 3].flatMap((id) =>
            unique
              .filter((one) => one.unitType === unitType && one.experimentId === id)
              .flatMap((one) => one.changeset.operations)
          )
        )
        assert.deepStrictEqual(merged, Changeset.apply(document, { operations: flat }))
      }),
      runs
    )
  })

  it("of one operation applied twice is applied once", () => {
    FastCheck.assert(
      FastCheck.property(document, operation, (document, operation) => {
        const once = Changeset.apply(document, { operations: [operation] })
        assert.isTrue(equals(Changeset.apply(once, { operations: [operation] }), once))
      }),
      runs
    )
  })
})

import { assert, describe, it } from "@effect/vitest"
import { jsonLanguage } from "@codemirror/lang-json"
import { FastCheck as fc } from "effect"
import { diff } from "../../src/domain/configuration/Diff.ts"
import type { Document, Json } from "../../src/domain/configuration/Document.ts"
import { equals, get } from "../../src/domain/configuration/Document.ts"
import {
  applied,
  linkIn,
  meets,
  merged,
  privacyOf,
  readDocument,
  resolved,
  withValue
} from "../../src/web/configurations/Draft.ts"
import { begin, beside, conflictsIn, withTheirs } from "../../src/web/configurations/Meanwhile.ts"
import { shownCodec } from "../../src/web/configurations/ShownState.ts"
import { readable } from "../../src/web/url/Codec.ts"
import { placesOn } from "../../src/web/configurations/json/Places.ts"
import { runCount } from "../support/Runs.ts"

const key = fc.constantFrom("a", "b", "c", "__proto__", "0")
const leaf = fc.oneof(fc.integer({ min: 0, max: 2 }), fc.constant(null), fc.constant([1]), fc.constant("x"))
const documents: fc.Arbitrary<Document> = fc.letrec<{ node: Document; value: Json }>((tie) => ({
  value: fc.oneof({ maxDepth: 3 }, leaf, tie("node")),
  node: fc.array(fc.tuple(key, tie("value")), { maxLength: 3 }).map((entries) => Object.fromEntries(entries))
})).node

const all = (count: number) => new Set(Array.from({ length: count }, (_, index) => index))

describe("a draft beside what others publish", () => {
  it("is proposed by an address, which says the same changes when it is read again", () =>
    fc.assert(
      fc.property(documents, documents, (base, mine) => {
        const proposed = diff(base, mine).map(({ op, path, ...change }) =>
          "value" in change ? { op, path, value: change.value } : { op, path }
        )
        const written = shownCodec.write({ view: "form", player: "", proposed })
        const read = shownCodec.read(new URLSearchParams(readable(written)))
        assert.deepStrictEqual(applied(base, read.proposed), applied(base, proposed))
      })
    ))

  it("takes nothing from an address that proposes no changes", () => {
    const texts = [
      "",
      "{",
      "7",
      "[7]",
      '[{"op":"set","path":[]}]',
      '[{"op":"set","path":["a"]}]',
      '[{"op":"add","path":["a"],"value":1}]'
    ]
    for (const changes of texts)
      assert.deepStrictEqual(shownCodec.read(new URLSearchParams({ changes })).proposed, [], changes)
  })

  it("is applied by its difference", () =>
    fc.assert(
      fc.property(documents, documents, (base, mine) => {
        assert.isTrue(equals(applied(base, diff(base, mine)), mine))
      }),
      { numRuns: runCount(300) }
    ))

  it("stays as it is where nobody else changed anything, and gives way where I changed nothing", () =>
    fc.assert(
      fc.property(documents, documents, (base, other) => {
        const own = merged(base, other, base)
        assert.deepStrictEqual([own.conflicts.length, equals(resolved(base, own, new Set()), other)], [0, true])
        const given = merged(base, base, other)
        assert.deepStrictEqual([given.conflicts.length, equals(resolved(other, given, new Set()), other)], [0, true])
      }),
      { numRuns: runCount(300) }
    ))

  it("loses nobody's change: mine stand where only I changed, theirs where only they did, and both are asked for otherwise", () =>
    fc.assert(
      fc.property(documents, documents, documents, (base, mine, theirs) => {
        const merge = merged(base, mine, theirs)
        const kept = resolved(theirs, merge, new Set())
        const taken = resolved(theirs, merge, all(merge.conflicts.length))
        const isDisputed = (path: ReadonlyArray<string>) =>
          merge.conflicts.some(({ path: other }) =>
            other.every((each, index) => index >= path.length || each === path[index])
          )
        for (const { path } of diff(base, mine)) {
          if (!isDisputed(path)) assert.isTrue(equals(get(kept, path), get(mine, path)), JSON.stringify(path))
        }
        for (const { path } of diff(base, theirs)) {
          if (!isDisputed(path)) assert.isTrue(equals(get(taken, path), get(theirs, path)), JSON.stringify(path))
        }
        for (const { path, mine: own, theirs: foreign } of merge.conflicts) {
          assert.isTrue(equals(get(kept, path), foreign), JSON.stringify(path))
          assert.isTrue(equals(get(taken, path), own), JSON.stringify(path))
        }
      }),
      { numRuns: runCount(500) }
    ))

  it("goes on from each version that others publish, and asks about the values that both changed until they are the same", () =>
    fc.assert(
      fc.property(documents, documents, documents, documents, (base, mine, theirs, later) => {
        const version = (number: number, configuration: Document) => ({ version: number, configuration, privacy: [] })
        const begun = { ...begin(version(1, base)), draft: { document: mine, privacy: [] } }
        const merge = merged(base, mine, theirs)
        const once = beside(begun, version(2, theirs))
        assert.isTrue(equals(once.draft.document, resolved(theirs, merge, all(merge.conflicts.length))))
        assert.strictEqual(conflictsIn(once).length, merge.conflicts.length)
        const taken = withTheirs(once.draft.document, conflictsIn(once), all(merge.conflicts.length))
        assert.isTrue(equals(taken, resolved(theirs, merge, new Set())))

        // What is typed from then on changes what is live, whatever it was when the draft was begun.
        const typed = beside({ ...once, draft: { document: base, privacy: [] } }, version(2, theirs))
        assert.isTrue(equals(typed.draft.document, base))
        const twice = beside(once, version(3, later))
        assert.strictEqual(twice.begunOn, 1)
        for (const { path } of diff(once.base.configuration, later)) {
          const isAsked = conflictsIn(twice).some(({ path: other }) => meets(other, path))
          assert.isTrue(isAsked || equals(get(twice.draft.document, path), get(later, path)), JSON.stringify(path))
        }
      }),
      { numRuns: runCount(300) }
    ))

  it("keeps what is private by the draft, and otherwise what they made private or public", () => {
    const begun = {
      ...begin({ version: 1, configuration: {}, privacy: [["a"], ["b"]] }),
      draft: { document: {}, privacy: [["b"], ["c"]] }
    }
    const live = { version: 2, configuration: {}, privacy: [["a"], ["d"]] }
    assert.deepStrictEqual(beside(begun, live).draft.privacy, [["d"], ["c"]])
  })

  it("stays as it is while its text is no JSON", () => {
    const begun = { ...begin({ version: 1, configuration: { a: 1 }, privacy: [] }), unread: "{" }
    assert.deepStrictEqual(beside(begun, { version: 2, configuration: {}, privacy: [] }), begun)
  })

  it("takes values out, and makes the objects that lead to a new one", () => {
    assert.deepStrictEqual(withValue({ a: { b: 1, c: 2 } }, ["a", "b"], undefined), { a: { c: 2 } })
    assert.deepStrictEqual(withValue({ a: 1 }, ["x", "y"], [true]), { a: 1, x: { y: [true] } })
    assert.deepStrictEqual(withValue({ a: 1 }, ["a", "y"], undefined), { a: 1 })
    assert.deepStrictEqual(Object.entries(withValue({}, ["__proto__"], 1)), [["__proto__", 1]])
  })

  it("knows links, and what is private by itself or with the object that it stands in", () => {
    assert.deepStrictEqual(linkIn({ $link: { configurationId: 3, path: ["shop"] } }), {
      configurationId: 3,
      path: ["shop"]
    })
    assert.deepStrictEqual(linkIn({ $link: { configurationId: 3 } }), { configurationId: 3, path: [] })
    for (const other of [1, {}, { $link: 3 }, { $link: { configurationId: 3 }, more: 1 }]) assert.isNull(linkIn(other))
    const privacy = [["server"], ["shop", "odds"]]
    assert.deepStrictEqual(
      [["server"], ["server", "url"], ["shop"], ["shop", "odds"], ["shop", "price"]].map((path) =>
        privacyOf(privacy, path)
      ),
      ["own", "inherited", null, "own", null]
    )
  })

  it("stands in its text at places that keys and indexes lead to", () => {
    const text = '{"a": {"b\\n": [1, {"c": null}]}, "d": 1, "d": 22}'
    const tree = jsonLanguage.parser.parse(text)
    const found = (path: ReadonlyArray<string>) =>
      placesOn(tree, text, path).map(({ from, to }) => text.slice(from, to))
    assert.deepStrictEqual(found(["a", "b\n", "1", "c"]), [
      '{"b\\n": [1, {"c": null}]}',
      '[1, {"c": null}]',
      '{"c": null}',
      "null"
    ])
    assert.deepStrictEqual([found(["d"]), found(["a", "x"]).length, found([]).length], [["22"], 1, 0])
  })

  it("says where text is no document", () => {
    assert.deepStrictEqual(readDocument('{"a": 1}'), { ok: true, value: { a: 1 } })
    const broken: ReadonlyArray<readonly [text: string, line: number]> = [
      ['{\n  "a": 1,\n  "b": }\n}', 3],
      ['{\n  "a": 1\n  "b": 2\n}', 3],
      ['{\n  "a": "x\n}', 2],
      ['{\n  "a": 1', 2],
      ["{\n  a: 1\n}", 2],
      ['{"a": 1}\n}', 2]
    ]
    for (const [text, line] of broken) {
      const read = readDocument(text)
      assert.strictEqual(read.ok ? null : read.misread.line, line, text)
    }
    const list = readDocument("[1]")
    assert.match(list.ok ? "" : list.misread.message, /object/)
  })
})

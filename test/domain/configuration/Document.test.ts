import { assert, describe, it } from "@effect/vitest"
import { FastCheck } from "effect"
import { canonical, content, contentSteps } from "../../../src/domain/configuration/Canonical.ts"
import { apply } from "../../../src/domain/configuration/Changeset.ts"
import type { Document, Json, Path } from "../../../src/domain/configuration/Document.ts"
import { equals, get, isObject, isSameText } from "../../../src/domain/configuration/Document.ts"
import { document, json, path } from "../../support/configuration/Documents.ts"
import { hasParent } from "../../support/configuration/SimpleChanges.ts"
import { runCount } from "../../support/Runs.ts"

const runs = { numRuns: runCount(2_000) }

const set = (document: Document, path: Path, value: Json): Document =>
  apply(document, { operations: [{ op: "set", path, value }] })

const remove = (document: Document, path: Path): Document => apply(document, { operations: [{ op: "delete", path }] })

const reversed = (value: Json): Json => {
  if (Array.isArray(value)) return value.map(reversed)
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value)
      .map(([key, item]) => [key, reversed(item)] as const)
      .reverse()
  )
}

describe("document", () => {
  it("set is seen by get, touches nothing beside, and needs a parent object", () => {
    FastCheck.assert(
      FastCheck.property(document, path, json, path, (document, path, value, other) => {
        const changed = set(document, path, value)
        if (hasParent(document, path)) assert.isTrue(equals(get(changed, path), value))
        else assert.strictEqual(changed, document)
        const isApart = path.some((key, index) => index < other.length && other[index] !== key)
        if (isApart) assert.isTrue(equals(get(changed, other), get(document, other)))
      }),
      runs
    )
  })

  it("remove takes a path away, twice is once, and what is missing changes nothing", () => {
    FastCheck.assert(
      FastCheck.property(document, path, (document, path) => {
        const less = remove(document, path)
        if (path.length > 0) assert.isUndefined(get(less, path))
        if (path.length === 0 || get(document, path) === undefined) assert.strictEqual(less, document)
        assert.isTrue(equals(remove(less, path), less))
      }),
      runs
    )
  })

  it("never walks arrays nor what an object inherits", () => {
    const list: Document = { a: [{ b: 1 }] }
    assert.isUndefined(get(list, ["a", "0"]))
    assert.isUndefined(get(list, ["a", "length"]))
    assert.strictEqual(set(list, ["a", "0", "b"], 2), list)
    assert.isUndefined(get({}, ["__proto__"]))
    assert.isUndefined(get({}, ["constructor", "name"]))
    const strange = set({}, ["__proto__"], { polluted: true })
    assert.strictEqual(JSON.stringify(strange), '{"__proto__":{"polluted":true}}')
    assert.isUndefined(get({}, ["polluted"]))
  })

  it("keeps the order of keys when a value is replaced", () => {
    assert.strictEqual(JSON.stringify(set({ b: 1, a: 2 }, ["b"], 3)), '{"b":3,"a":2}')
  })
})

describe("the same text", () => {
  it("is what both have when they are written, keys in their order", () => {
    FastCheck.assert(
      FastCheck.property(json, json, (a, b) => {
        for (const [one, other] of [
          [a, b],
          [a, reversed(a)],
          [a, JSON.parse(JSON.stringify(a))]
        ]) {
          assert.strictEqual(isSameText(one, other), JSON.stringify(one) === JSON.stringify(other))
        }
      }),
      runs
    )
  })
})

describe("canonical form", () => {
  it("is the same exactly for equal values, whatever the order of keys, and reads back", () => {
    FastCheck.assert(
      FastCheck.property(json, json, (a, b) => {
        assert.strictEqual(canonical(a) === canonical(b), equals(a, b))
        assert.strictEqual(canonical(reversed(a)), canonical(a))
        assert.isTrue(equals(JSON.parse(canonical(a)) as Json, a))
      }),
      runs
    )
  })

  it("E8: is the same text in steps, of which a large document takes many", () => {
    const inSteps = (value: Document, privacy: ReadonlyArray<Path>) => {
      const steps = contentSteps(value, privacy)
      for (let count = 1; ; count++) {
        const { done, value: text } = steps.next()
        if (done === true) return { count, text }
      }
    }
    FastCheck.assert(
      FastCheck.property(document, FastCheck.array(path), (value, privacy) => {
        assert.strictEqual(inSteps(value, privacy).text, content(value, privacy))
      }),
      runs
    )
    const wide = Object.fromEntries(Array.from({ length: 60_000 }, (_, index) => [`k${index}`, index]))
    for (const large of [wide, { a: wide }, { a: [Object.values(wide)] }]) {
      const { count, text } = inSteps(large, [])
      assert.strictEqual(text, content(large, []))
      assert.isAtLeast(count, 14)
    }
  })

  it("sorts keys by UTF-16 code units (RFC 8785, 3.2.3)", () => {
    const entries = [
      ["€", "Euro"],
      ["\r", "CR"],
      ["\ufb33", "Hebrew"],
      ["1", "One"],
      ["\u{1f600}", "Smile"],
      ["\u0080", "Control"],
      ["ö", "Latin"]
    ]
    const order = ["CR", "One", "Control", "Latin", "Euro", "Smile", "Hebrew"]
    const text = canonical(Object.fromEntries(entries) as Document)
    assert.deepStrictEqual(
      [...text.matchAll(/:"(\w+)"/g)].map(([, name]) => name),
      order
    )
  })

  it("content changes if and only if the document or the set of private paths does", () => {
    const privacy = FastCheck.array(path, { maxLength: 3 })
    const asSet = (paths: ReadonlyArray<ReadonlyArray<string>>) =>
      [...new Set(paths.map((path) => JSON.stringify(path)))].sort().join()
    FastCheck.assert(
      FastCheck.property(document, privacy, document, privacy, (a, hiddenA, b, hiddenB) => {
        const isSame = equals(a, b) && asSet(hiddenA) === asSet(hiddenB)
        assert.strictEqual(content(a, hiddenA) === content(b, hiddenB), isSame)
        assert.strictEqual(content(a, hiddenA), content(a, [...hiddenA, ...hiddenA].reverse()))
      }),
      runs
    )
  })
})

import { assert, describe, it } from "@effect/vitest"
import { Either, FastCheck } from "effect"
import type { Document, Json, Path } from "../../../src/domain/configuration/Document.ts"
import { get } from "../../../src/domain/configuration/Document.ts"
import { parse, targets } from "../../../src/domain/configuration/Link.ts"
import type { LinkFailure, LinkSource } from "../../../src/domain/configuration/Links.ts"
import { resolve } from "../../../src/domain/configuration/Links.ts"
import { leadsTo, subtree } from "../../../src/domain/configuration/PathTree.ts"
import { cut, privacyTree } from "../../../src/domain/configuration/Privacy.ts"
import { document, path } from "../../support/configuration/Documents.ts"
import { simpleSet } from "../../support/configuration/SimpleChanges.ts"
import { runCount } from "../../support/Runs.ts"

const link = (configurationId: number, path?: Path): Document => ({
  $link: { configurationId, ...(path === undefined ? {} : { path }) }
})

const lookup = (sources: ReadonlyArray<Document | LinkSource>) => (id: number) => {
  const source = sources[id - 1]
  if (source === undefined) return undefined
  return "privacy" in source ? (source as LinkSource) : { document: source as Document, privacy: [] }
}

const resolved = (
  document: Document,
  sources: ReadonlyArray<Document | LinkSource>,
  audience: "server" | "client" = "server"
) => resolve(document, lookup(sources), audience)

const failure = (reason: LinkFailure["reason"], at: Path) => Either.left({ reason, at })

describe("links", () => {
  it("are replaced by what they point to, through other links", () => {
    const sources = [{ prices: { gold: 5 }, all: link(2) }, { deep: { list: [link(1, ["prices", "gold"])] } }]
    assert.deepStrictEqual(
      resolved(
        { own: 1, whole: link(2), part: link(1, ["prices"]), through: link(1, ["all", "deep", "list"]) },
        sources
      ),
      Either.right({ own: 1, whole: { deep: { list: [5] } }, part: { gold: 5 }, through: [5] })
    )
  })

  it("that point nowhere, are malformed, or go round are refused with their place", () => {
    assert.deepStrictEqual(resolved({ a: { b: link(9) } }, [{}]), failure("Dangling", ["a", "b"]))
    assert.deepStrictEqual(resolved({ a: [1, link(1, ["x"])] }, [{ y: 1 }]), failure("Dangling", ["a", "1"]))
    assert.deepStrictEqual(resolved({ a: link(1, ["l", "0"]) }, [{ l: [1] }]), failure("Dangling", ["a"]))
    for (const malformed of [
      1,
      {},
      { configurationId: 0 },
      { configurationId: 1, path: "x" },
      { configurationId: 1, more: 1 }
    ]) {
      assert.deepStrictEqual(resolved({ a: { $link: malformed as Json } }, [{}]), failure("Malformed", ["a"]))
    }
    assert.deepStrictEqual(resolved({ a: { $link: { configurationId: 1 }, b: 1 } }, [{}]), failure("Malformed", ["a"]))
    assert.deepStrictEqual(
      resolved({ a: link(1) }, [{ b: link(2) }, { c: link(1) }]),
      failure("Cycle", ["a", "b", "c"])
    )
    assert.deepStrictEqual(resolved({ a: link(1) }, [{ a: link(1) }]), failure("Cycle", ["a", "a"]))
    assert.deepStrictEqual(resolved({ a: link(1, ["x", "y"]) }, [{ x: link(1, ["x"]) }]), failure("Cycle", ["a"]))
  })

  it("between parts of two configurations that do not meet are no cycle", () => {
    const sources = [
      { x: link(2, ["y"]), z: 1 },
      { y: 2, w: link(1, ["z"]) }
    ]
    assert.deepStrictEqual(
      resolved({ a: link(1), b: link(2) }, sources),
      Either.right({ a: { x: 2, z: 1 }, b: { y: 2, w: 1 } })
    )
  })

  it("that multiply without end are refused", () => {
    const twice = (id: number) => ({ l: link(id), r: link(id) })
    const sources = Array.from({ length: 30 }, (_, index) => (index === 29 ? { end: 1 } : twice(index + 2)))
    assert.strictEqual(Either.getOrThrow(Either.flip(resolved({ a: link(1) }, sources))).reason, "TooLarge")
  })

  it("name their targets, and a root that links to no object is refused", () => {
    assert.deepStrictEqual(targets({ a: link(3), b: [link(1), { c: link(3, ["x"]) }], d: { $link: 7 } }), [
      3, 1
    ] as never)
    assert.deepStrictEqual(resolved(link(1, ["x"]), [{ x: 1 }]), failure("NotAnObject", []))
    assert.deepStrictEqual(resolved(link(1), [{ x: 1 }]), Either.right({ x: 1 }))
    assert.deepStrictEqual(parse(link(4, ["a"])), Either.right({ configurationId: 4, path: ["a"] }) as never)
  })
})

describe("privacy", () => {
  it("cuts paths, in every item of an array, and leaves the rest", () => {
    const document = { shop: { cost: 1, price: 2 }, items: [{ id: 1, cost: 3 }, { id: 2 }, 5], cost: 4 }
    assert.deepStrictEqual(cut(document, privacyTree([["shop", "cost"], ["items", "cost"], ["nowhere", "cost"], []])), {
      shop: { price: 2 },
      items: [{ id: 1 }, { id: 2 }, 5],
      cost: 4
    })
  })

  it("hides the item of an array that a path names, and what a path continues to in it", () => {
    const document = { items: [{ id: 1, cost: 3 }, { id: 2, cost: 4 }, 5], drops: [[1, 2], [3]] }
    const hidden = privacyTree([
      ["items", "0", "cost"],
      ["items", "2"],
      ["drops", "0", "1"],
      ["drops", "7"]
    ])
    assert.deepStrictEqual(cut(document, hidden), {
      items: [{ id: 1 }, { id: 2, cost: 4 }, null],
      drops: [[1, null], [3]]
    })
  })

  it("of a linked configuration goes with its values", () => {
    const sources = [
      { document: { secret: { x: 1 }, open: { hidden: 2, seen: 3 } }, privacy: [["secret"], ["open", "hidden"]] }
    ]
    const document = { a: link(1), b: link(1, ["secret", "x"]), c: link(1, ["open"]), d: [link(1, ["secret"]), 1] }
    assert.deepStrictEqual(
      resolved(document, sources, "client"),
      Either.right({ a: { open: { seen: 3 } }, c: { seen: 3 }, d: [null, 1] })
    )
    assert.deepStrictEqual(
      resolved(document, sources, "server"),
      Either.right({
        a: { secret: { x: 1 }, open: { hidden: 2, seen: 3 } },
        b: 1,
        c: { hidden: 2, seen: 3 },
        d: [{ x: 1 }, 1]
      })
    )
  })

  const hiddenPath = path.filter((path) => path.length > 0)
  const privacy = FastCheck.array(hiddenPath, { maxLength: 3 })

  it("leaves no private path and nothing else out", () => {
    FastCheck.assert(
      FastCheck.property(document, privacy, path, (document, privacy, other) => {
        const hiding = privacyTree(privacy)
        const seen = cut(document, hiding)
        for (const hidden of privacy) assert.isUndefined(get(seen, hidden))
        if (other.length > 0 && !leadsTo(hiding, other) && subtree(hiding, other) === undefined) {
          assert.deepStrictEqual(get(seen, other), get(document, other))
        }
        assert.deepStrictEqual(cut(seen, hiding), seen)
      }),
      { numRuns: runCount(2_000) }
    )
  })

  it("is kept through links: no client sees a value that any configuration holds private", () => {
    const secret = "🔒"
    const place = FastCheck.record({ at: path, to: FastCheck.integer({ min: 1, max: 3 }), path })
    const source = FastCheck.tuple(document, privacy, FastCheck.array(place, { maxLength: 3 })).map(
      ([document, privacy, places]): LinkSource => {
        const linked = places.reduce((current, { at, to, path }) => simpleSet(current, at, link(to, path)), document)
        return { document: privacy.reduce((current, path) => simpleSet(current, path, secret), linked), privacy }
      }
    )
    let answered = 0
    FastCheck.assert(
      FastCheck.property(source, source, source, (a, b, c) => {
        const result = resolved(a.document, [a, b, c], "client")
        if (Either.isLeft(result)) return
        answered++
        assert.notInclude(JSON.stringify(cut(result.right, privacyTree(a.privacy))), secret)
      }),
      { numRuns: runCount(5_000) }
    )
    assert.isAbove(answered, runCount(1_000))
  })
})

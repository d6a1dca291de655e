import { assert, describe, it } from "@effect/vitest"
import { Either, FastCheck } from "effect"
import type { AppliedChangeset, Operation } from "../../../src/domain/configuration/Changeset.ts"
import type { Document, Json, Path } from "../../../src/domain/configuration/Document.ts"
import { equals } from "../../../src/domain/configuration/Document.ts"
import type { LinkSource } from "../../../src/domain/configuration/Links.ts"
import { resolve } from "../../../src/domain/configuration/Links.ts"
import { cut, privacyTree } from "../../../src/domain/configuration/Privacy.ts"
import { isKnown } from "../../../src/domain/game/KnownHash.ts"
import * as Linked from "../../../src/domain/game/LinkedPrivacy.ts"
import { deliver, prepare } from "../../../src/domain/game/Resolution.ts"
import { ExperimentId } from "../../../src/domain/Ids.ts"
import { runCount } from "../../support/Runs.ts"

const link = (configurationId: number, path: Path = []): Document => ({ $link: { configurationId, path } })

const linkedPrivacy = (source: LinkSource, lookup: (id: number) => LinkSource | undefined, intoArrays: boolean) =>
  Either.getOrThrow(Linked.linkedPrivacy(source, lookup, intoArrays))

const lookupIn =
  (sources: ReadonlyArray<LinkSource>) =>
  (id: number): LinkSource | undefined =>
    sources[id - 1]

const change = (experimentId: number, unitType: "user" | "server", operations: ReadonlyArray<Operation>) =>
  ({ experimentId: ExperimentId.make(experimentId), unitType, changeset: { operations } }) satisfies AppliedChangeset

const delivered = (
  sources: ReadonlyArray<LinkSource>,
  audience: "client" | "server",
  changesets: ReadonlyArray<AppliedChangeset> = []
) => deliver(Either.getOrThrow(prepare(sources[0]!, lookupIn(sources), audience)), changesets)

describe("a known hash", () => {
  it("is found bare, quoted, weak, and in a list", () => {
    for (const sent of ["abc", '"abc"', 'W/"abc"', '"x", W/"abc"', "x,abc", ' "abc" ']) {
      for (const name of ["hash", "ifNoneMatch", "knownHash"]) {
        assert.isTrue(isKnown("abc", { [name]: sent }), `${name} ${sent}`)
      }
    }
  })

  it("is any one for `*` in `If-None-Match`, and there alone", () => {
    assert.isTrue(isKnown("abc", { ifNoneMatch: " * " }))
    assert.isFalse(isKnown("", { ifNoneMatch: "*" }))
    for (const sent of [{ hash: "*" }, { knownHash: "*" }, { ifNoneMatch: '"*"' }, { ifNoneMatch: '"x", *' }]) {
      assert.isFalse(isKnown("abc", sent))
    }
  })

  it("is that of the cache on the way where this tells what it holds", () => {
    assert.isFalse(isKnown("abc", { hash: "abc", knownHash: "abc", ifNoneMatch: '"x"' }))
    assert.isTrue(isKnown("abc", { hash: "x", knownHash: "x", ifNoneMatch: 'W/"abc"' }))
    assert.isTrue(isKnown("abc", { hash: "abc", ifNoneMatch: "" }))
  })

  it("is not another one, a part of one or nothing", () => {
    for (const sent of ["", "ab", "abcd", '"ab', 'w/"abc"', "abc d", undefined]) {
      assert.isFalse(isKnown("abc", { hash: sent, ifNoneMatch: sent, knownHash: sent }), String(sent))
    }
    assert.isFalse(isKnown("", { hash: "", ifNoneMatch: '""' }))
  })
})

describe("privacy behind links", () => {
  it("is private where the link stands, through further links", () => {
    const sources: ReadonlyArray<LinkSource> = [
      { document: { shop: link(2), boss: link(2, ["secret"]), list: [link(2)], plain: 1 }, privacy: [] },
      { document: { secret: { hp: 9 }, open: 1, deep: link(3, ["x"]) }, privacy: [["secret"]] },
      { document: { x: { y: 1, z: 2 }, w: 3 }, privacy: [["x", "y"], ["w"]] }
    ]
    assert.deepStrictEqual(linkedPrivacy(sources[0]!, lookupIn(sources), false), [
      ["shop", "secret"],
      ["shop", "deep", "y"],
      ["boss"]
    ])
    assert.deepStrictEqual(linkedPrivacy(sources[0]!, lookupIn(sources), true), [
      ["shop", "secret"],
      ["shop", "deep", "y"],
      ["boss"],
      ["list", "secret"],
      ["list", "deep", "y"]
    ])
  })

  it("ends where parts of two configurations link to one another without a cycle", () => {
    const sources: ReadonlyArray<LinkSource> = [
      { document: { x: link(2, ["y"]), z: 1 }, privacy: [["z"]] },
      { document: { y: 2, w: link(1, ["z"]) }, privacy: [["y"]] }
    ]
    assert.deepStrictEqual(linkedPrivacy(sources[0]!, lookupIn(sources), true), [["x"]])
  })

  it("is not looked for behind private links, which may go round in circles for a client", () => {
    const sources: ReadonlyArray<LinkSource> = [
      { document: { a: link(3, ["b"]), d: 1 }, privacy: [] },
      { document: { e: link(3) }, privacy: [] },
      { document: { b: { a: link(2), b: link(3), c: link(2) }, c: 8 }, privacy: [["b"]] }
    ]
    assert.deepStrictEqual(linkedPrivacy(sources[0]!, lookupIn(sources), false), [["a"]])
    assert.deepStrictEqual(delivered(sources, "client"), { d: 1 })
  })

  it("a server is told of it, a client gets nothing of it whatever an experiment writes there", () => {
    const sources: ReadonlyArray<LinkSource> = [
      { document: { shop: link(2) }, privacy: [["own"]] },
      { document: { secret: 1, open: 1 }, privacy: [["secret"]] }
    ]
    const changes = [
      change(1, "user", [
        { op: "set", path: ["shop", "secret"], value: 2 },
        { op: "set", path: ["own"], value: 3 },
        { op: "add", path: ["shop", "open"], value: 4 }
      ])
    ]
    assert.deepStrictEqual(delivered(sources, "client", changes), { shop: { open: 4 } })
    assert.deepStrictEqual(delivered(sources, "server", changes), { shop: { secret: 2, open: 4 }, own: 3 })
    const server = Either.getOrThrow(prepare(sources[0]!, lookupIn(sources), "server"))
    const client = Either.getOrThrow(prepare(sources[0]!, lookupIn(sources), "client"))
    assert.deepStrictEqual([server.privacy, client.privacy], [[["own"], ["shop", "secret"]], []])
  })
})

describe("what a unit gets", () => {
  it("server experiments change first, then those of users, each by ascending id", () => {
    const set = (value: Json): ReadonlyArray<Operation> => [{ op: "set", path: ["a"], value }]
    const sources = [{ document: { a: 0 }, privacy: [] }]
    const changes = [change(3, "user", set("u3")), change(9, "server", set("s9")), change(2, "user", set("u2"))]
    assert.deepStrictEqual(delivered(sources, "server", changes), { a: "u3" })
    assert.deepStrictEqual(delivered(sources, "server", [changes[1]!, change(8, "server", set("s8"))]), { a: "s9" })
  })
})

const key = FastCheck.constantFrom("a", "b", "c")
const path = FastCheck.array(key, { minLength: 1, maxLength: 3 })
const target = FastCheck.record({
  id: FastCheck.integer({ min: 1, max: 3 }),
  path: FastCheck.array(key, { maxLength: 2 })
})

const { value } = FastCheck.letrec<{ value: Json }>((tie) => ({
  value: FastCheck.oneof(
    { maxDepth: 3, withCrossShrink: true },
    FastCheck.integer({ min: 0, max: 9 }),
    target.map((each): Json => link(each.id, each.path)),
    FastCheck.dictionary(key, tie("value"), { maxKeys: 3 }),
    FastCheck.array(tie("value"), { maxLength: 2 })
  )
}))

const document = FastCheck.dictionary(key, value, { maxKeys: 3 })

const source = FastCheck.record({ document, privacy: FastCheck.array(path, { maxLength: 2 }) })

const studio = FastCheck.tuple(source, source, source)

const changesets = FastCheck.array(
  FastCheck.record({
    experimentId: FastCheck.integer({ min: 1, max: 3 }),
    unitType: FastCheck.constantFrom("user" as const, "server" as const),
    operations: FastCheck.array(
      FastCheck.oneof(
        FastCheck.record({
          op: FastCheck.constantFrom("set" as const, "add" as const),
          path,
          value: FastCheck.constant("new")
        }),
        FastCheck.record({ op: FastCheck.constant("delete" as const), path })
      ),
      { maxLength: 3 }
    )
  }).map(({ experimentId, unitType, operations }) => change(experimentId, unitType, operations)),
  { maxLength: 3 }
)

/** Values at a path as privacy walks it: into every item of an array. */
const valuesAt = (from: Json, [key, ...rest]: Path): ReadonlyArray<Json> => {
  if (Array.isArray(from)) return from.flatMap((item: Json) => valuesAt(item, key === undefined ? [] : [key, ...rest]))
  if (key === undefined) return [from]
  if (typeof from !== "object" || from === null || !Object.hasOwn(from, key)) return []
  return valuesAt((from as Document)[key]!, rest)
}

const written = (sources: ReadonlyArray<LinkSource>) =>
  Either.isRight(resolve(sources[0]!.document, lookupIn(sources), "server"))

describe("over random documents, links and privacy", () => {
  it("without changes a client gets what its links show, cut by its own privacy", () => {
    FastCheck.assert(
      FastCheck.property(studio, (sources) => {
        FastCheck.pre(written(sources))
        const [own] = sources
        const seen = Either.getOrThrow(resolve(own.document, lookupIn(sources), "client"))
        assert.isTrue(equals(delivered(sources, "client"), cut(seen, privacyTree(own.privacy))))
      }),
      { numRuns: runCount(2_000) }
    )
  })

  it("no change brings a private path to a client, own or behind a link", () => {
    FastCheck.assert(
      FastCheck.property(studio, changesets, (sources, changes) => {
        FastCheck.pre(written(sources))
        const seen = delivered(sources, "client", changes)
        const hidden = [...sources[0].privacy, ...linkedPrivacy(sources[0], lookupIn(sources), false)]
        for (const path of hidden) assert.deepStrictEqual(valuesAt(seen, path), [])
      }),
      { numRuns: runCount(2_000) }
    )
  })

  it("a server that strips what it is told to keep shows no more than a client gets", () => {
    FastCheck.assert(
      FastCheck.property(studio, (sources) => {
        FastCheck.pre(written(sources))
        const lookup = lookupIn(sources)
        const { document, privacy } = Either.getOrThrow(prepare(sources[0], lookup, "server"))
        const stripped = cut(document, privacyTree(privacy))
        const seen = delivered(sources, "client")
        const paths = (from: Json, at: Path): ReadonlyArray<string> => {
          if (typeof from !== "object" || from === null) return [JSON.stringify(at)]
          return Object.entries(from).flatMap(([name, each]) => paths(each as Json, [...at, name]))
        }
        const shown = new Set(paths(seen, []))
        assert.deepStrictEqual(
          paths(stripped, []).filter((each) => !shown.has(each)),
          []
        )
      }),
      { numRuns: runCount(2_000) }
    )
  })
})

import { assert, describe, it } from "@effect/vitest"
import { Either, FastCheck } from "effect"
import type { Document, Json, Path } from "../../../src/domain/configuration/Document.ts"
import type { LinkSource } from "../../../src/domain/configuration/Links.ts"
import { resolve } from "../../../src/domain/configuration/Links.ts"
import { linkedPrivacy } from "../../../src/domain/game/LinkedPrivacy.ts"
import { prepare } from "../../../src/domain/game/Resolution.ts"
import { countedDocument } from "../../support/configuration/CountedDocument.ts"
import { simpleLinkedPrivacy, simpleResolve } from "../../support/configuration/SimpleLinks.ts"
import { expectedCount, runCount } from "../../support/Runs.ts"

const link = (configurationId: number, path: Path = []): Document => ({ $link: { configurationId, path } })

const key = FastCheck.constantFrom("a", "b", "c")
const target = FastCheck.record({
  id: FastCheck.integer({ min: 1, max: 3 }),
  path: FastCheck.array(key, { maxLength: 3 })
})

const { value } = FastCheck.letrec<{ value: Json }>((tie) => ({
  value: FastCheck.oneof(
    { maxDepth: 3, withCrossShrink: true },
    FastCheck.integer({ min: 0, max: 9 }),
    target.map((each): Json => link(each.id, each.path)),
    FastCheck.constant<Json>({ $link: { configurationId: 1, more: 1 } }),
    FastCheck.dictionary(key, tie("value"), { maxKeys: 3 }),
    FastCheck.array(tie("value"), { maxLength: 2 })
  )
}))

const source = FastCheck.record({
  document: FastCheck.oneof(
    { weight: 9, arbitrary: FastCheck.dictionary(key, value, { maxKeys: 3 }) },
    { weight: 1, arbitrary: target.map(({ id, path }) => link(id, path)) }
  ),
  privacy: FastCheck.array(FastCheck.array(key, { minLength: 1, maxLength: 3 }), { maxLength: 3 })
})

const studio = FastCheck.tuple(source, source, source)

const lookupIn =
  (sources: ReadonlyArray<LinkSource>) =>
  (id: number): LinkSource | undefined =>
    sources[id - 1]

const texts = (paths: ReadonlyArray<Path>) => paths.map((path) => JSON.stringify(path)).sort()

/** A configuration of `count` links to a large one, each to a value of its own. */
const many = (count: number, privacy: ReadonlyArray<Path>) => {
  const { document, seen } = countedDocument(5_000)
  const links = Array.from({ length: count }, (_, index) => [`l${index}`, link(2, [`k${index}`])])
  const root: LinkSource = { document: Object.fromEntries(links), privacy: [] }
  return { root, lookup: lookupIn([root, { document, privacy }]), seen }
}

describe("E3: links", () => {
  it("are resolved as by definition, for both audiences, or refused at the same place", () => {
    let resolved = 0
    FastCheck.assert(
      FastCheck.property(studio, FastCheck.constantFrom("server" as const, "client" as const), (sources, audience) => {
        const lookup = lookupIn(sources)
        const found = resolve(sources[0].document, lookup, audience)
        assert.deepStrictEqual(found, simpleResolve(sources[0].document, lookup, audience))
        if (Either.isRight(found)) resolved++
      }),
      { numRuns: runCount(4_000) }
    )
    assert.isAbove(resolved, runCount(1_000))
  })

  it("hide the same paths as by definition", () => {
    let hidden = 0
    FastCheck.assert(
      FastCheck.property(studio, FastCheck.boolean(), (sources, intoArrays) => {
        const lookup = lookupIn(sources)
        FastCheck.pre(Either.isRight(resolve(sources[0].document, lookup, intoArrays ? "server" : "client")))
        const found = Either.getOrThrow(linkedPrivacy(sources[0], lookup, intoArrays))
        if (found.length > 0) hidden++
        assert.deepStrictEqual(texts(found), texts(simpleLinkedPrivacy(sources[0], lookup, intoArrays)))
      }),
      { numRuns: runCount(4_000) }
    )
    assert.isAbove(hidden, expectedCount(200))
  })

  it("to one large configuration read its keys a few times, not once for each link", () => {
    const { root, lookup, seen } = many(1_000, [["k1"], ["secret"]])
    for (const audience of ["server", "client"] as const) Either.getOrThrow(prepare(root, lookup, audience))
    assert.isAtMost(seen.passes, 6)
  })

  it("behind which there are too many private paths are refused, in a bounded number of steps", () => {
    const privacy = Array.from({ length: 1_000 }, (_, index) => [`p${index}`])
    const links = Array.from({ length: 1_000 }, (_, index) => [`l${index}`, link(2)])
    const sources: ReadonlyArray<LinkSource> = [
      { document: Object.fromEntries(links), privacy: [] },
      { document: { p1: 1 }, privacy }
    ]
    const prepared = prepare(sources[0]!, lookupIn(sources), "client")
    assert.deepStrictEqual(Either.isLeft(prepared) ? prepared.left : "delivered", { reason: "TooLarge", at: [] })
  })
})

import { assert, describe, it } from "@effect/vitest"
import { FastCheck } from "effect"
import { JsonObject, knownJsonSteps } from "../../../schema/Json.ts"
import { content, contentSteps, jsonTextSteps } from "../../../src/domain/configuration/Canonical.ts"
import { type Document, type Json, isObject } from "../../../src/domain/configuration/Document.ts"
import { documentText, documentTextSteps } from "../../../src/domain/configuration/DocumentText.ts"
import { knownLinks, linkSteps, parse, targets } from "../../../src/domain/configuration/Link.ts"
import { isLink } from "../../../src/domain/configuration/LinkTurns.ts"
import { resolve } from "../../../src/domain/configuration/Links.ts"
import { excessOfTextSteps } from "../../../src/domain/configuration/Size.ts"
import { jsonSteps } from "../../../src/domain/JsonSteps.ts"
import { countedDocument } from "../../support/configuration/CountedDocument.ts"
import { document } from "../../support/configuration/Documents.ts"
import { runCount } from "../../support/Runs.ts"
import { ended } from "../../support/Steps.ts"
import { Either, Schema } from "effect"

const runs = { numRuns: runCount(1_000) }

const wide = (count: number): Document =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${(index * 7919) % count}`, index]))

/** The same values, in other shapes. */
const shapes: ReadonlyArray<readonly [string, () => Document]> = [
  ["an object of 60,000 fields", () => wide(60_000)],
  ["a list of 60,000 objects", () => ({ a: Array.from({ length: 60_000 }, (_, index) => ({ [`k${index % 9}`]: 1 })) })],
  ["objects in objects", () => Object.fromEntries(Array.from({ length: 60 }, (_, index) => [`o${index}`, wide(1000)]))],
  ["a list of 90,000 numbers", () => ({ a: Array.from({ length: 90_000 }, (_, index) => index) })]
]

const links = (value: Json): ReadonlyArray<Json> => {
  if (isLink(value)) return [value]
  if (Array.isArray(value)) return value.flatMap((each: Json) => links(each))
  return isObject(value) ? Object.values(value).flatMap((each) => links(each)) : []
}

const valuesOf = (value: Json): number =>
  typeof value !== "object" || value === null
    ? 1
    : Object.values<Json>(value).reduce<number>((sum, each) => sum + valuesOf(each), 1)

const limits = { bytes: 4 * 1024 * 1024, levels: 64 }

describe("E8: what is asked of a large document, in steps", () => {
  it("is what is asked of it at once", () => {
    FastCheck.assert(
      FastCheck.property(document, FastCheck.boolean(), (value, isLinked) => {
        const linked: Document = isLinked ? { ...value, to: [{ $link: { configurationId: 3 } }, { $link: 4 }] } : value
        assert.strictEqual(ended(jsonTextSteps(linked)).value, JSON.stringify(linked))
        assert.strictEqual(ended(documentTextSteps(linked)).value, documentText(linked))
        const facts = ended(linkSteps(linked)).value
        const found = links(linked)
        assert.deepStrictEqual([facts.hasLinks, facts.targets], [found.length > 0, targets(linked)])
        if (!facts.hasLinks) assert.strictEqual(facts.values, valuesOf(linked))
        assert.sameMembers(
          [...facts.targets],
          [
            ...new Set(
              found.flatMap((each) =>
                Either.match(parse(each), { onLeft: () => [], onRight: (link) => [link.configurationId] })
              )
            )
          ]
        )
      }),
      runs
    )
  })

  it.each(shapes)("has no long step: %s", (_, make) => {
    const [value, text] = [make(), JSON.stringify(make())]
    const least = 60_000 / 4096
    assert.isAbove(ended(knownJsonSteps(value)).count, least)
    assert.isAbove(ended(linkSteps(value)).count, least)
    const written = ended(documentTextSteps(value))
    assert.strictEqual(written.value, text)
    assert.isAbove(written.count, least)
    const hashed = ended(contentSteps(value, []))
    assert.strictEqual(hashed.value, content(value, []))
    assert.isAbove(hashed.count, least)
    assert.isAtLeast(ended(excessOfTextSteps(text, limits)).count, Math.floor(text.length / (128 * 1024)))
    assert.deepStrictEqual(ended(jsonSteps(text)).value, Either.right(value))
  })

  it("is not walked again once it was walked", () => {
    const { document: counted, seen } = countedDocument(5_000, { list: [{}, { a: 1 }] })
    ended(knownJsonSteps(counted))
    ended(linkSteps(counted))
    const passes = seen.passes
    assert.isTrue(Schema.is(JsonObject)(counted))
    const resolved = resolve(counted, () => undefined, "server")
    assert.isTrue(Either.isRight(resolved) && resolved.right === counted)
    assert.deepStrictEqual(targets(counted), [])
    assert.strictEqual(seen.passes, passes)
  })

  it("is resolved as ever where it has links, or more than it may", () => {
    const linked: Document = { ...wide(1000), to: { $link: { configurationId: 9 } } }
    const large: Document = { a: Array.from({ length: 100_000 }, () => 1) }
    for (const [value, reason] of [
      [linked, "Dangling"],
      [large, "TooLarge"]
    ] as const) {
      const before = resolve(value, () => undefined, "server")
      assert.strictEqual(Either.isLeft(before) ? before.left.reason : "", reason)
      ended(linkSteps(value))
      assert.deepStrictEqual(
        resolve(value, () => undefined, "server"),
        before
      )
      assert.isDefined(knownLinks(value))
    }
  })

  it("is refused by its schema where a number is none, walked before or not", () => {
    const value: unknown = JSON.parse(`{"a":[${"1,".repeat(600)}1e999]}`)
    ended(knownJsonSteps(value))
    assert.isFalse(Schema.is(JsonObject)(value))
  })
})

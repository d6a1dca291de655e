import { assert, describe, it } from "@effect/vitest"
import { Either } from "effect"
import { PatchConfiguration } from "../../schema/configuration/ConfigurationRecord.ts"
import { checkOf, problemsOf } from "../../schema/Checks.ts"
import { diff } from "../../src/domain/configuration/Diff.ts"
import type { Document, Json } from "../../src/domain/configuration/Document.ts"
import { apply } from "../../src/domain/configuration/Patch.ts"
import { promotionTo } from "../../src/web/configurations/Promotion.ts"
import { sentChanges } from "../../src/web/configurations/SentChanges.ts"

const link = (configurationId: number, ...path: ReadonlyArray<string>) => ({
  $link: { configurationId, ...(path.length === 0 ? {} : { path }) }
})
const named = (id: number, name: string, alias: string | null = null) => ({ id, name, alias })

describe("what another environment gets of a configuration", () => {
  const here = [named(1, "Shop"), named(2, "Rules"), named(3, "Odds")]
  const there = [named(11, "Shop"), named(12, "rules of old", "Rules")]
  const target = { id: 11, configuration: { a: 1 }, privacy: [["gone"]] }

  it("is private where it is here, whether or not a value changes", () => {
    const source = { id: 1, configuration: { a: 1 }, privacy: [["a"]] }
    const { changes, hidden, shown } = promotionTo(source, here, target, there)
    assert.deepStrictEqual([changes, hidden, shown], [[], [["a"]], [["gone"]]])
  })

  it("links to what has the same names there, and to itself", () => {
    const configuration = { a: [link(2, "x")], b: { c: link(1, "a") }, d: link(2) }
    const { changes, lacking } = promotionTo({ id: 1, configuration, privacy: [] }, here, target, there)
    const values = changes.flatMap((each) => (each.op === "set" ? [each.value] : []))
    assert.deepStrictEqual(values, [[link(12, "x")], { c: link(11, "a") }, link(12)])
    assert.deepStrictEqual(lacking, [])
    const same = { ...target, configuration: { a: [link(12, "x")], b: { c: link(11, "a") }, d: link(12) } }
    assert.deepStrictEqual(promotionTo({ id: 1, configuration, privacy: [] }, here, same, there).changes, [])
  })

  it("says what it links to and is not there, each once", () => {
    const configuration = { a: link(3), b: link(3, "x"), c: link(99) }
    const { lacking } = promotionTo({ id: 1, configuration, privacy: [] }, here, target, there)
    assert.deepStrictEqual(lacking, ["Odds", "99"])
  })
})

describe("changes that are published", () => {
  const check = checkOf(PatchConfiguration, { isStrict: true })

  /** An object in so many others. */
  const nested = (levels: number, value: Json): Json => (levels === 0 ? value : { k: nested(levels - 1, value) })

  const items = (count: number, price: number): Document => ({
    shop: Object.fromEntries(Array.from({ length: count }, (_, item) => [`item ${item}`, { price, kept: item }])),
    other: { gone: price, kept: 1 }
  })

  it.each([
    ["more values than one request changes", items(2000, 1), items(2000, 2)],
    ["values deeper than a path leads", { a: nested(40, 1), b: { c: 1 } }, { a: nested(40, 2), b: { c: 2 } }],
    ["keys without a name, or with one too long", { a: { "": 1, b: 1 } }, { a: { "": 2, ["x".repeat(300)]: 3, b: 2 } }],
    ["nothing", items(3, 1), items(3, 1)]
  ])("are taken, and make what was meant, of %s", (_, before: Document, next: Document) => {
    const changes = sentChanges(diff(before, next), next)
    assert.isUndefined(problemsOf(check, { changes }))
    assert.deepStrictEqual(Either.getOrThrow(apply(before, changes)), next)
  })
})

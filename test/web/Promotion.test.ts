import { assert, describe, it } from "@effect/vitest"
import { promotionTo } from "../../src/web/configurations/Promotion.ts"

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

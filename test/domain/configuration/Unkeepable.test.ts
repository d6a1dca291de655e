import { assert, describe, it } from "@effect/vitest"
import { unkeepable } from "../../../src/domain/configuration/Unkeepable.ts"

const half = "\ud800"
const zero = "a\u0000b"

describe("what no body of a request may hold", () => {
  it("is told with its path, wherever it is", () => {
    const document = JSON.parse(
      JSON.stringify({ name: half, list: ["fine", { inner: zero }], [zero]: 1 }).replace('"fine"', '{"__proto__":"x"}')
    )
    assert.deepStrictEqual(unkeepable(document), [
      { path: ["name"], message: "expected well-formed Unicode text" },
      { path: ["list", "0", "__proto__"], message: "no field may have this name" },
      { path: ["list", "1", "inner"], message: "expected text without the character U+0000" },
      { path: [], message: "expected text without the character U+0000" }
    ])
  })

  it("is nothing of what every store keeps", () => {
    const sound = ["", "a", "🎮", "e\u0301", 0, -1.5, true, null, [], {}, { a: [{ b: "c" }] }]
    assert.deepStrictEqual(unkeepable(sound), [])
  })
})

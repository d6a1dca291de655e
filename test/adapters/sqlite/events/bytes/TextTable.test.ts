import { assert, describe, it } from "@effect/vitest"
import { JsonCursor } from "../../../../../src/adapters/sqlite/events/bytes/JsonCursor.ts"
import { textHash, TextTable } from "../../../../../src/adapters/sqlite/events/bytes/TextTable.ts"

const encoder = new TextEncoder()

const hashOf = (text: string): number => {
  const bytes = encoder.encode(text)
  return textHash(bytes, 0, bytes.length)
}

/** Pairs with the same FNV hash (32 bits) where it begins with 0, as anybody can find them. */
const colliding = [
  ["tdmdcko", "amaydga"],
  ["pyywhql", "muqjlwp"],
  ["lawxoaj", "uslzvwk"],
  ["jhinwut", "tkbydpe"],
  ["ohlrcst", "ezlkguy"],
  ["vbwbvdi", "tvfxqvq"],
  ["bbzytor", "gbynomh"],
  ["oupkjnt", "uwksylj"]
] as const

describe("TextTable", () => {
  it("nobody outside can choose texts that want the same place", () => {
    const fnv = (text: string) =>
      [...encoder.encode(text)].reduce((hash, byte) => Math.imul(hash ^ byte, 0x01000193), 0)
    for (const [one, other] of colliding) assert.strictEqual(fnv(one), fnv(other))
    const alike = colliding.filter(([one, other]) => hashOf(one) === hashOf(other))
    assert.deepStrictEqual(alike, [])
  })

  it("a text read from JSON has the hash of its bytes", () => {
    const cursor = new JsonCursor()
    for (const text of ["", "a", "Login", "player-1"]) {
      cursor.open(encoder.encode(JSON.stringify(text)))
      assert.isTrue(cursor.text())
      assert.strictEqual(cursor.hash, hashOf(text))
    }
    cursor.open(encoder.encode("1234 "))
    assert.isTrue(cursor.digits())
    assert.strictEqual(cursor.hash, hashOf("1234"))
  })

  it("numbers texts in the order in which they come, also when it grows and when it is emptied", () => {
    const table = new TextTable()
    const numberOf = (text: string) => {
      const bytes = encoder.encode(text)
      return table.numberOf(bytes, 0, bytes.length, hashOf(text))
    }
    for (const round of [1, 2]) {
      for (let n = 0; n < 5_000; n++) assert.strictEqual(numberOf(`text ${n}`), n, `round ${round}`)
      for (let n = 0; n < 5_000; n++) assert.strictEqual(numberOf(`text ${n}`), n, `round ${round}`)
      assert.strictEqual(table.textOf(4_321), "text 4321")
      table.clear()
    }
  })
})

import { assert, describe, it } from "@effect/vitest"
import { JsonCursor } from "../../../../../src/adapters/sqlite/events/bytes/JsonCursor.ts"
import { textHash, TextTable } from "../../../../../src/adapters/sqlite/events/bytes/TextTable.ts"

const encoder = new TextEncoder()

const hashOf = (text: string, seed?: number): number => {
  const bytes = encoder.encode(text)
  return textHash(bytes, 0, bytes.length, seed)
}

/** Pairs of texts with the same hash where the seed is known, as anybody can find them. */
const collidingWith = (seed: number): ReadonlyArray<readonly [string, string]> => {
  const texts = new Map<number, string>()
  return Array.from({ length: 300_000 }, (_, n) => (n * 2_654_435_761).toString(36)).flatMap((text) => {
    const hash = hashOf(text, seed)
    const other = texts.get(hash)
    texts.set(hash, text)
    return other === undefined ? [] : [[other, text] as const]
  })
}

describe("TextTable", () => {
  it("nobody outside can choose texts that want the same place: a seed makes other hashes equal, whichever bits of it are another", () => {
    for (const known of [0, 77]) {
      const colliding = collidingWith(known)
      assert.isAbove(colliding.length, 2)
      for (let bit = 0; bit < 31; bit++) {
        const seed = known ^ (1 << bit)
        const alike = colliding.filter(([one, other]) => hashOf(one, seed) === hashOf(other, seed))
        assert.deepStrictEqual(alike, [], `seed ${seed}`)
      }
    }
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

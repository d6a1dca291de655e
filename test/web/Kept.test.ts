import { afterEach, assert, describe, it, vi } from "@effect/vitest"
import type { Shape } from "../../src/web/ui/kept/Kept.ts"
import { forget, keep, kept } from "../../src/web/ui/kept/Kept.ts"
import { readStored, writeStored } from "../../src/web/ui/Stored.ts"

interface Typed {
  readonly name: string
}

const shape = (version: number): Shape<Typed> => ({
  version,
  read: (found) => (typeof found.name === "string" ? found : null)
})

/** A browser's store with room for so many letters. */
const storageOf = (room: number, texts = new Map<string, string>()) => ({
  getItem: (key: string) => texts.get(key) ?? null,
  setItem: (key: string, text: string) => {
    if (text.length > room) throw new Error("QuotaExceededError")
    texts.set(key, text)
  },
  removeItem: (key: string) => texts.delete(key)
})

describe("what is kept in a browser", () => {
  afterEach(() => vi.unstubAllGlobals())

  it("is found again until it is forgotten, by pages that read its version", () => {
    vi.stubGlobal("localStorage", storageOf(1000))
    assert.isNull(kept("one", shape(1)))
    assert.isTrue(keep("one", shape(1), { name: "Shop" }))
    assert.deepStrictEqual(kept("one", shape(1)), { name: "Shop" })
    assert.isNull(kept("one", shape(2)))
    assert.isNull(kept("other", shape(1)))
    forget("one")
    assert.isNull(kept("one", shape(1)))
  })

  it("is nothing where the store holds something else", () => {
    for (const text of ["", "{", "7", "null", '{"version":1}', '{"version":1,"draft":{"name":7}}']) {
      vi.stubGlobal("localStorage", storageOf(1000, new Map([["two", text]])))
      assert.isNull(kept("two", shape(1)), text)
    }
  })

  it("is kept in this tab alone where the browser has no room for it, and nothing older comes back", () => {
    const texts = new Map<string, string>()
    vi.stubGlobal("localStorage", storageOf(50, texts))
    assert.isTrue(keep("three", shape(1), { name: "Shop" }))
    assert.isFalse(keep("three", shape(1), { name: "Shop".repeat(20) }))
    assert.strictEqual(texts.size, 0)
    assert.deepStrictEqual(kept("three", shape(1)), { name: "Shop".repeat(20) })
    vi.unstubAllGlobals()
    assert.isFalse(keep("three", shape(1), { name: "Without a store" }))
    assert.deepStrictEqual(kept("three", shape(1)), { name: "Without a store" })
    forget("three")
  })
})

describe("a store of a browser", () => {
  afterEach(() => vi.unstubAllGlobals())

  it("holds what the browser does not take, until it takes it or it is removed", () => {
    const texts = new Map<string, string>([["theme", "light"]])
    vi.stubGlobal("localStorage", storageOf(10, texts))
    assert.strictEqual(readStored("localStorage", "theme"), "light")
    assert.isFalse(writeStored("localStorage", "theme", "too long a text"))
    assert.strictEqual(readStored("localStorage", "theme"), "too long a text")
    assert.isTrue(writeStored("localStorage", "theme", "dark"))
    assert.strictEqual(readStored("localStorage", "theme"), "dark")
    assert.strictEqual(texts.get("theme"), "dark")
    assert.isTrue(writeStored("localStorage", "theme", null))
    assert.isNull(readStored("localStorage", "theme"))
  })

  it("that may not be touched or is missing finds nothing and fails nowhere", () => {
    const denied = () => {
      throw new Error("SecurityError")
    }
    for (const missing of [{ getItem: denied, setItem: denied, removeItem: denied }, null]) {
      vi.stubGlobal("sessionStorage", missing)
      assert.isNull(readStored("sessionStorage", "runs"))
      assert.isFalse(writeStored("sessionStorage", "runs", "[]"))
      assert.strictEqual(readStored("sessionStorage", "runs"), "[]")
      assert.isFalse(writeStored("sessionStorage", "runs", null))
      assert.isNull(readStored("sessionStorage", "runs"))
    }
  })
})

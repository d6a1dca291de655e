import { assert, describe, it } from "@effect/vitest"
import { type DatabaseFactory, indexedDbStorage } from "../../src/sdk/browser.ts"

const tell = (target: object, name: string): void => {
  const listener: unknown = Reflect.get(target, name)
  if (typeof listener === "function") listener()
}

const soon = <Value extends object>(value: Value, then: (value: Value) => void): Value => {
  setTimeout(() => then(value), 0)
  return value
}

const requestOf = <Result>(result: Result) => {
  const onsuccess: (() => void) | null = null
  const onerror: (() => void) | null = null
  return soon({ result, error: null, onsuccess, onerror }, (request) => tell(request, "onsuccess"))
}

/** What a page uses of IndexedDB, of a browser that ends all connections whenever it is told to. */
const endingDatabase = () => {
  const values = new Map<string, unknown>()
  let opens = 0
  let connection = 0
  const tableOf = () => ({
    put: (value: unknown, key?: string) =>
      requestOf(values.set(key ?? String(Reflect.get(Object(value), "markerId")), value)),
    delete: (key: string) => requestOf(values.delete(key)),
    get: (key: string) => requestOf(values.get(key)),
    getAll: () => requestOf([...values.values()])
  })
  const open = () => {
    opens++
    const own = connection
    const transaction = () => {
      if (own !== connection) throw new Error("The connection was closed")
      const oncomplete: (() => void) | null = null
      const onabort: (() => void) | null = null
      return soon({ objectStore: tableOf, error: null, oncomplete, onabort }, (ended) => tell(ended, "oncomplete"))
    }
    const database = { createObjectStore: () => undefined, transaction, close: () => undefined }
    return { ...requestOf(database), onupgradeneeded: null }
  }
  const factory: DatabaseFactory = {
    open: () => {
      const opening = open()
      return soon(opening, () => tell(opening, "onsuccess"))
    }
  }
  return { factory, opens: () => opens, end: () => connection++ }
}

const markerOf = (markerId: string) => ({ markerId, timestamp: 1, eventName: "Kept" })

describe("what a page keeps", () => {
  it("goes on where the browser has ended the connection, over one new one", async () => {
    const { factory, opens, end } = endingDatabase()
    const storage = indexedDbStorage(factory)
    await storage.keep([markerOf("a")])
    end()
    await Promise.all([storage.keep([markerOf("b")]), storage.write("copy", "text"), storage.remove(["a"])])
    assert.deepStrictEqual(await storage.markers(), [markerOf("b")])
    assert.strictEqual(await storage.read("copy"), "text")
    assert.strictEqual(opens(), 2)
  })

  it("opens nothing any more once it is closed", async () => {
    const { factory, opens, end } = endingDatabase()
    const storage = indexedDbStorage(factory)
    await storage.close()
    end()
    const refused = await storage.keep([markerOf("a")]).catch((cause: Error) => cause.message)
    assert.deepStrictEqual([refused, opens()], ["The connection was closed", 1])
  })
})

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

const requestOf = <Result>(result: Result, then: () => void = () => undefined) => {
  const onsuccess: (() => void) | null = null
  const onerror: (() => void) | null = null
  return soon({ result, error: null, onsuccess, onerror }, (request) => {
    tell(request, "onsuccess")
    then()
  })
}

/** What a page uses of IndexedDB, of a browser that ends all connections whenever it is told to. */
const endingDatabase = () => {
  const values = new Map<string, unknown>()
  let opens = 0
  let connection = 0
  const tableOf = (answered: <Result>(result: Result) => ReturnType<typeof requestOf<Result>>) => ({
    put: (value: unknown, key?: string) =>
      answered(values.set(key ?? String(Reflect.get(Object(value), "markerId")), value)),
    delete: (key: string) => answered(values.delete(key)),
    get: (key: string) => answered(values.get(key)),
    getAll: () => answered([...values.values()])
  })
  const open = () => {
    opens++
    const own = connection
    const begin = () => {
      if (own !== connection) throw new Error("The connection was closed")
      const oncomplete: (() => void) | null = null
      const onabort: (() => void) | null = null
      let waiting = 1
      const answered = () => {
        waiting--
        if (waiting === 0) tell(transaction, "oncomplete")
      }
      const objectStore = () =>
        tableOf((result) => {
          waiting++
          return requestOf(result, answered)
        })
      const transaction = soon({ objectStore, error: null, oncomplete, onabort }, answered)
      return transaction
    }
    const database = { createObjectStore: () => undefined, transaction: begin, close: () => undefined }
    return { ...requestOf(database), onupgradeneeded: null }
  }
  const factory: DatabaseFactory = {
    open: () => {
      const opening = open()
      return soon(opening, () => tell(opening, "onsuccess"))
    }
  }
  return { factory, opens: () => opens, end: () => connection++, names: () => [...values.keys()] }
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

  it("is of texts those that were written last, whichever page has written them, and not all that ever were", async () => {
    const { factory, names } = endingDatabase()
    const pages = [indexedDbStorage(factory), indexedDbStorage(factory)]
    const text = "x".repeat(1024 * 1024)
    for (let n = 0; n < 6; n++) await pages[n % 2]?.write(`player-${n}`, text)
    await pages[0]?.write("player-2", "short")
    await pages[1]?.write("player-6", text)
    const kept = await Promise.all(Array.from({ length: 7 }, (_, n) => pages[0]?.read(`player-${n}`)))
    assert.deepStrictEqual(
      kept.map((each) => each?.length ?? 0),
      [0, 0, 5, 0, ...Array.from({ length: 3 }, () => text.length)]
    )
    assert.lengthOf(names(), 5)
  })
})

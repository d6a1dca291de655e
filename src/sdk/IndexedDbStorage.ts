import { TextLengths } from "./KeptTexts.ts"
import type { Marker } from "./Marker.ts"
import type { Storage } from "./Storage.ts"
import { parsed } from "./Transport.ts"

// What is used of IndexedDB, so that no program needs the types of browsers to read these files.
interface Request<Result> {
  readonly result: Result
  readonly error: Error | null
  onsuccess: (() => void) | null
  onerror: (() => void) | null
}

interface Opening extends Request<Database> {
  onupgradeneeded: (() => void) | null
}

interface Table {
  readonly put: (value: unknown, key?: string) => Request<unknown>
  readonly delete: (key: string) => Request<unknown>
  readonly get: (key: string) => Request<unknown>
  readonly getAll: () => Request<ReadonlyArray<unknown>>
}

interface Transaction {
  readonly objectStore: (name: string) => Table
  readonly error: Error | null
  oncomplete: (() => void) | null
  onabort: (() => void) | null
}

interface Database {
  readonly createObjectStore: (name: string, options?: { readonly keyPath?: string }) => unknown
  readonly transaction: (
    name: string,
    mode: "readonly" | "readwrite",
    options?: { readonly durability: "strict" }
  ) => Transaction
  readonly close: () => void
}

/** `indexedDB` of a browser. */
export interface DatabaseFactory {
  readonly open: (name: string, version: number) => Opening
}

interface Kept extends Marker {
  readonly place: number
}

const isKept = (value: unknown): value is Kept =>
  typeof value === "object" && value !== null && "markerId" in value && "place" in value

/** Under which name the lengths of all other texts are kept. */
const lengthsName = "\u0000lengths"

/** The lengths that were written; none where what is there is damaged. */
const lengthsIn = (text: unknown): TextLengths => {
  const kept = typeof text === "string" ? parsed(text) : null
  return new TextLengths(
    (Array.isArray(kept) ? kept : []).flatMap((each: unknown) => {
      const [name, length]: ReadonlyArray<unknown> = Array.isArray(each) ? each : []
      return typeof name === "string" && typeof length === "number" ? [[name, length] as const] : []
    })
  )
}

const resultOf = <Result>(request: Request<Result>): Promise<Result> =>
  new Promise((done, failed) => {
    request.onsuccess = () => done(request.result)
    request.onerror = () => failed(request.error ?? new Error("IndexedDB failed"))
  })

const completed = (transaction: Transaction): Promise<void> =>
  new Promise((done, failed) => {
    transaction.oncomplete = () => done()
    transaction.onabort = () => failed(transaction.error ?? new Error("IndexedDB ended the transaction"))
  })

/** Keeps markers and configurations in a database of the browser. Several pages may share it: the server knows markers that both send. */
export const indexedDbStorage = (factory: DatabaseFactory, name = "gamekeeper"): Storage => {
  /** Rejects where the page may have no database, as in a frame that is sandboxed: browsers throw then. */
  const open = async (): Promise<Database> => {
    const opening = factory.open(name, 1)
    opening.onupgradeneeded = () => {
      opening.result.createObjectStore("markers", { keyPath: "markerId" })
      opening.result.createObjectStore("texts")
    }
    return resultOf(opening)
  }
  const opened = (): Promise<Database> => {
    const result = open()
    // Whoever asks is told; nobody may ask.
    result.catch(() => undefined)
    return result
  }
  let database = opened()
  let isClosed = false
  let place = Date.now() * 1000

  /** Browsers end connections of pages that were long out of sight, and say so when the next transaction begins. */
  const begun = async (table: string, mode: "readonly" | "readwrite"): Promise<Transaction> => {
    const begin = async () => (await database).transaction(table, mode, { durability: "strict" })
    const before = database
    try {
      return await begin()
    } catch (cause) {
      if (isClosed) return Promise.reject(cause)
      // Of several that find it ended, one opens it anew.
      if (before === database) database = opened()
      return begin()
    }
  }

  const write = async (table: string, work: (table: Table) => void): Promise<void> => {
    const transaction = await begun(table, "readwrite")
    work(transaction.objectStore(table))
    await completed(transaction)
  }

  return {
    markers: async () => {
      const all = await resultOf((await begun("markers", "readonly")).objectStore("markers").getAll())
      return all
        .filter(isKept)
        .sort((a, b) => a.place - b.place)
        .map(({ place: _, ...marker }) => marker)
    },
    keep: (markers) =>
      write("markers", (table) => {
        for (const marker of markers) table.put({ ...marker, place: place++ })
      }),
    remove: (ids) =>
      write("markers", (table) => {
        for (const id of ids) table.delete(id)
      }),
    read: async (key) => {
      const found = await resultOf((await begun("texts", "readonly")).objectStore("texts").get(key))
      return typeof found === "string" ? found : null
    },
    write: (key, text) =>
      write("texts", (table) => {
        const found = table.get(lengthsName)
        // Within the transaction, so that of several pages each goes on from what the one before it has written.
        found.onsuccess = () => {
          const lengths = lengthsIn(found.result)
          for (const gone of lengths.add(key, text.length)) table.delete(gone)
          table.put(text, key)
          table.put(JSON.stringify([...lengths.entries()]), lengthsName)
        }
      }),
    close: async () => {
      isClosed = true
      ;(await database).close()
    }
  }
}

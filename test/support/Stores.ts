import { Effect, Layer } from "effect"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { MemoryMetadata } from "../../src/adapters/memory/Memory.ts"
import { SqliteMetadata } from "../../src/adapters/sqlite/Sqlite.ts"
import { MemoryStores, SqliteStores } from "../../src/app/Layers.ts"
import { metadataWorkers } from "./Workers.ts"

/** The stores that agree by contract. */
export const everyStore = [
  ["memory", MemoryStores],
  ["sqlite", SqliteStores]
] as const

type Store = (typeof everyStore)[number]

/** The stores that the HTTP API is tested over: every one, or in the fast run (`npm run test:fast`) only the one that is served. */
export const stores: readonly [Store, ...ReadonlyArray<Store>] =
  process.env["GAMEKEEPER_TEST_STORES"] === "served" ? [everyStore[1]] : everyStore

/** Metadata in a file of its own, whose long reads run in a thread as they do in the server. */
export const inFile = Effect.map(
  Effect.acquireRelease(
    Effect.sync(() => mkdtempSync(join(tmpdir(), "metadata-"))),
    (folder) => Effect.sync(() => rmSync(folder, { recursive: true }))
  ),
  (folder) => {
    const file = join(folder, "metadata.sqlite")
    return { file, layer: SqliteMetadata(file, metadataWorkers) }
  }
)

/** The stores of metadata, with the one that reads in a thread as well. */
export const metadataStores = [
  ["memory", MemoryMetadata],
  ["sqlite", SqliteMetadata(":memory:")],
  ["sqlite with a thread for long reads", Layer.unwrapScoped(Effect.map(inFile, ({ layer }) => layer))]
] as const

import { Effect, Layer } from "effect"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { MemoryMetadata } from "../../src/adapters/memory/Memory.ts"
import { SqliteMetadata } from "../../src/adapters/sqlite/Sqlite.ts"
import { MemoryStores, SqliteStores } from "../../src/app/Layers.ts"
import { isCluster } from "./cluster/Chosen.ts"
import { metadataWorkers } from "./Workers.ts"

const shared = Effect.promise(() => import("./cluster/ClusterStores.ts"))
const ClusterStores = Layer.unwrapEffect(Effect.map(shared, (each) => each.ClusterStores))
const ClusterMetadata = Layer.unwrapEffect(Effect.map(shared, (each) => each.ClusterMetadata))

type ErrorOf<A extends Layer.Layer.Any> = Layer.Layer.Error<A>
type Named<Layers> = readonly [name: string, layer: Layers]
type Some<Layers> = readonly [Named<Layers>, ...ReadonlyArray<Named<Layers>>]

/** Any stores with the ports that all kinds have. */
export type Stores = Layer.Layer<
  Layer.Layer.Success<typeof MemoryStores>,
  ErrorOf<typeof MemoryStores> | ErrorOf<typeof SqliteStores> | ErrorOf<typeof ClusterStores>
>

type Metadata = Layer.Layer<
  Layer.Layer.Success<typeof MemoryMetadata>,
  ErrorOf<typeof inFileLayer> | ErrorOf<typeof ClusterMetadata>
>

/** The stores that agree by contract. */
export const everyStore: Some<Stores> = isCluster
  ? [["postgres", ClusterStores]]
  : [
      ["memory", MemoryStores],
      ["sqlite", SqliteStores]
    ]

/** The stores that the HTTP API is tested over: every one, or in the fast run (`npm run test:fast`) only the one that is served. */
export const stores: Some<Stores> =
  process.env["GAMEKEEPER_TEST_STORES"] === "served" ? [everyStore[1] ?? everyStore[0]] : everyStore

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

const inFileLayer = Layer.unwrapScoped(Effect.map(inFile, ({ layer }) => layer))

/** The stores of metadata, with the one that reads in a thread as well. */
export const metadataStores: Some<Metadata> = isCluster
  ? [["postgres", ClusterMetadata]]
  : [
      ["memory", MemoryMetadata],
      ["sqlite", SqliteMetadata(":memory:")],
      ["sqlite with a thread for long reads", inFileLayer]
    ]

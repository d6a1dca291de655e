import { describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { MemoryMetadata } from "../../src/adapters/memory/Memory.ts"
import { ProjectCache } from "../../src/adapters/memory/ProjectCache.ts"
import { SqliteMetadata } from "../../src/adapters/sqlite/Sqlite.ts"

export type MetadataPorts = Layer.Layer.Success<typeof MemoryMetadata>

/** A folder that is gone when the scope closes. */
export const temporaryFolder = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "metadata-"))),
  (path) => Effect.sync(() => rmSync(path, { recursive: true }))
)

const file = Layer.unwrapScoped(
  Effect.map(temporaryFolder, (folder) => SqliteMetadata(join(folder, "metadata.sqlite")))
)

type Stores = ReadonlyArray<readonly [label: string, layer: Layer.Layer<MetadataPorts>]>

const memory = ["memory", MemoryMetadata] as const
const sqlite = ["sqlite", Layer.orDie(SqliteMetadata(":memory:"))] as const

export const metadataStores: Stores = [memory, sqlite]

/** The cache of projects keeps the promises of what it stands before. */
export const cachedStores: Stores = [
  ...metadataStores,
  ["sqlite with a cache", Layer.orDie(ProjectCache.pipe(Layer.provideMerge(SqliteMetadata(":memory:"))))]
]

export const durableStores: Stores = [...cachedStores, ["sqlite in a file", Layer.orDie(file)]]

type Behaviour = (name: string, test: () => Effect.Effect<void, unknown, MetadataPorts>) => void

/** What a port promises, asked of every store; each behaviour begins with an empty one. */
export const contract = (port: string, behaviours: (holds: Behaviour) => void, stores = metadataStores) => {
  for (const [label, store] of stores) {
    describe(`${port}, ${label}`, () => {
      behaviours((name, test) => it.effect(name, () => Effect.provide(test(), store)))
    })
  }
}

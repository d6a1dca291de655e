import { describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { MemoryMetadata } from "../../src/adapters/memory/Memory.ts"
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

export const metadataStores: ReadonlyArray<readonly [label: string, layer: Layer.Layer<MetadataPorts>]> = [
  ["memory", MemoryMetadata],
  ["sqlite", Layer.orDie(SqliteMetadata(":memory:"))],
  ["sqlite in a file", Layer.orDie(file)]
]

type Behaviour = (name: string, test: () => Effect.Effect<void, unknown, MetadataPorts>) => void

/** What a port promises, asked of every store; each behaviour begins with an empty one. */
export const contract = (
  port: string,
  behaviours: (holds: Behaviour) => void,
  stores: typeof metadataStores = metadataStores.slice(0, 2)
) => {
  for (const [label, store] of stores) {
    describe(`${port}, ${label}`, () => {
      behaviours((name, test) => it.effect(name, () => Effect.provide(test(), store)))
    })
  }
}

// reads: src/adapters/clickhouse/workers src/adapters/node/workers src/adapters/sqlite/workers
import { buildSync } from "esbuild"
import { readdirSync } from "node:fs"
import { join, parse } from "node:path"

const root = join(import.meta.dirname, "..", "..")
const sources = ["clickhouse", "node", "sqlite"].map((technology) =>
  join(root, "src", "adapters", technology, "workers")
)
const outdir = join(root, "dist", "test")

export const bundled = (name: string): string => join(outdir, `${name}.mjs`)

/** Where the bundled workers lie while tests run. */
export const threads = {
  writer: bundled("EventWriter"),
  reader: bundled("EventReader"),
  sealer: bundled("EventSealer")
}
export const schemaWorker = bundled("SchemaChecker")
export const markerWorker = bundled("MarkerReader")
export const passwordWorker = bundled("PasswordEstimator")
export const metadataWorkers = { reader: bundled("MetadataReader"), checkpoint: bundled("LogCheckpoint") }

/** Bundles files by the names of their bundles, which lie beside those of the workers. */
export const bundle = (entryPoints: Record<string, string>): void => {
  buildSync({
    entryPoints,
    outdir,
    outExtension: { ".js": ".mjs" },
    bundle: true,
    platform: "node",
    target: "node20",
    format: "esm",
    banner: {
      js: 'import{createRequire as __createRequire}from"node:module";const require=__createRequire(import.meta.url);'
    },
    external: ["better-sqlite3", "pg-native"],
    logLevel: "warning"
  })
}

export const setup = () =>
  bundle(
    Object.fromEntries(
      sources.flatMap((folder) => readdirSync(folder).map((file) => [parse(file).name, join(folder, file)]))
    )
  )

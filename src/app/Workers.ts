// reads: src/adapters/clickhouse/workers src/adapters/node/workers src/adapters/sqlite/workers
import { fileURLToPath } from "node:url"

const beside = (name: string) => fileURLToPath(new URL(name, import.meta.url))

const bundled = (name: string) => beside(`${name}.mjs`)

/** The built worker files, which lie beside the built main file. */
export const eventWorkers = {
  writer: bundled("EventWriter"),
  reader: bundled("EventReader"),
  sealer: bundled("EventSealer")
}

/** The built worker that checks values by their JSON Schema. */
export const schemaWorker = bundled("SchemaChecker")

/** The built worker that computes of markers what ClickHouse cannot. */
export const markerWorker = bundled("MarkerReader")

/** The built worker that estimates passwords. */
export const passwordWorker = bundled("PasswordEstimator")

/** The built workers that read metadata and bring their log into the file. */
export const metadataWorkers = { reader: bundled("MetadataReader"), checkpoint: bundled("LogCheckpoint") }

/** The built dashboard. */
export const webFolder = beside("web")

/** The guide that is built of the documents. */
export const guideFolder = beside("guide")

import { buildSync } from "esbuild"
import { readdirSync } from "node:fs"
import { join } from "node:path"

const root = join(import.meta.dirname, "..", "..")
const sources = join(root, "src", "adapters", "sqlite", "workers")
const outdir = join(root, "dist", "test")

/** Where the bundled workers of the event store lie while tests run. */
export const threads = { writer: join(outdir, "EventWriter.mjs"), reader: join(outdir, "EventReader.mjs") }

export const setup = () => {
  buildSync({
    entryPoints: readdirSync(sources).map((file) => join(sources, file)),
    outdir,
    outExtension: { ".js": ".mjs" },
    bundle: true,
    platform: "node",
    target: "node20",
    format: "esm",
    external: ["better-sqlite3"],
    logLevel: "warning"
  })
}

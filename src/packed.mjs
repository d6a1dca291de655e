// What a package or an executable carries of the repository.
import { cpSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { root } from "./build.mjs"

const source = JSON.parse(readFileSync(join(root, "package.json"), "utf8"))

/** Maps of the sources, builds of development, what describes the build, and what the engine compiled here. */
const unwanted = /\.map$|[\\/]dist[\\/](test|dev|compiled)$|[\\/]web[\\/](inputs|metafile)\.json$/

export const version = source.version

/** The version of the driver that comes built. */
export const driver = source.dependencies["better-sqlite3-prebuilt"].replace("npm:better-sqlite3@", "")

/** Copies it into an empty folder. */
export const pack = (folder) => {
  cpSync(join(root, "dist"), join(folder, "dist"), { recursive: true, filter: (path) => !unwanted.test(path) })
  for (const file of ["src/start.mjs", "src/stopping.mjs", "README.md", "LICENSE", "CHANGELOG.md"]) {
    cpSync(join(root, file), join(folder, file))
  }
  const { name, description, license, type, bin } = source
  // The driver that comes built needs Node 22.
  const needs = { engines: { node: ">=22 <27" }, dependencies: { "better-sqlite3": driver } }
  const manifest = { name, version, description, license, type, bin, ...needs }
  writeFileSync(join(folder, "package.json"), `${JSON.stringify(manifest, null, 2)}\n`)
}

// What a package or an executable carries of the repository.
import { spawnSync } from "node:child_process"
import { cpSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { root } from "./build.mjs"

const source = JSON.parse(readFileSync(join(root, "package.json"), "utf8"))

/** Maps of the sources, builds of development, what describes the build, and what the engine compiled here. */
const unwanted = /\.map$|[\\/]dist[\\/](test|dev|compiled)$|[\\/]web[\\/](inputs|metafile)\.json$/

export const version = source.version

/** The version of the driver that comes built. */
export const driver = source.dependencies["better-sqlite3-prebuilt"].replace("npm:better-sqlite3@", "")

/** What programs that use the client are given by `gamekeeper/sdk`. */
const exports = {
  "./sdk": {
    browser: { types: "./dist/sdk/browser.d.ts", default: "./dist/sdk/browser.mjs" },
    default: { types: "./dist/sdk/node.d.ts", default: "./dist/sdk/node.mjs" }
  }
}

const declarationOptions = ["--declaration", "--emitDeclarationOnly", "--allowImportingTsExtensions"]
const languageOptions = [
  "--target",
  "es2022",
  "--module",
  "nodenext",
  "--lib",
  "es2023",
  "--types",
  "node",
  "--strict",
  "--skipLibCheck"
]

/** Writes the types of the client. TypeScript is there where development packages are. */
const declare = (into) => {
  const compiler = join(root, "node_modules", "typescript", "bin", "tsc")
  const entries = ["browser.ts", "node.ts"].map((name) => join(root, "src", "sdk", name))
  const options = [...declarationOptions, "--rewriteRelativeImportExtensions", ...languageOptions, "--outDir", into]
  const { status, stdout } = spawnSync(process.execPath, [compiler, ...options, ...entries], {
    cwd: root,
    encoding: "utf8"
  })
  if (status !== 0) throw new Error(`The types of the client could not be made: ${stdout}`)
}

/** Copies it into an empty folder. */
export const pack = (folder) => {
  cpSync(join(root, "dist"), join(folder, "dist"), { recursive: true, filter: (path) => !unwanted.test(path) })
  for (const file of ["src/start.mjs", "src/stopping.mjs", "README.md", "LICENSE", "CHANGELOG.md"]) {
    cpSync(join(root, file), join(folder, file))
  }
  declare(join(folder, "dist", "sdk"))
  const { name, description, license, type, bin } = source
  // The driver that comes built needs Node 22.
  const needs = { engines: { node: ">=22 <27" }, dependencies: { "better-sqlite3": driver } }
  const manifest = { name, version, description, license, type, bin, exports, ...needs }
  writeFileSync(join(folder, "package.json"), `${JSON.stringify(manifest, null, 2)}\n`)
}

// What a package or an executable carries of the repository.
import { spawnSync } from "node:child_process"
import { cpSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { root } from "./build.mjs"

const source = JSON.parse(readFileSync(join(root, "package.json"), "utf8"))

/** Maps of the sources, builds of development, what describes the build, and what the engine compiled here. */
const unwanted = /\.map$|[\\/]dist[\\/](test|dev|compiled)$|[\\/](web|guide)[\\/](inputs|metafile)\.json$/

export const version = source.version

/** The version of the driver that comes built. */
export const driver = source.dependencies["better-sqlite3-prebuilt"].replace("npm:better-sqlite3@", "")

const provider = (name) => ({ types: `./dist/openfeature/${name}.d.ts`, default: `./dist/openfeature/${name}.mjs` })

/** What programs that use the client are given by `gamekeeper/sdk`, and those that use OpenFeature. */
const exports = {
  "./sdk": {
    browser: { types: "./dist/sdk/browser.d.ts", default: "./dist/sdk/browser.mjs" },
    default: { types: "./dist/sdk/node.d.ts", default: "./dist/sdk/node.mjs" }
  },
  "./openfeature/server": provider("server"),
  "./openfeature/web": provider("web")
}

/** The SDKs of OpenFeature that the providers are for. Who uses none installs none. */
const peers = ["@openfeature/core", "@openfeature/server-sdk", "@openfeature/web-sdk"]

const peerDependencies = Object.fromEntries(peers.map((name) => [name, `^${source.devDependencies[name]}`]))
const peerDependenciesMeta = Object.fromEntries(peers.map((name) => [name, { optional: true }]))

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
  const files = ["sdk/browser.ts", "sdk/node.ts", "openfeature/server.ts", "openfeature/web.ts"]
  const entries = files.map((file) => join(root, "src", file))
  const options = [...declarationOptions, "--rewriteRelativeImportExtensions", ...languageOptions]
  const folders = ["--rootDir", join(root, "src"), "--outDir", into]
  const { status, stdout, stderr } = spawnSync(process.execPath, [compiler, ...options, ...folders, ...entries], {
    cwd: root,
    encoding: "utf8"
  })
  if (status !== 0) throw new Error(`The types of the client could not be made: ${stdout}${stderr}`)
}

/** Copies it into an empty folder. */
export const pack = (folder) => {
  cpSync(join(root, "dist"), join(folder, "dist"), { recursive: true, filter: (path) => !unwanted.test(path) })
  for (const file of ["src/start.mjs", "src/stopping.mjs", "README.md", "LICENSE", "CHANGELOG.md"]) {
    cpSync(join(root, file), join(folder, file))
  }
  declare(join(folder, "dist"))
  const { name, description, license, type, bin } = source
  // The driver that comes built needs Node 22.
  const needs = { engines: { node: ">=22 <27" }, dependencies: { "better-sqlite3": driver } }
  const manifest = {
    name,
    version,
    description,
    license,
    type,
    bin,
    exports,
    ...needs,
    peerDependencies,
    peerDependenciesMeta
  }
  writeFileSync(join(folder, "package.json"), `${JSON.stringify(manifest, null, 2)}\n`)
}

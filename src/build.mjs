// What is built of the sources: the server and one file for each worker, side by side.
import { spawnSync } from "node:child_process"
import { existsSync, readdirSync, rmSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { lazyEndpoints } from "./lazyEndpoints.mjs"
import { lightLayers } from "./lightLayers.mjs"

/** The folder of the repository. */
export const root = join(dirname(fileURLToPath(import.meta.url)), "..")

const workerFolders = ["clickhouse", "node", "sqlite"].map((technology) =>
  join("src", "adapters", technology, "workers")
)

const workerEntries = () =>
  workerFolders.flatMap((folder) =>
    readdirSync(join(root, folder))
      .filter((file) => file.endsWith(".ts"))
      .map((file) => [file.slice(0, -".ts".length), join(folder, file)])
  )

/** The commit that is checked out, null outside a clone. */
const commit = () => {
  if (!existsSync(join(root, ".git"))) return null
  const { status, stdout } = spawnSync("git", ["rev-parse", "HEAD"], { cwd: root, encoding: "utf8" })
  return status === 0 ? stdout.trim() : null
}

/**
 * Modules that libraries import for what the server does not use, by who imports them; a megabyte that each process would read and keep.
 */
const leftOut = [
  // The platform's index names all of its modules; the script of the reference is loaded when it is asked for.
  { module: /^\.\/HttpApi(Scalar|Swagger)\.js$/, importer: /platform\/dist\/esm\/index\.js$/ },
  // What makes values at random from a schema, which tests do, over the sources.
  { module: /^fast-check$/, importer: /effect\/dist\/esm\/FastCheck\.js$/ },
  // What opens WebSockets, of which the server has none: the platform makes its part of them when a request is first made one.
  { module: /^ws$/, importer: /platform-node\/dist\/esm\/internal\/httpServer\.js$/ },
  // What reads a file that an option of a command names; test/architecture.test.ts sees to it that no option does.
  { module: /^(ini|toml|yaml)$/, importer: /cli\/dist\/esm\/internal\/files\.js$/ }
]

const withoutLeftOut = {
  name: "without-left-out",
  setup: (build) => {
    for (const { module, importer } of leftOut)
      build.onResolve({ filter: module }, ({ path, ...asked }) =>
        importer.test(asked.importer.replaceAll("\\", "/")) ? { path, namespace: "left-out" } : undefined
      )
    build.onLoad({ filter: /.*/, namespace: "left-out" }, () => ({ contents: "export default {}" }))
  }
}

const common = (outdir) => ({
  absWorkingDir: root,
  outdir,
  outExtension: { ".js": ".mjs" },
  bundle: true,
  platform: "node",
  target: "node20",
  format: "esm",
  sourcemap: true,
  minifySyntax: true,
  external: ["better-sqlite3"],
  define: { GAMEKEEPER_COMMIT: JSON.stringify(commit()) },
  // Of what is left out nothing is named in its place, which is what nothing uses.
  logOverride: { "import-is-undefined": "silent" },
  plugins: [withoutLeftOut, lazyEndpoints, lightLayers],
  logLevel: "warning",
  metafile: true,
  banner: {
    js: 'import{createRequire as __createRequire}from"node:module";const require=__createRequire(import.meta.url);'
  }
})

/** What games load: files that need nothing else, but the SDKs of OpenFeature, which the application brings. */
const client = (outdir, folder, name, platform) => ({
  absWorkingDir: root,
  outdir: join(outdir, folder),
  outExtension: { ".js": ".mjs" },
  entryPoints: { [name]: `src/${folder}/${name}.ts` },
  bundle: true,
  platform,
  external: ["@openfeature/*"],
  target: "es2022",
  format: "esm",
  minify: true,
  logLevel: "warning",
  metafile: true
})

/**
 * The options of esbuild for the builds into this folder of the repository. What the server loads only when it is asked for lies in files of
 * its own beside it; a worker is one file.
 */
export const buildOptions = (outdir) => [
  { ...common(outdir), entryPoints: { main: "src/main.ts" }, splitting: true, chunkNames: "part-[hash]" },
  { ...common(outdir), entryPoints: Object.fromEntries(workerEntries()) },
  client(outdir, "sdk", "browser", "browser"),
  client(outdir, "sdk", "node", "node"),
  client(outdir, "openfeature", "server", "node"),
  client(outdir, "openfeature", "web", "browser")
]

/** Deletes what earlier builds have left in the folder: the names of parts tell their content, so old ones would stay for ever. */
export const removeOldParts = (outdir, results) => {
  const parts = new Set(results.flatMap(({ metafile }) => Object.keys(metafile.outputs)))
  for (const file of readdirSync(join(root, outdir))) {
    const name = file.replace(/\.map$/, "")
    if (/^part-.*\.mjs$/.test(name) && !parts.has(`${outdir}/${name}`))
      rmSync(join(root, outdir, file), { force: true })
  }
}

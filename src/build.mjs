// What is built of the sources: the server and one file for each worker, side by side.
import { spawnSync } from "node:child_process"
import { existsSync, readdirSync, rmSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"

/** The folder of the repository. */
export const root = join(dirname(fileURLToPath(import.meta.url)), "..")

const workerFolders = ["node", "sqlite"].map((technology) => join("src", "adapters", technology, "workers"))

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
 * The platform's index names all of its modules, so that esbuild would put the script of the reference, some megabytes that are loaded when
 * they are asked for, into what the server starts with. Nobody uses it through the index.
 */
const withoutReference = {
  name: "without-reference",
  setup: (build) => {
    build.onResolve({ filter: /^\.\/HttpApi(Scalar|Swagger)\.js$/ }, ({ path, importer }) =>
      importer.endsWith("index.js") ? { path, namespace: "without-reference" } : undefined
    )
    build.onLoad({ filter: /.*/, namespace: "without-reference" }, () => ({ contents: "export {}" }))
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
  plugins: [withoutReference],
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

// Runs with Node alone: installs what is missing and builds, so that `npm start` and `npm test` need no other step.
import { spawnSync } from "node:child_process"
import { createHash } from "node:crypto"
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"

const root = join(dirname(fileURLToPath(import.meta.url)), "..")
const stamp = join(root, "node_modules", ".gamekeeper-install")
const forTests = ["pretest", "prebench"].includes(process.env.npm_lifecycle_event ?? "")
const lock = createHash("sha256")
  .update(readFileSync(join(root, "package-lock.json")))
  .digest("hex")
const runtime = `${process.versions.modules} ${process.platform} ${process.arch}`

const [hash, abi, scope] = existsSync(stamp) ? readFileSync(stamp, "utf8").split("\n") : []
const current = hash === lock && abi === runtime

if (!current || (forTests && scope !== "all")) {
  const wanted = forTests ? "all" : "runtime"
  console.error(`Installing dependencies (${wanted}), once …`)
  const { status } = spawnSync(
    "npm",
    [
      ...(current ? ["install", "--no-save"] : ["ci"]),
      forTests ? "--include=dev" : "--omit=dev",
      "--no-audit",
      "--no-fund"
    ],
    { cwd: root, stdio: ["ignore", "ignore", "inherit"], shell: process.platform === "win32" }
  )
  if (status !== 0) process.exit(status ?? 1)
  writeFileSync(stamp, [lock, runtime, wanted, ""].join("\n"))
}

const { buildSync } = await import("esbuild")
const workers = join(root, "src", "adapters", "sqlite", "workers")
mkdirSync(join(root, "dist"), { recursive: true })
buildSync({
  absWorkingDir: root,
  entryPoints: {
    main: "src/main.ts",
    ...Object.fromEntries(
      (existsSync(workers) ? readdirSync(workers) : [])
        .filter((file) => file.endsWith(".ts"))
        .map((file) => [file.slice(0, -3), join(workers, file)])
    )
  },
  outdir: "dist",
  outExtension: { ".js": ".mjs" },
  bundle: true,
  platform: "node",
  target: "node20",
  format: "esm",
  sourcemap: true,
  minifySyntax: true,
  external: ["better-sqlite3", "@effect/platform/HttpApiBuilder", "@effect/platform/HttpApiScalar"],
  logLevel: "warning",
  banner: {
    js: 'import{createRequire as __createRequire}from"node:module";const require=__createRequire(import.meta.url);'
  }
})

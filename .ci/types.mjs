// The native compiler of TypeScript with Effect's diagnostics in it, which @effect/tsgo brings: types and diagnostics in one pass.
// `node .ci/types.mjs -p test/web`
import { execFileSync, spawnSync } from "node:child_process"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"

const manifest = createRequire(import.meta.url).resolve("@effect/tsgo/package.json")
const command = join(dirname(manifest), "dist", "effect-tsgo.cjs")
const compiler = execFileSync(process.execPath, [command, "get-exe-path"], { encoding: "utf8" }).trim()

const { error, status } = spawnSync(compiler, process.argv.slice(2), { stdio: "inherit" })
if (error !== undefined) console.error(error.message)
process.exitCode = status ?? 1

// The native compiler of TypeScript with Effect's diagnostics in it, which @effect/tsgo brings: types and diagnostics in one pass.
// `node .ci/types.mjs -p test/web`
import { execFileSync, spawnSync } from "node:child_process"
import { createRequire } from "node:module"
import { availableParallelism } from "node:os"
import { dirname, join } from "node:path"

const manifest = createRequire(import.meta.url).resolve("@effect/tsgo/package.json")
const command = join(dirname(manifest), "dist", "effect-tsgo.cjs")
const compiler = execFileSync(process.execPath, [command, "get-exe-path"], { encoding: "utf8" }).trim()

// Each checker works out for itself the types that all files share. Three programs are checked side by side, so that on few cores more
// checkers would do the same work again and save no time.
const checkers = Math.min(4, Math.max(1, Math.floor(availableParallelism() / 2)))
// Collects garbage when the heap has grown to five times what lives, instead of twice: fewer checkers hold less.
const env = { ...process.env, GOGC: process.env.GOGC ?? "400" }

const args = ["--checkers", String(checkers), ...process.argv.slice(2)]
const { error, status } = spawnSync(compiler, args, { stdio: "inherit", env })
if (error !== undefined) console.error(error.message)
process.exitCode = status ?? 1

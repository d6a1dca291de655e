// The first release, which the start is compared with: its sources from the history, built once.
import { execFileSync } from "node:child_process"
import { createHash } from "node:crypto"
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { root, settle } from "../../support/Server.ts"
import type { Size } from "../Generate.ts"
import { benchFolder } from "./Stores.ts"

const commit = "43915f4"
const folder = join(benchFolder, "first-release")
const whole = join(folder, "whole")
const loader = "test/bench/folders/LoadFolder.ts"
/** npm and the build together; both are done once. */
const limit = 15 * 60_000

export const firstReleaseMain = join(folder, "dist/main.mjs")

const run = (command: string, args: ReadonlyArray<string>) =>
  execFileSync(command, args, { cwd: folder, stdio: ["ignore", "ignore", "inherit"], timeout: limit })

const driver = (of: string) => join(of, "node_modules/better-sqlite3")

const driverVersion = (of: string): string => JSON.parse(readFileSync(join(driver(of), "package.json"), "utf8")).version

/** Its SQLite driver is the one of this checkout, where the versions are the same: else it would be compiled. */
const takeDriver = () => {
  const binary = join(driver(root), "build")
  if (existsSync(binary) && driverVersion(root) === driverVersion(folder))
    cpSync(binary, join(driver(folder), "build"), { recursive: true })
  else run("npm", ["rebuild", "better-sqlite3"])
}

/** Makes the first release, unless it is there. */
export const buildFirstRelease = (): void => {
  if (existsSync(whole)) return
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const archive = join(folder, "sources.tar")
  execFileSync("git", ["archive", "--output", archive, commit], { cwd: root })
  run("tar", ["-xf", archive])
  run("npm", ["ci", "--include=dev", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"])
  takeDriver()
  const lock = createHash("sha256")
    .update(readFileSync(join(folder, "package-lock.json")))
    .digest("hex")
  const runtime = `${process.versions.modules} ${process.platform} ${process.arch}`
  // Its build would install once more where this does not say that all is there.
  writeFileSync(join(folder, "node_modules/.gamekeeper-install"), [lock, runtime, "all", ""].join("\n"))
  run(process.execPath, ["src/setup.mjs", "build"])
  cpSync(join(root, loader), join(folder, loader))
  writeFileSync(whole, "")
}

/** A data folder that the first release has written, with the markers in environment 1; made once for each size. */
export const folderOfFirstRelease = async (size: Size): Promise<string> => {
  const data = join(benchFolder, String(size.events), "first-release")
  const told = `${data}.whole`
  if (existsSync(told)) return data
  rmSync(data, { recursive: true, force: true })
  mkdirSync(data, { recursive: true })
  await settle(data, firstReleaseMain)
  const file = join(data, "events.sqlite")
  const args = ["--import", "tsx", loader, file, String(size.events), String(size.players)]
  execFileSync(process.execPath, args, { cwd: folder, stdio: ["ignore", "ignore", "inherit"] })
  writeFileSync(told, "")
  return data
}

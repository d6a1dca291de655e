// The SQLite driver. Its version 13 brings a built driver for most systems, but needs Node 22; version 12 serves Node 20 too, and is
// compiled where none can be downloaded. Both are installed, and everything imports the one named better-sqlite3.
import { spawnSync } from "node:child_process"
import { existsSync, lstatSync, readFileSync, rmSync, symlinkSync } from "node:fs"
import { dirname, join } from "node:path"
import { root } from "./build.mjs"

const modules = join(root, "node_modules")
const used = join(modules, "better-sqlite3")
const prebuilt = "better-sqlite3-prebuilt"

/** Whether this Node can load a driver that comes built. */
export const takesPrebuilt = Number(process.versions.node.split(".")[0]) >= 22

/** Whether the driver that everything imports is the one that came built. */
export const isPrebuilt = () => lstatSync(used, { throwIfNoEntry: false })?.isSymbolicLink() ?? false

/** Whether there is a built driver for this system. */
const loads = () => {
  const script = `new (require("${prebuilt}"))(":memory:").close()`
  return spawnSync(process.execPath, ["-e", script], { cwd: root, stdio: "ignore" }).status === 0
}

/** Puts the driver that came built in the place of the other one; false where this system has none. */
export const usePrebuilt = () => {
  if (isPrebuilt()) return true
  if (!loads()) return false
  rmSync(used, { recursive: true, force: true })
  symlinkSync(process.platform === "win32" ? join(modules, prebuilt) : prebuilt, used, "junction")
  return true
}

/**
 * The folder whose `include/node` has the headers of this Node, which most ways of installing Node put beside it; undefined where they are
 * missing or another version's. Without them a compilation downloads them from nodejs.org, which some networks do not let it do.
 */
export const folderOfHeaders = (program = process.execPath, version = process.versions.node) => {
  const folder = dirname(dirname(program))
  const file = join(folder, "include", "node", "node_version.h")
  if (!existsSync(file)) return undefined
  const text = readFileSync(file, "utf8")
  const parts = ["MAJOR", "MINOR", "PATCH"].map(
    (part) => new RegExp(`#define NODE_${part}_VERSION (\\d+)`).exec(text)?.[1]
  )
  return parts.join(".") === version ? folder : undefined
}

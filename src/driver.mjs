// The SQLite driver. Its version 13 brings a built driver for most systems, but needs Node 22; version 12 serves Node 20 too, and is
// compiled where none can be downloaded. Both are installed, and everything imports the one named better-sqlite3.
import { spawnSync } from "node:child_process"
import { lstatSync, rmSync, symlinkSync } from "node:fs"
import { join } from "node:path"
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

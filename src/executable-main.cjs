// The main script of the single executable: puts the build and the driver, which the executable carries, into a folder of the user's cache
// once for each build, and starts what lies there. Node loads addons and worker threads from files alone.
const { createHash } = require("node:crypto")
const { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } = require("node:fs")
const { createRequire } = require("node:module")
const { homedir, tmpdir } = require("node:os")
const { dirname, join } = require("node:path")
const { getAsset, getRawAsset } = require("node:sea")

const list = getAsset("files.json", "utf8")

const caches = () => {
  if (process.platform === "win32") return process.env.LOCALAPPDATA ?? tmpdir()
  return process.env.XDG_CACHE_HOME ?? (homedir() === "/" ? tmpdir() : join(homedir(), ".cache"))
}

/** The folder of this build: its name tells its content. */
const folder = join(caches(), "gamekeeper", createHash("sha256").update(list).digest("hex").slice(0, 16))

const unpack = () => {
  mkdirSync(dirname(folder), { recursive: true, mode: 0o700 })
  const draft = mkdtempSync(`${folder}-`)
  for (const { path } of JSON.parse(list)) {
    mkdirSync(dirname(join(draft, path)), { recursive: true })
    writeFileSync(join(draft, path), new Uint8Array(getRawAsset(path)))
  }
  try {
    renameSync(draft, folder)
  } catch (error) {
    // Another process was faster.
    rmSync(draft, { recursive: true, force: true })
    if (!existsSync(folder)) throw error
  }
}

if (!existsSync(folder)) unpack()

// Read from a file: the script of an executable cannot import files by itself.
createRequire(join(folder, "src", "load.cjs"))("./load.cjs")

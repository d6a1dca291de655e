// The main script of the single executable: puts the build and the driver, which the executable carries, into a folder of the user's cache
// once for each build, and starts what lies there. Node loads addons and worker threads from files alone.
const { createHash } = require("node:crypto")
const { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, statSync, writeFileSync } = require("node:fs")
const { createRequire } = require("node:module")
const { homedir, tmpdir } = require("node:os")
const { dirname, join } = require("node:path")
const { getAsset, getRawAsset } = require("node:sea")

const list = getAsset("files.json", "utf8")

const isWindows = process.platform === "win32"
const variable = isWindows ? "LOCALAPPDATA" : "XDG_CACHE_HOME"

/** The folder of the user; that of temporary files for users that have none, such as one by number alone. */
const home = () => {
  try {
    return homedir() === "/" ? tmpdir() : join(homedir(), ".cache")
  } catch {
    return tmpdir()
  }
}

const caches = () => process.env[variable] ?? (isWindows ? tmpdir() : home())

/** The folder of this build: its name tells its content. */
const folder = join(caches(), "gamekeeper", createHash("sha256").update(list).digest("hex").slice(0, 16))

const refuse = (reason) => {
  console.error(`gamekeeper: ${reason}: name a folder in ${variable} that this user can write`)
  process.exit(1)
}

/** What lies in a folder that others may write, such as that of temporary files, may be theirs: it must not run as this user. */
const isTrusted = () => isWindows || [0, process.getuid()].includes(statSync(folder).uid)

const write = (draft) => {
  for (const { path } of JSON.parse(list)) {
    mkdirSync(dirname(join(draft, path)), { recursive: true })
    writeFileSync(join(draft, path), new Uint8Array(getRawAsset(path)))
  }
  try {
    renameSync(draft, folder)
  } catch (error) {
    // Another process was faster.
    if (!existsSync(folder)) throw error
    rmSync(draft, { recursive: true, force: true })
  }
}

const unpack = () => {
  let draft
  try {
    mkdirSync(dirname(folder), { recursive: true, mode: 0o700 })
    draft = mkdtempSync(`${folder}-`)
    write(draft)
  } catch (error) {
    if (draft !== undefined) rmSync(draft, { recursive: true, force: true })
    refuse(`Cannot put its files into ${dirname(folder)} (${error.code ?? error.message})`)
  }
}

if (!existsSync(folder)) unpack()
if (!isTrusted()) refuse(`${folder} belongs to another user`)

// Read from a file: the script of an executable cannot import files by itself.
createRequire(join(folder, "src", "load.cjs"))("./load.cjs")

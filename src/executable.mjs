// Makes one file that runs without Node, npm or anything else: Node itself with the build and the SQLite driver inside, for the system that
// runs this script. Node 22 or later makes it. `node src/executable.mjs <folder>` puts it there.
import {
  chmodSync,
  copyFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync
} from "node:fs"
import { createHash } from "node:crypto"
import { tmpdir } from "node:os"
import { join, resolve, sep } from "node:path"
import { root } from "./build.mjs"
import { runCommand } from "./commands.mjs"
import { takesPrebuilt } from "./driver.mjs"
import { pack } from "./packed.mjs"

/** What puts the files into a copy of Node, as Node's manual says. */
const injector = "postject@1.0.0-alpha.6"
const fuse = "NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2"
const isWindows = process.platform === "win32"

const into = resolve(process.argv[2] ?? join(root, "package"))
const executable = join(into, isWindows ? "gamekeeper.exe" : "gamekeeper")

const run = (command, args) => {
  const { status, error } = runCommand(command, args, { stdio: ["ignore", "ignore", "inherit"] })
  if (status !== 0) throw new Error(`${command} ${args[0]} ended with ${error?.message ?? `code ${status}`}`)
}

/** The driver: what it loads, and its builds for this kind of machine. */
const packDriver = (folder) => {
  const driver = join(root, "node_modules", "better-sqlite3-prebuilt")
  const fits = new RegExp(`^${process.platform}(musl)?-${process.arch}\\.node$`)
  for (const name of ["package.json", "LICENSE", "lib"])
    cpSync(join(driver, name), join(folder, name), { recursive: true })
  for (const name of readdirSync(join(driver, "prebuilds")).filter((each) => fits.test(each))) {
    cpSync(join(driver, "prebuilds", name), join(folder, "prebuilds", name))
  }
}

const sign = () => {
  if (process.platform === "darwin") run("codesign", ["--sign", "-", executable])
}

const make = (folder) => {
  const files = join(folder, "files")
  mkdirSync(files)
  pack(files)
  packDriver(join(files, "node_modules", "better-sqlite3"))
  writeFileSync(join(files, "src", "load.cjs"), 'void import("./start.mjs")\n')
  const paths = readdirSync(files, { recursive: true }).filter((path) => statSync(join(files, path)).isFile())
  const list = paths.map((path) => ({
    path: path.split(sep).join("/"),
    digest: createHash("sha256")
      .update(readFileSync(join(files, path)))
      .digest("hex")
  }))
  const written = (name, content) => {
    writeFileSync(join(folder, name), JSON.stringify(content))
    return join(folder, name)
  }
  const blob = join(folder, "blob")
  const assets = Object.fromEntries(list.map(({ path }) => [path, join(files, path)]))
  const config = written("config.json", {
    main: join(root, "src", "executable-main.cjs"),
    output: blob,
    disableExperimentalSEAWarning: true,
    assets: { ...assets, "files.json": written("files.json", list) }
  })
  run(process.execPath, ["--experimental-sea-config", config])
  mkdirSync(into, { recursive: true })
  rmSync(executable, { force: true })
  copyFileSync(process.execPath, executable)
  chmodSync(executable, 0o755)
  if (process.platform === "darwin") run("codesign", ["--remove-signature", executable])
  const segment = process.platform === "darwin" ? ["--macho-segment-name", "NODE_SEA"] : []
  run("npx", ["--yes", injector, executable, "NODE_SEA_BLOB", blob, "--sentinel-fuse", fuse, ...segment])
  sign()
}

if (takesPrebuilt) {
  const folder = mkdtempSync(join(tmpdir(), "gamekeeper-executable-"))
  try {
    make(folder)
    console.log(`${executable}: ${Math.round(statSync(executable).size / 1e6)} MB`)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
} else {
  console.error(`The executable is made by Node 22 or later; this is ${process.version}.`)
  process.exitCode = 1
}

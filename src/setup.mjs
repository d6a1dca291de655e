// Runs with Node alone: installs what is missing and builds, so that `npm start` and `npm test` need no other step.
import { spawn } from "node:child_process"
import { createHash } from "node:crypto"
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { buildOptions, removeOldParts, root } from "./build.mjs"
import { folderOfHeaders, isPrebuilt, takesPrebuilt, usePrebuilt } from "./driver.mjs"
import { scopeOf } from "./scope.mjs"
import { takeTurn } from "./turn.mjs"

await takeTurn(join(root, ".gamekeeper-setup"))

const stamp = join(root, "node_modules", ".gamekeeper-install")
const wanted = scopeOf(process.env.npm_lifecycle_event ?? "")
const lock = createHash("sha256")
  .update(readFileSync(join(root, "package-lock.json")))
  .digest("hex")
const runtime = `${process.versions.modules} ${process.platform} ${process.arch}`

const [hash, abi, scope, driver] = existsSync(stamp) ? readFileSync(stamp, "utf8").split("\n") : []
const current = hash === lock && abi === runtime && (driver === "prebuilt") === isPrebuilt()

const compilers = {
  linux: "On Debian or Ubuntu: apt-get install -y build-essential python3",
  darwin: "On macOS: xcode-select --install",
  win32: "On Windows: install Visual Studio Build Tools with the workload Desktop development with C++, and Python 3"
}

/** Says what to install where the SQLite driver could not be compiled. */
const explain = (output) => {
  if (!/gyp|better-sqlite3|prebuild-install/.test(output)) return
  console.error(
    [
      "",
      "The SQLite driver (better-sqlite3) could not be installed: no prebuilt driver could be downloaded for",
      `Node ${process.versions.node} on ${process.platform} ${process.arch}, and compiling it failed. With Node 24 most systems need no compiler.`,
      ...(/network connectivity|ENOTFOUND|ECONNREFUSED|ETIMEDOUT/.test(output)
        ? ["GitHub, where it is built, and nodejs.org, where the headers for compiling are, could not be reached."]
        : []),
      "Otherwise compiling needs a C++ compiler, make and Python 3.",
      compilers[process.platform] ??
        "Install a C++ compiler, make and Python 3 with the package manager of this system.",
      "Then run the same command again."
    ].join("\n")
  )
}

const headers = folderOfHeaders()
const env = { ...process.env, ...(headers === undefined ? {} : { npm_config_nodedir: headers }) }

/** Runs npm; what it complains about is shown, and read to explain it. */
const npm = (args) =>
  new Promise((done) => {
    const child = spawn("npm", args, {
      cwd: root,
      env,
      stdio: ["ignore", "ignore", "pipe"],
      shell: process.platform === "win32"
    })
    let output = ""
    child.stderr.on("data", (chunk) => {
      output += chunk
      process.stderr.write(chunk)
    })
    child.on("error", (error) => done({ status: 1, output: String(error) }))
    child.on("close", (status) => done({ status: status ?? 1, output }))
  })

/** Runs npm, and ends with its code where it fails. */
const demand = async (args) => {
  const { status, output } = await npm(args)
  if (status === 0) return
  explain(output)
  process.exit(status)
}

if (!current || (wanted === "all" && scope !== "all")) {
  console.error(`Installing dependencies (${wanted}), once …`)
  if (!takesPrebuilt) {
    console.error(
      "The SQLite driver for this Node is downloaded, or compiled, which takes a minute or two. With Node 24 it comes along."
    )
  }
  await demand([
    ...(current ? ["install", "--no-save"] : ["ci"]),
    wanted === "all" ? "--include=dev" : "--omit=dev",
    ...(takesPrebuilt ? ["--ignore-scripts"] : []),
    "--no-audit",
    "--no-fund",
    // Warnings are about what only one of the two drivers asks for.
    "--loglevel=error"
  ])
  const hasPrebuilt = takesPrebuilt && usePrebuilt()
  if (takesPrebuilt && !hasPrebuilt) {
    console.error(
      "The SQLite driver comes without a build for this system: compiling it, which takes a minute or two …"
    )
    await demand(["rebuild", "better-sqlite3"])
  }
  writeFileSync(stamp, [lock, runtime, wanted, hasPrebuilt ? "prebuilt" : "compiled", ""].join("\n"))
}

// Scripts begin with `exec`, so that npm's signals reach the server and not a shell before it. Windows has no such command.
if (process.platform === "win32") writeFileSync(join(root, "node_modules", ".bin", "exec.cmd"), "@%*\r\n")

const { build } = await import("esbuild")
const { buildWeb } = await import("./buildWeb.mjs")
const { buildGuide } = await import("./buildGuide.mjs")
const builds = buildOptions("dist").map((options) => build(options))
const [, , ...built] = await Promise.all([buildWeb("dist/web"), buildGuide("dist/guide"), ...builds])
removeOldParts("dist", built)

// What the engine compiled of an earlier build would stay for ever.
for (const folder of ["dist", join("dist", "dev")]) {
  rmSync(join(root, folder, "compiled"), { recursive: true, force: true })
}

// Installs Gamekeeper in each way that needs no clone, in an empty folder and with an empty environment, and goes through the README's five
// minutes to a first chart there. Runs with Node 22 or later, which package and executable are made for.
import { spawn } from "node:child_process"
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { delimiter, dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { askFirstChart, run } from "./quickstart.mjs"

const root = join(dirname(fileURLToPath(import.meta.url)), "..")
const folder = mkdtempSync(join(tmpdir(), "gamekeeper-installs-"))
const startMilliseconds = 60_000

const listening = (child) =>
  new Promise((found, failed) => {
    let out = ""
    const timer = setTimeout(() => failed(new Error(`it does not listen: ${out}`)), startMilliseconds)
    child.stdout.on("data", (chunk) => {
      out += chunk
      const [, url] = /listening on (http:\/\/\S+)/.exec(out) ?? []
      if (url === undefined) return
      clearTimeout(timer)
      found(url)
    })
    child.once("exit", (code) => failed(new Error(`it ended with code ${code}`)))
  })

/** Starts it, asks for the first chart and the dashboard, and stops it. */
const tried = async (name, command, args, env) => {
  const own = join(folder, name)
  mkdirSync(own, { recursive: true })
  const options = { cwd: own, env: { HOME: own, ...env }, stdio: ["ignore", "pipe", "inherit"] }
  const begun = performance.now()
  const child = spawn(command, [...args, "--data", join(own, "data"), "--port", "0"], options)
  const ended = new Promise((done) => child.once("exit", done))
  try {
    const url = await listening(child)
    const seconds = ((performance.now() - begun) / 1000).toFixed(1)
    const page = await fetch(url, { headers: { accept: "text/html" } })
    if (page.status !== 200) throw new Error(`the dashboard answers ${page.status}`)
    askFirstChart(url, own)
    console.log(`ok  ${name}: listens after ${seconds} s, and answers a first chart`)
  } finally {
    child.kill("SIGTERM")
    await ended
  }
}

try {
  const withNode = { PATH: [dirname(process.execPath), process.env.PATH].join(delimiter) }
  run(process.execPath, [join(root, "src/package.mjs"), folder])
  const tarball = readdirSync(folder).find((file) => file.endsWith(".tgz"))
  const installed = join(folder, "package")
  mkdirSync(installed)
  run("npm", ["install", "--no-audit", "--no-fund", "--loglevel=error", "--prefix", installed, join(folder, tarball)], {
    cwd: installed
  })
  const bin = join(installed, "node_modules", ".bin", "gamekeeper")
  await tried("package", bin, [], withNode)
  run(process.execPath, [join(root, "src/executable.mjs"), folder])
  await tried("executable", join(folder, "gamekeeper"), [], {})
} finally {
  rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 })
}

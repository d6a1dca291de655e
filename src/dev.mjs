// Serves, and builds and starts again whenever a source changes. What is built lies apart from what `npm start` and the tests use.
import { fork } from "node:child_process"
import { watch } from "node:fs"
import { join } from "node:path"
import { context } from "esbuild"
import { buildOptions, removeOldParts, root } from "./build.mjs"
import { buildGuide } from "./buildGuide.mjs"
import { buildWeb } from "./buildWeb.mjs"

const outdir = "dist/dev"
const settleMilliseconds = 50
const stopMilliseconds = 10_000

const say = (message) => console.error(`dev: ${message}`)

let server = null
let isEnding = false

const start = () => {
  server = fork(join(root, "src", "start.mjs"), process.argv.slice(2), {
    env: { ...process.env, GAMEKEEPER_BUILD: outdir }
  })
  const started = server
  started.once("exit", (code) => {
    if (server === started) server = null
    if (!isEnding && code !== 0) say(`the server ended with code ${code}; waiting for a change`)
  })
}

/** Closing the channel is how a server is asked to stop on every system. */
const stop = async () => {
  const stopping = server
  if (stopping === null) return
  const ended = new Promise((done) => stopping.once("exit", done))
  if (stopping.connected) stopping.disconnect()
  const timer = setTimeout(() => stopping.kill("SIGKILL"), stopMilliseconds)
  await ended
  clearTimeout(timer)
}

// Maps of sources take half of the time of a build, and without them the built file is readable enough to find a line in.
const builders = await Promise.all(
  buildOptions(outdir).map((options) => context({ ...options, sourcemap: false, minifySyntax: false }))
)

const restart = async () => {
  const began = Date.now()
  let results
  try {
    const [, , ...built] = await Promise.all([
      buildWeb(`${outdir}/web`),
      buildGuide(`${outdir}/guide`),
      ...builders.map((builder) => builder.rebuild())
    ])
    results = built
  } catch {
    say("the build failed; the server goes on with what was built before")
    return
  }
  await stop()
  if (isEnding) return
  removeOldParts(outdir, results)
  start()
  say(`built and started in ${Date.now() - began} ms`)
}

let work = restart()
let timer

const onChange = () => {
  clearTimeout(timer)
  timer = setTimeout(() => (work = work.then(restart)), settleMilliseconds)
}

for (const folder of ["src", "schema"]) watch(join(root, folder), { recursive: true }, onChange)

const end = async () => {
  if (isEnding) return
  isEnding = true
  clearTimeout(timer)
  await Promise.all([work, stop()])
  await stop()
  process.exit(0)
}

for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, end)
if (process.platform === "win32") process.on("SIGBREAK", end)

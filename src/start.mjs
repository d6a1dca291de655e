#!/usr/bin/env node
// Runs what is built so that it ends cleanly together with npm.
import { readFileSync } from "node:fs"
import module from "node:module"
import { fileURLToPath, pathToFileURL } from "node:url"
import { stopWithParent } from "./stopping.mjs"

/** The oldest Node that the SQLite driver loads in, where it names one: an older one would end in a segmentation fault, without a word. */
const oldestNode = () => {
  const driver = pathToFileURL(module.createRequire(import.meta.url).resolve("better-sqlite3"))
  const { engines } = JSON.parse(readFileSync(new URL("../package.json", driver), "utf8"))
  return Number(/^>=(\d+)/.exec(engines?.node ?? "")?.[1] ?? 0)
}

const oldest = oldestNode()
if (Number(process.versions.node.split(".")[0]) < oldest) {
  console.error(
    `gamekeeper: The SQLite driver of this installation needs Node ${oldest} or later, and this is Node ${process.versions.node}: start it with a later one, or in a clone by npm start, which installs another driver`
  )
  process.exit(1)
}

stopWithParent()

const build = new URL(`../${process.env.GAMEKEEPER_BUILD ?? "dist"}/`, import.meta.url)

// Node 22 and later keep what the engine compiled, so that a later start takes a fifth less processor time until it serves.
module.enableCompileCache?.(fileURLToPath(new URL("compiled", build)))
await import(new URL("main.mjs", build).href)

#!/usr/bin/env node
// Runs what is built so that it ends cleanly together with npm.
import module from "node:module"
import { fileURLToPath } from "node:url"
import { stopWithParent } from "./stopping.mjs"

stopWithParent()

const build = new URL(`../${process.env.GAMEKEEPER_BUILD ?? "dist"}/`, import.meta.url)

// Node 22 and later keep what the engine compiled, so that a later start takes a fifth less processor time until it serves.
module.enableCompileCache?.(fileURLToPath(new URL("compiled", build)))
await import(new URL("main.mjs", build).href)

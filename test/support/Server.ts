import type { ChildProcess } from "node:child_process"
import { spawn } from "node:child_process"
import { existsSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { pathToFileURL } from "node:url"
import type { Answer, Call } from "./TestApp.ts"

export const root = resolve(import.meta.dirname, "../..")

export interface Ended {
  readonly code: number | null
  readonly out: string
  readonly err: string
}

export interface Running {
  readonly process: ChildProcess
  readonly output: () => { readonly out: string; readonly err: string }
  readonly ended: Promise<Ended>
}

const built = join(root, "dist/main.mjs")

const isTest = process.env["VITEST"] !== undefined

/**
 * The engine of Node 20 optimizes a function when this many bytes of its code have run, six times as many as it waits for by itself. Servers of
 * tests end soon after they have started, and a tenth of their processor time went into code that did not run often enough afterwards to be
 * worth it. Later engines do not know the option.
 */
const interruptBudget = process.versions.node.startsWith("20.") ? ["--interrupt-budget=400000"] : []

/** Benchmarks start servers as everybody does. */
const engineOptions = isTest
  ? [...interruptBudget, `--import=${pathToFileURL(join(root, "test/support/access/QuickScrypt.mjs")).href}`]
  : []

/** Runs the built command line, or another file that does the same. */
export const gamekeeper = (
  args: ReadonlyArray<string>,
  env: Record<string, string> = {},
  main: string = built
): Running => {
  const child = spawn(process.execPath, [...engineOptions, main, ...args], { env: { ...process.env, ...env } })
  const reap = () => child.kill("SIGKILL")
  process.once("exit", reap)
  child.once("close", () => process.off("exit", reap))
  let out = ""
  let err = ""
  child.stdout.on("data", (chunk: Buffer) => (out += chunk.toString()))
  child.stderr.on("data", (chunk: Buffer) => (err += chunk.toString()))
  const ended = new Promise<Ended>((done) => child.on("close", (code) => done({ code, out, err })))
  return { process: child, output: () => ({ out, err }), ended }
}

/** Starts the built server on a free port and waits until it listens. Limits are on where somebody asks for them. */
export const startServer = async (
  data: string,
  args: ReadonlyArray<string> = [],
  env: Record<string, string> = {},
  main: string = built
) => {
  const limits = args.includes("--rate-limits") ? [] : ["--rate-limits", "off"]
  const server = gamekeeper(["--data", data, "--port", "0", ...limits, ...args], env, main)
  const url = await new Promise<string>((found, failed) => {
    const look = () => {
      const match = /listening on (http:\/\/\S+)/.exec(server.output().out)
      if (match?.[1] !== undefined) found(match[1])
    }
    server.process.stdout?.on("data", look)
    void server.ended.then(({ err }) => failed(new Error(err)))
  })
  const stop = () => {
    server.process.kill("SIGTERM")
    return server.ended
  }
  return { ...server, url, stop }
}

/** Lets somebody sign up and in over a data folder, so that it has an organization, a project and its environments. */
export const settle = async (data: string, main: string = built): Promise<Ended> => {
  const server = await startServer(data, [], {}, main)
  const person = { email: "ada@studio.example", password: "correct horse battery staple" }
  const post = (path: string, body: unknown) =>
    fetch(server.url + path, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body)
    })
  await post("/users/auth/signup", { name: "Ada", motive: "", ...person })
  await post("/users/auth/signin", person)
  return await server.stop()
}

/** Requests to a running server. */
export const fetchRequest =
  (base: string) =>
  async (method: string, path: string, call: Call = {}): Promise<Answer> => {
    const response = await fetch(base + path, {
      method,
      headers: { ...(call.body === undefined ? {} : { "content-type": "application/json" }), ...call.headers },
      ...(call.body === undefined ? {} : { body: JSON.stringify(call.body) }),
      ...(call.raw === undefined ? {} : { body: call.raw instanceof Uint8Array ? Buffer.from(call.raw) : call.raw })
    })
    const text = await response.text()
    return {
      status: response.status,
      headers: response.headers,
      text,
      body: text === "" ? undefined : JSON.parse(text)
    }
  }

/**
 * Removes a folder and what is in it. A thread that is ending may still make a file in it, which `maxRetries` of Node.js does not take
 * away: it tries the empty folder again, not the files.
 */
export const removeFolder = (folder: string): void => {
  for (let tries = 10; tries > 0 && existsSync(folder); tries--) {
    try {
      rmSync(folder, { recursive: true, force: true, maxRetries: 1, retryDelay: 100 })
    } catch (cause) {
      if (tries === 1) throw cause
    }
  }
}

/** A folder that is gone after the work. */
export const withFolder = async <A>(work: (folder: string) => Promise<A>): Promise<A> => {
  const folder = mkdtempSync(join(tmpdir(), "gamekeeper-"))
  try {
    return await work(folder)
  } finally {
    removeFolder(folder)
  }
}

import { spawn } from "node:child_process"
import { setTimeout as sleep } from "node:timers/promises"
import { root } from "./Server.ts"

const mostMilliseconds = 180_000

/** Waits until `look` finds something; fails where it does not within three minutes. */
export const eventually = async <A>(what: string, look: () => A | undefined | Promise<A | undefined>): Promise<A> => {
  for (const until = Date.now() + mostMilliseconds; Date.now() < until; await sleep(50)) {
    const found = await look()
    if (found !== undefined) return found
  }
  throw new Error(`${what}: not in ${mostMilliseconds / 1000} s`)
}

/** npm itself rather than the script that starts it, which would not pass signals on. */
const [command, ...first] =
  process.env["npm_execpath"] === undefined ? ["npm"] : [process.execPath, process.env["npm_execpath"]]

/** Runs a script of package.json through npm, without building before it: other tests run what is built. */
export const npm = (script: string, options: ReadonlyArray<string>, args: ReadonlyArray<string>) => {
  const child = spawn(command, [...first, "run", script, "--ignore-scripts", ...options, "--", ...args], { cwd: root })
  let out = ""
  child.stdout.on("data", (chunk: Buffer) => (out += chunk.toString()))
  child.stderr.on("data", (chunk: Buffer) => (out += chunk.toString()))
  const ended = new Promise<void>((done) => child.on("exit", () => done()))
  const urls = () => [...out.matchAll(/listening on (http:\/\/\S+)/g)].map(([, url = ""]) => url)
  return { child, ended, output: () => out, urls }
}

export const isServed = (url: string): Promise<boolean> =>
  fetch(`${url}/health`).then(
    ({ ok }) => ok,
    () => false
  )

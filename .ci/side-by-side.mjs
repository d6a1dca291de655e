// Runs scripts of package.json side by side, as many at once as there are cores, and shows what each said when it has ended. Fails where
// one of them does. `-- command arguments` runs a command beside them, which takes longer than all of them: they take what it leaves of the
// cores, one at a time, and end it where one of them fails.
import { spawn } from "node:child_process"
import { availableParallelism, constants, setPriority } from "node:os"

const words = process.argv.slice(2)
const bound = words.indexOf("--")
const waiting = bound < 0 ? words : words.slice(0, bound)
const [command, ...options] = bound < 0 ? [] : words.slice(bound + 1)
const shell = process.platform === "win32"

const start = (name, args, stdio) => {
  const child = spawn(name, args, { stdio, shell })
  const ended = new Promise((done) => {
    child.on("error", (error) => {
      console.error(`${name} could not be started: ${error.message}`)
      done(1)
    })
    child.on("close", (code) => done(code ?? 1))
  })
  return { child, ended }
}

const run = async (script) => {
  const { child, ended } = start("npm", ["run", "--silent", script], ["ignore", "pipe", "pipe"])
  if (command !== undefined && child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_LOW)
  const said = []
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => said.push(chunk))
  const code = await ended
  process.stdout.write(Buffer.concat(said))
  if (code !== 0) console.error(`npm run ${script} ended with code ${code}`)
  return code === 0
}

let isGood = true
const beside = command === undefined ? undefined : start(command, options, "inherit")
const work = async () => {
  for (let script = waiting.shift(); script !== undefined; script = waiting.shift()) {
    if (await run(script)) continue
    isGood = false
    beside?.child.kill()
  }
}
const atOnce = beside === undefined ? availableParallelism() : 1
const code = beside?.ended ?? Promise.resolve(0)
await Promise.all(Array.from({ length: atOnce }, work))
process.exitCode = (await code) === 0 && isGood ? 0 : 1

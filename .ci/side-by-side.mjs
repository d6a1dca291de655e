// Runs scripts of package.json side by side, as many at once as there are cores, and shows what each said when it has ended. Fails where
// one of them does.
import { spawn } from "node:child_process"
import { availableParallelism } from "node:os"

const waiting = process.argv.slice(2)

const run = (script) =>
  new Promise((done) => {
    const child = spawn("npm", ["run", "--silent", script], {
      stdio: ["ignore", "pipe", "pipe"],
      shell: process.platform === "win32"
    })
    const said = []
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => said.push(chunk))
    child.on("error", (error) => said.push(Buffer.from(String(error))))
    child.on("close", (code) => {
      process.stdout.write(Buffer.concat(said))
      if (code !== 0) console.error(`npm run ${script} ended with code ${code}`)
      done(code === 0)
    })
  })

let isGood = true
const work = async () => {
  for (let script = waiting.shift(); script !== undefined; script = waiting.shift()) {
    if (!(await run(script))) isGood = false
  }
}
await Promise.all(Array.from({ length: availableParallelism() }, work))
process.exitCode = isGood ? 0 : 1

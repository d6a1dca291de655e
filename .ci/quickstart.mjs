// The README's five minutes, for whoever shows that one way of installing leads to a first chart.
import { spawnSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"

const readme = join(dirname(fileURLToPath(import.meta.url)), "..", "README.md")

const commands = [...readFileSync(readme, "utf8").matchAll(/```sh quickstart\n([\s\S]*?)```/g)]
  .map(([, block]) => block)
  .join("\n")

/** What the program prints; ends with an error where it fails. */
export const run = (program, args, options = {}) => {
  const { status, error, stdout } = spawnSync(program, args, {
    stdio: ["ignore", "pipe", "inherit"],
    encoding: "utf8",
    ...options
  })
  if (status !== 0) throw new Error(`${program} ${args.join(" ")} ended with ${error?.message ?? `code ${status}`}`)
  return stdout
}

/** Goes through the commands of the README against the server at the address, and ends with an error where the chart is another one. */
export const askFirstChart = (url, folder) => {
  const answers = run("sh", ["-ec", commands], { cwd: folder, env: { PATH: process.env.PATH, GK: url } })
  const chart = JSON.parse(answers.slice(answers.lastIndexOf('{"time"')))
  const total = chart.series.reduce((sum, { aggregate }) => sum + aggregate, 0)
  if (total !== 5) throw new Error(`the first chart adds up to ${total}, not to 5`)
}

// `npm run test:fast`: the short tests, without the files of which nothing has changed since they were green today. `--all` runs them all.
import { spawn } from "node:child_process"
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs"
import { createRequire } from "node:module"
import { tmpdir } from "node:os"
import { dirname, join, relative } from "node:path"
import { createVitest } from "vitest/node"
import { runChanged } from "./Changed.ts"

const root = process.cwd()
const config = "vitest.fast.config.ts"
const vitest = join(dirname(createRequire(import.meta.url).resolve("vitest/package.json")), "vitest.mjs")

const testsOf = async (): Promise<ReadonlyArray<string>> => {
  const listing = await createVitest("test", { root, config, watch: false })
  const found = await listing.globTestSpecifications()
  await listing.close()
  return found.map(({ moduleId }) => relative(root, moduleId).replaceAll("\\", "/")).sort()
}

const run = (tests: ReadonlyArray<string>): Promise<{ readonly green: ReadonlyArray<string>; readonly code: number }> =>
  new Promise((done) => {
    const folder = mkdtempSync(join(tmpdir(), "results-"))
    const results = join(folder, "results.json")
    const reporters = ["--reporter=default", `--reporter=${join(import.meta.dirname, "Results.ts")}`]
    const child = spawn(process.execPath, [vitest, "run", "--config", config, ...reporters, ...tests], {
      cwd: root,
      stdio: "inherit",
      env: { ...process.env, GAMEKEEPER_TEST_RESULTS: results }
    })
    child.on("close", (code) => {
      const green: ReadonlyArray<string> = existsSync(results) ? JSON.parse(readFileSync(results, "utf8")) : []
      rmSync(folder, { recursive: true })
      done({ green, code: code ?? 1 })
    })
  })

const asked = process.argv.slice(2)
const strange = asked.filter((word) => word !== "--all")
if (strange.length > 0) {
  console.error(
    `Unknown: ${strange.join(" ")}. For single tests: npx vitest run --config ${config} ${strange.join(" ")}`
  )
  process.exitCode = 2
} else {
  const tests = await testsOf()
  const say = (line: string) => console.log(line)
  process.exitCode = await runChanged({ root, tests, isAll: asked.includes("--all"), now: () => new Date(), say, run })
}

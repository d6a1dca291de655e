import { spawn } from "node:child_process"
import { parseArgs } from "node:util"

/** Damages copies of a folder so many times, from that seed on, and compares all answers: `npm run damage -- --count 500 --seed 42`. */
const { values } = parseArgs({
  options: { count: { type: "string", default: "500" }, seed: { type: "string", default: "1" } }
})

const env = { ...process.env, GAMEKEEPER_DAMAGES: values.count, GAMEKEEPER_TEST_SEED: values.seed }
const run = spawn("npx", ["vitest", "run", "test/crash/Damage.test.ts"], { env, stdio: "inherit" })
run.once("close", (code) => process.exit(code ?? 1))

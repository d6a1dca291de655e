import { spawn } from "node:child_process"
import { parseArgs } from "node:util"

/**
 * Kills the built server so many times under a mix of everything, in slices with a folder and a seed of their own, and compares what is
 * there with what was acknowledged: `npm run kills -- --count 1000 --seed 1`. No slice begins once `--minutes` have passed.
 */
const { values } = parseArgs({
  options: {
    count: { type: "string", default: "1000" },
    seed: { type: "string", default: "1" },
    minutes: { type: "string", default: "600" }
  }
})

const env = {
  ...process.env,
  GAMEKEEPER_KILLS: values.count,
  GAMEKEEPER_TEST_SEED: values.seed,
  GAMEKEEPER_KILL_MINUTES: values.minutes
}
const run = spawn("npx", ["vitest", "run", "test/crash/Mix.test.ts"], { env, stdio: "inherit" })
run.once("close", (code) => process.exit(code ?? 1))

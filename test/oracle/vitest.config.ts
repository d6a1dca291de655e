import { defineConfig, mergeConfig } from "vitest/config"
import complete from "../../vitest.config.ts"

/** A thousand two hundred and fifty questions of each kind, five times as many as in `npm test`. */
const runs = process.env["GAMEKEEPER_TEST_RUNS"] ?? "5"

export default mergeConfig(complete, defineConfig({ test: { env: { GAMEKEEPER_TEST_RUNS: runs } } }))

import { defineConfig, mergeConfig } from "vitest/config"
import complete from "./vitest.config.ts"

const runs = process.env["GAMEKEEPER_TEST_RUNS"] ?? "0.05"

export default mergeConfig(
  complete,
  defineConfig({
    test: {
      exclude: [
        "test/crash/**",
        "test/app/**",
        "test/services/demo/Demo.test.ts",
        "test/adapters/sqlite/events/golden/Golden.test.ts",
        "**/{Fuzz,SameBytes,Stickiness,Simulation,CookieCats,HangUps,HangUpSweep}.test.ts",
        // Walks of every endpoint with every kind of credential: as long as the fuzz.
        "test/http/platform/{Refusals,Permissions}.test.ts"
      ],
      env: { GAMEKEEPER_TEST_RUNS: runs, GAMEKEEPER_TEST_STORES: "served" }
    }
  })
)

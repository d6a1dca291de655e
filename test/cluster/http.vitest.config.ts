import { configDefaults, defineConfig, mergeConfig } from "vitest/config"
import complete from "../../vitest.config.ts"

/** The HTTP suites over PostgreSQL and ClickHouse: each request waits for a database, and one engine serves all files, so they take long. */
export default mergeConfig(
  { ...complete, test: { ...complete.test, include: [], exclude: [], globalSetup: [] } },
  defineConfig({
    test: {
      include: ["test/http/**/*.test.ts"],
      // `npm run test:cluster` has these.
      exclude: [...configDefaults.exclude, "test/http/operations/TwoProcesses*.test.ts"],
      globalSetup: ["test/cluster/Postgres.ts", "test/cluster/ClickHouse.ts"],
      testTimeout: 240_000,
      env: { GAMEKEEPER_TEST_STORES: "cluster", GAMEKEEPER_TEST_RUNS: process.env["GAMEKEEPER_TEST_RUNS"] ?? "0.05" }
    }
  })
)

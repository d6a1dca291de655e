import { configDefaults, defineConfig, mergeConfig } from "vitest/config"
import complete from "../../vitest.config.ts"

/** The HTTP suites over metadata in PostgreSQL, beside markers in memory: each request waits for a database, so they take several minutes. */
export default mergeConfig(
  { ...complete, test: { ...complete.test, include: [], exclude: [], globalSetup: [] } },
  defineConfig({
    test: {
      include: ["test/http/**/*.test.ts"],
      // These share one store of markers among processes, which `npm run test:cluster` has in ClickHouse.
      exclude: [...configDefaults.exclude, "test/http/operations/TwoProcesses*.test.ts"],
      globalSetup: ["test/cluster/Postgres.ts"],
      env: { GAMEKEEPER_TEST_STORES: "cluster", GAMEKEEPER_TEST_RUNS: process.env["GAMEKEEPER_TEST_RUNS"] ?? "0.05" }
    }
  })
)

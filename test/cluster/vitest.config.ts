import { configDefaults, defineConfig, mergeConfig } from "vitest/config"
import complete from "../../vitest.config.ts"

/** Every question is several statements over HTTP, so properties are tried with fewer values. */
const runs = Number(process.env["GAMEKEEPER_TEST_RUNS"] ?? 0.05)

/** Milliseconds that a test may take where every property is tried with all of its values. */
const wholeRun = 1_200_000

/** The contracts of metadata over the stores that several processes share, and what is there for several processes only. */
export default mergeConfig(
  { ...complete, test: { ...complete.test, include: [], exclude: [], globalSetup: [] } },
  defineConfig({
    test: {
      include: [
        "test/cluster/**/*.test.ts",
        "test/contract/**/*.test.ts",
        "test/http/operations/TwoProcesses*.test.ts",
        "test/oracle/*.test.ts",
        "test/http/analytics/SameBytes.test.ts"
      ],
      // Configurations are checked by no store, and some oracles ask none or SQLite's parts.
      exclude: [
        ...configDefaults.exclude,
        "test/contract/configuration/JsonSchemas.test.ts",
        "test/oracle/{Brute*,EveryKind,MetadataStores,Cohorts}.test.ts"
      ],
      globalSetup: ["test/cluster/Bundles.ts", "test/cluster/Postgres.ts", "test/cluster/ClickHouse.ts"],
      // A search with many values is not cut off.
      testTimeout: Math.max(240_000, runs * wholeRun),
      env: { GAMEKEEPER_TEST_STORES: "cluster", GAMEKEEPER_TEST_RUNS: String(runs) }
    }
  })
)

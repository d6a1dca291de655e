import { configDefaults, defineConfig, mergeConfig } from "vitest/config"
import complete from "../../vitest.config.ts"

/** The contracts of metadata over the stores that several processes share, and what is there for several processes only. */
export default mergeConfig(
  { ...complete, test: { ...complete.test, include: [], exclude: [], globalSetup: [] } },
  defineConfig({
    test: {
      include: ["test/cluster/**/*.test.ts", "test/contract/**/*.test.ts"],
      exclude: [
        ...configDefaults.exclude,
        "test/contract/analytics/{AppVersions,EventRetention,EventStore,Players}.test.ts",
        "test/contract/cohorts/{CohortGenerations,CohortMembers}.test.ts",
        "test/contract/configuration/JsonSchemas.test.ts"
      ],
      globalSetup: ["test/cluster/Postgres.ts"],
      env: { GAMEKEEPER_TEST_STORES: "cluster" }
    }
  })
)

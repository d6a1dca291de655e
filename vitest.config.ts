import { defineConfig } from "vitest/config"

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    globalSetup: ["test/support/Workers.ts"],
    setupFiles: ["test/support/Seed.ts"],
    testTimeout: 240_000,
    hookTimeout: 240_000
  }
})

import { defineConfig } from "vitest/config"

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    globalSetup: ["test/support/Workers.ts"],
    testTimeout: 240_000,
    hookTimeout: 240_000
  }
})

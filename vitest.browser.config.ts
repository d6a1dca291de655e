import { configDefaults, defineConfig } from "vitest/config"
import complete from "./vitest.config.ts"

/** Walks through the dashboard in a browser, over the built server: `npm run test:browser`. */
export default defineConfig({
  test: { ...complete.test, include: ["test/web/journeys/**/*.test.ts"], exclude: configDefaults.exclude }
})

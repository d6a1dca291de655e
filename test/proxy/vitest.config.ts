import { defineConfig } from "vitest/config"

/** Needs nginx and openssl, so it is no part of `npm test`: `npm run test:proxy`. */
export default defineConfig({
  test: { include: ["test/proxy/Nginx.ts"], testTimeout: 60_000, hookTimeout: 60_000 }
})

import { defineConfig } from "vitest/config"

/** Needs nginx and openssl, or Caddy, so it is no part of `npm test`: `npm run test:proxy`. */
export default defineConfig({
  test: { include: ["test/proxy/Proxies.ts"], testTimeout: 60_000, hookTimeout: 60_000 }
})

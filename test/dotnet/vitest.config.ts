import { defineConfig } from "vitest/config"

/** Needs Mono (Debian: mono-mcs, mono-runtime, libmono-system-net-http4.0-cil), so it is no part of `npm test`: `npm run test:dotnet`. */
export default defineConfig({
  test: { include: ["test/dotnet/Client.ts"], testTimeout: 60_000, hookTimeout: 120_000 }
})

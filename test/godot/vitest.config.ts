import { defineConfig } from "vitest/config"

/** Needs Godot 4.4 or later (`GAMEKEEPER_GODOT`, or `godot` on the path), so it is no part of `npm test`: `npm run test:godot`. */
export default defineConfig({
  test: { include: ["test/godot/Client.ts"], testTimeout: 120_000, hookTimeout: 120_000 }
})

import type { Layer } from "effect"
import { afterAll } from "vitest"
import type { Configuration } from "../../src/app/Config.ts"
import type { Stores } from "./App.ts"
import { openApp } from "./App.ts"

export type { Answer, Call, Stores } from "./App.ts"

/** The API as `openApp` gives it, closed after the tests of the file. */
export const testApp = (store: Stores, settings?: Partial<Configuration>, logger?: Layer.Layer<never>) => {
  const app = openApp(store, settings, logger)
  afterAll(app.close)
  return app
}

export const envelopeKeys = ["code", "error", "message", "statusCode"]

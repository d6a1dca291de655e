import type { Layer } from "effect"
import type { Configuration } from "../../src/app/Config.ts"
import type { Stores } from "./App.ts"
import { afterAll } from "vitest"
import { openApp } from "./App.ts"
import { atEndOfFile } from "./Ends.ts"

export type { Answer, Call, Stores } from "./App.ts"

/** The API as `openApp` gives it, closed after the tests of its `describe`, or of the file where a test or a hook opens it. */
export const testApp = (store: Stores, settings?: Partial<Configuration>, logger?: Layer.Layer<never>) => {
  const app = openApp(store, settings, logger)
  afterAll(app.close)
  atEndOfFile(app.close)
  return app
}

export const envelopeKeys = ["code", "error", "message", "statusCode"]

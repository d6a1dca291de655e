import { beforeAll, describe, it } from "vitest"
import { existsSync } from "node:fs"
import { join } from "node:path"
import { MemoryStores } from "../../src/app/Layers.ts"
import { testApp } from "../support/TestApp.ts"
import { play, scenariosOf } from "./Gherkin.ts"
import { servedFlags } from "./Served.ts"
import { steps } from "./Steps.ts"
import { onServer, onWeb } from "./Subjects.ts"
import { newWorld } from "./World.ts"

/**
 * Answers out of what was asked before have the reason of the value, not CACHED. How contexts of several levels are merged is the SDKs' own
 * affair, and no provider hears of it.
 */
const left = (tags: ReadonlyArray<string>, feature: string) =>
  tags.includes("@reason-codes-cached") || feature === "contextMerging.feature"

/** Our scenarios, and those of a folder of OpenFeature's specification where one is named. */
const folders = [join(import.meta.dirname, "features"), process.env["GAMEKEEPER_OPENFEATURE_FEATURES"] ?? ""]
const scenarios = folders
  .filter((folder) => folder !== "" && existsSync(folder))
  .flatMap(scenariosOf)
  .filter(({ tags, feature }) => !left(tags, feature))

const app = testApp(MemoryStores)
let served: Awaited<ReturnType<typeof servedFlags>>

describe("scenarios of OpenFeature", () => {
  beforeAll(async () => {
    served = await servedFlags(app.request)
  })

  for (const [sdk, subject] of [
    ["servers", onServer],
    ["pages", onWeb]
  ] as const) {
    describe(`in the SDK for ${sdk}`, () => {
      scenarios.forEach((scenario, at) =>
        it(`${scenario.feature} ${at}: ${scenario.name}`, async () => {
          const world = newWorld(subject(served))
          try {
            await play(scenario, steps, world)
          } finally {
            await world.subject?.close()
          }
        })
      )
    })
  }
})

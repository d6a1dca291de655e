import { beforeAll, describe, it } from "vitest"
import { MemoryStores } from "../../src/app/Layers.ts"
import { testApp } from "../support/TestApp.ts"
import { play } from "./Gherkin.ts"
import { scenarios } from "./PlayedScenarios.ts"
import { servedFlags } from "./Served.ts"
import { steps } from "./Steps.ts"
import { onServer, onWeb } from "./Subjects.ts"
import { newWorld } from "./World.ts"

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

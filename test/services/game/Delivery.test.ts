import { assert, describe, it } from "@effect/vitest"
import { DateTime, Effect, Layer, Schema } from "effect"
import { SecretsNode } from "../../../src/adapters/node/Secrets.ts"
import { MemoryStores } from "../../../src/app/Layers.ts"
import { Bootstrap } from "../../../schema/game/SdkConfigurations.ts"
import { ConfigurationRepo } from "../../../src/ports/configuration/ConfigurationRepo.ts"
import { Delivery } from "../../../src/services/game/Delivery.ts"
import { RunningExperiments } from "../../../src/services/experiments/RunningExperiments.ts"
import { Versions } from "../../../src/services/game/Versions.ts"
import { aProject } from "../../support/analytics/SavedQueries.ts"

const world = Delivery.Default.pipe(
  Layer.provide(RunningExperiments.Default),
  Layer.provide(Versions.Default),
  Layer.provideMerge(Layer.mergeAll(MemoryStores, SecretsNode))
)

describe("E8: what games read of an environment", () => {
  it.scoped("is made one configuration after the other, between which other requests are handled", () =>
    Effect.gen(function* () {
      const { application, production } = yield* aProject
      const repo = yield* ConfigurationRepo
      const names = ["one", "two", "three", "four"]
      for (const name of names) {
        yield* repo.insert({
          ...{ applicationId: application.id, environmentId: production, name, alias: null, description: null },
          ...{ document: { called: name }, privacy: [], schema: null, keyDescriptions: {}, isPrimary: false },
          ...{ hash: name, version: 1, updatedBy: null },
          createdAt: DateTime.unsafeMake(0),
          updatedAt: DateTime.unsafeMake(0)
        })
      }
      let turns = 0
      let next = setImmediate(function turn() {
        turns++
        next = setImmediate(turn)
      })
      const { bootstrap, configurations } = yield* (yield* Delivery).current(production, "server")
      clearImmediate(next)
      assert.isAtLeast(turns, names.length)
      const written = yield* Schema.decodeUnknown(Bootstrap)(JSON.parse(new TextDecoder().decode(bootstrap.bytes)))
      assert.deepStrictEqual(
        written.configurations.map(({ name, configuration }) => [name, configuration]),
        names.map((name) => [name, { called: name }])
      )
      assert.strictEqual(configurations.length, names.length)
    }).pipe(Effect.provide(world))
  )
})

import { assert, describe, it } from "@effect/vitest"
import { DateTime, Effect, Layer, Option, Schema } from "effect"
import { SecretsNode } from "../../../src/adapters/node/Secrets.ts"
import { MemoryStores } from "../../../src/app/Layers.ts"
import { Bootstrap } from "../../../schema/game/SdkConfigurations.ts"
import type { Document } from "../../../src/domain/configuration/Document.ts"
import { EnvironmentId } from "../../../src/domain/Ids.ts"
import { ConfigurationRepo } from "../../../src/ports/configuration/ConfigurationRepo.ts"
import { Delivery } from "../../../src/services/game/Delivery.ts"
import { RunningExperiments } from "../../../src/services/experiments/RunningExperiments.ts"
import { Versions } from "../../../src/services/game/Versions.ts"
import { aProject } from "../../support/analytics/SavedQueries.ts"
import { interruptedAnywhere } from "../Interruptions.ts"
import { tickingClock } from "../../support/TickingClock.ts"

const world = Delivery.Default.pipe(
  Layer.provide(RunningExperiments.Default),
  Layer.provide(Versions.Default),
  Layer.provideMerge(Layer.mergeAll(MemoryStores, SecretsNode))
)

/** Turns that others get while the delivery of these documents is made. */
const made = (documents: Readonly<Record<string, Document>>) =>
  Effect.gen(function* () {
    const { application, production } = yield* aProject
    const repo = yield* ConfigurationRepo
    for (const [name, document] of Object.entries(documents)) {
      yield* repo.insert({
        ...{ applicationId: application.id, environmentId: production, name, alias: null, description: null },
        ...{ document, privacy: [], schema: null, keyDescriptions: {}, isPrimary: false },
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
    const written = yield* Schema.decodeUnknown(Bootstrap)(JSON.parse(new TextDecoder().decode(bootstrap.bytes)))
    assert.deepStrictEqual(
      Object.fromEntries(written.configurations.map(({ name, configuration }) => [name, configuration])),
      documents
    )
    assert.strictEqual(configurations.length, Object.keys(documents).length)
    return turns
  })

describe("E8: what games read of an environment", () => {
  it.scoped("is made one configuration after the other, between which other requests are handled", () =>
    Effect.gen(function* () {
      const documents = { one: { called: 1 }, two: { called: 2 }, three: {}, four: { called: [4] } }
      assert.isAtLeast(yield* made(documents), 4)
    }).pipe(Effect.provide(world))
  )

  it.scopedLive("is answered to the next caller where the first was interrupted at any step", () =>
    Effect.gen(function* () {
      const { current } = yield* Delivery
      const answer = (at: number) => current(EnvironmentId.make(at + 1000), "server")
      yield* interruptedAnywhere(20, answer, (at) =>
        Effect.map(Effect.timeoutOption(answer(at), "20 seconds"), (second) =>
          assert.isTrue(Option.isSome(second), String(at))
        )
      )
    }).pipe(Effect.provide(world))
  )

  it.scopedLive("is made of a large document in many turns", () =>
    Effect.gen(function* () {
      const large = Object.fromEntries(Array.from({ length: 60_000 }, (_, index) => [`k${index}`, index]))
      assert.isAtLeast(yield* made({ large }).pipe(Effect.provide(tickingClock(4, 100_000).layer)), 80)
    }).pipe(Effect.provide(world))
  )
})

import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { JsonSchemasMemory } from "../../../src/adapters/memory/configuration/JsonSchemas.ts"
import { SecretsNode } from "../../../src/adapters/node/Secrets.ts"
import { MemoryProject } from "../../support/access/MemoryProject.ts"
import type { Document, Path } from "../../../src/domain/configuration/Document.ts"
import { ApplicationId, ConfigurationId, EnvironmentId, ExperimentId } from "../../../src/domain/Ids.ts"
import { ConfigurationRepo } from "../../../src/ports/configuration/ConfigurationRepo.ts"
import { Changes } from "../../../src/services/configuration/Changes.ts"
import { Versions } from "../../../src/services/game/Versions.ts"
import { CheckedWrites } from "../../../src/services/configuration/CheckedWrites.ts"
import { ArmCheck } from "../../../src/services/configuration/ArmCheck.ts"
import { ConfigurationCheck } from "../../../src/services/configuration/ConfigurationCheck.ts"
import { ConfigurationWrite } from "../../../src/services/configuration/ConfigurationWrite.ts"
import { PathLocks } from "../../../src/services/configuration/PathLocks.ts"

const environmentId = EnvironmentId.make(1)
const base: Document = { shop: { price: 1, title: "x" }, other: 1 }
const lock = {
  experimentId: ExperimentId.make(7),
  paths: [["shop", "price"]],
  startsAt: 0,
  endsAt: null
}

const world = Layer.fresh(
  ConfigurationWrite.Default.pipe(
    Layer.provide([
      Changes.Default.pipe(Layer.provide(Versions.Default)),
      CheckedWrites.Default,
      ArmCheck.Default.pipe(Layer.provideMerge(ConfigurationCheck.Default)),
      Layer.succeed(
        PathLocks,
        new PathLocks({ of: () => Effect.succeed([{ ...lock, configurationId: ConfigurationId.make(1) }]) })
      )
    ]),
    Layer.provideMerge(Layer.mergeAll(MemoryProject, JsonSchemasMemory, SecretsNode))
  )
)

const draft = {
  ...{ applicationId: ApplicationId.make(1), environmentId, name: "Shop", alias: null, description: null },
  ...{ privacy: [], schema: null, keyDescriptions: {}, reason: null, by: null }
}

const edited = (change: { readonly document?: Document; readonly privacy?: ReadonlyArray<Path> }) =>
  Effect.gen(function* () {
    const writing = yield* ConfigurationWrite
    const { id } = yield* Effect.flatMap(
      writing.checkNew(draft, () => base),
      writing.create
    )
    const edit = writing.edit(environmentId, id, () => Effect.succeed({ ...change, reason: null, by: null }))
    const outcome = yield* Effect.match(edit, { onFailure: ({ _tag }) => _tag, onSuccess: () => "Written" })
    const repo = yield* ConfigurationRepo
    const versions = yield* repo.versions(id, null, 10)
    const { document } = yield* writing.found(environmentId, id)
    return { outcome, versions: versions.length, document }
  }).pipe(Effect.provide(world))

const held: ReadonlyArray<readonly [string, Document]> = [
  ["the value itself", { ...base, shop: { price: 2, title: "x" } }],
  ["what is gone", { ...base, shop: { title: "x" } }],
  ["its parent as a whole", { ...base, shop: 1 }],
  ["its parent taken away", { other: 1 }],
  ["what is put inside it", { ...base, shop: { price: { gold: 1 }, title: "x" } }]
]

describe("a path that an experiment holds", () => {
  for (const [name, document] of held) {
    it.effect(`is not edited: ${name}`, () =>
      Effect.map(edited({ document }), (answer) =>
        assert.deepStrictEqual(answer, { outcome: "PathLocked", versions: 1, document: base })
      )
    )
  }

  it.effect("leaves its neighbours to be edited", () => {
    const document = { shop: { price: 1, title: "y" }, other: 2 }
    return Effect.map(edited({ document }), (answer) =>
      assert.deepStrictEqual(answer, { outcome: "Written", versions: 2, document })
    )
  })
})

/** How many turns the event loop takes while the effect runs. */
const turnsDuring = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.suspend(() => {
    let turns = 0
    let next = setImmediate(function turn() {
      turns++
      next = setImmediate(turn)
    })
    return Effect.ensuring(
      effect,
      Effect.sync(() => clearImmediate(next))
    ).pipe(Effect.map(() => turns))
  })

const large: Document = Object.fromEntries(Array.from({ length: 5_000 }, (_, index) => [`k${index}`, index]))

describe("E8: a large configuration", () => {
  it.effect("is written in steps, between which other requests are handled", () =>
    Effect.gen(function* () {
      const writing = yield* ConfigurationWrite
      const { id } = yield* Effect.flatMap(
        writing.checkNew(draft, () => ({})),
        writing.create
      )
      const change = { document: large, reason: null, by: null }
      const turns = yield* turnsDuring(writing.edit(environmentId, id, () => Effect.succeed(change)))
      assert.isAtLeast(turns, 5)
    }).pipe(Effect.provide(world))
  )
})

import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Fiber, Layer, Ref, Runtime } from "effect"
import { SecretsNode } from "../../../src/adapters/node/Secrets.ts"
import { MemoryProject } from "../../support/access/MemoryProject.ts"
import type { Document } from "../../../src/domain/configuration/Document.ts"
import { ApplicationId, EnvironmentId } from "../../../src/domain/Ids.ts"
import { ConfigurationRepo } from "../../../src/ports/configuration/ConfigurationRepo.ts"
import { JsonSchemas } from "../../../src/ports/configuration/JsonSchemas.ts"
import { nextTurn } from "../../../src/ports/operations/NextTurn.ts"
import { Changes } from "../../../src/services/configuration/Changes.ts"
import { CheckedWrites } from "../../../src/services/configuration/CheckedWrites.ts"
import { ArmCheck } from "../../../src/services/configuration/ArmCheck.ts"
import { ConfigurationCheck } from "../../../src/services/configuration/ConfigurationCheck.ts"
import { ConfigurationWrite } from "../../../src/services/configuration/ConfigurationWrite.ts"
import { PathLocks } from "../../../src/services/configuration/PathLocks.ts"
import { Versions } from "../../../src/services/game/Versions.ts"

const environmentId = EnvironmentId.make(1)

const draftOf = (name: string, schema: Document | null) => ({
  ...{ applicationId: ApplicationId.make(1), environmentId, name, alias: null, description: null },
  ...{ privacy: [], schema, keyDescriptions: {}, reason: null, by: null }
})

/** What happens while a schema is checked. */
const duringCheck = Ref.unsafeMake<Effect.Effect<void>>(Effect.void)

const Schemas = Layer.succeed(JsonSchemas, {
  violations: () => Effect.as(Effect.flatten(Ref.get(duringCheck)), { total: 0, first: [] })
})

const world = Layer.fresh(
  ConfigurationWrite.Default.pipe(
    Layer.provideMerge(CheckedWrites.Default),
    Layer.provide([
      Changes.Default.pipe(Layer.provide(Versions.Default)),
      ArmCheck.Default.pipe(Layer.provideMerge(ConfigurationCheck.Default)),
      Layer.succeed(PathLocks, new PathLocks({ of: () => Effect.succeed([]) }))
    ]),
    Layer.provideMerge(Layer.mergeAll(MemoryProject, Schemas, SecretsNode))
  )
)

/** Turns of the event loop within which a read that waits for nothing has long been answered. */
const manyTurns = 200

const write = (name: string, schema: Document | null, document: Document) =>
  Effect.gen(function* () {
    const writing = yield* ConfigurationWrite
    const writes = yield* CheckedWrites
    const checked = writing.checkNew(draftOf(name, schema), () => document)
    return yield* writes.run(environmentId, checked, writing.create, writing.announce)
  })

const change = (document: Document) => () => Effect.succeed({ document, reason: null, by: null })

/** Runs effects as other requests do, outside of a transaction that the check may be in. */
const elsewhere = Effect.map(Effect.runtime<ConfigurationRepo | ConfigurationWrite>(), (runtime) =>
  Runtime.runFork(runtime)
)

describe("E4: while a schema is checked", () => {
  it.live("others read and write, for no transaction is open", () =>
    Effect.gen(function* () {
      const writing = yield* ConfigurationWrite
      const fork = yield* elsewhere
      const repo = yield* ConfigurationRepo
      const other = yield* write("Other", null, { a: 0 })
      const answered: Array<boolean> = []
      const look = Effect.gen(function* () {
        const done = yield* Deferred.make<void>()
        fork(Effect.zipRight(repo.list(environmentId), Deferred.succeed(done, undefined)))
        for (let turn = 0; turn < manyTurns && !(yield* Deferred.isDone(done)); turn++) yield* nextTurn
        answered.push(yield* Deferred.isDone(done))
      })
      yield* Ref.set(duringCheck, look)
      const { id } = yield* write("Shop", {}, { price: 1 })
      yield* writing.edit(environmentId, id, change({ price: 2 }))
      assert.deepStrictEqual(answered, [true, true])
      yield* Ref.set(duringCheck, Effect.void)
      assert.strictEqual((yield* writing.edit(environmentId, other.id, change({ a: 1 }))).version, 2)
    }).pipe(Effect.provide(world))
  )

  it.live("what others write makes it be checked again, on the state as it then is", () =>
    Effect.gen(function* () {
      const writing = yield* ConfigurationWrite
      const fork = yield* elsewhere
      const { id } = yield* write("Shop", {}, { price: 1 })
      let checks = 0
      const rival = Effect.suspend(() => {
        checks++
        if (checks > 1) return Effect.void
        const edit = writing.edit(environmentId, id, () =>
          Effect.succeed({ document: { price: 5 }, schema: null, reason: null, by: null })
        )
        return Effect.asVoid(Effect.orDie(Fiber.join(fork(edit))))
      })
      yield* Ref.set(duringCheck, rival)
      const seen: Array<Document> = []
      const written = yield* writing.edit(environmentId, id, ({ document }) => {
        seen.push(document)
        return Effect.succeed({ document: { ...document, mine: true }, schema: {}, reason: null, by: null })
      })
      assert.deepStrictEqual(seen, [{ price: 1 }, { price: 5 }])
      assert.deepStrictEqual([written.document, written.version], [{ price: 5, mine: true }, 3])
      const versions = yield* (yield* ConfigurationRepo).versions(id, null, 10)
      assert.deepStrictEqual(
        versions.map(({ version }) => version),
        [3, 2, 1]
      )
    }).pipe(Effect.provide(world))
  )

  it.live("who is always overtaken is checked within the transaction at last, and written", () =>
    Effect.gen(function* () {
      const writing = yield* ConfigurationWrite
      const fork = yield* elsewhere
      const { id } = yield* write("Shop", {}, { price: 1 })
      const busy = yield* write("Busy", null, { n: 0 })
      let checks = 0
      const rival = Effect.suspend(() => {
        checks++
        if (checks > 3) return Effect.void
        return Effect.asVoid(
          Effect.orDie(Fiber.join(fork(writing.edit(environmentId, busy.id, change({ n: checks })))))
        )
      })
      yield* Ref.set(duringCheck, rival)
      const written = yield* writing.edit(environmentId, id, change({ price: 2 }))
      assert.deepStrictEqual([checks, written.version], [4, 2])
    }).pipe(Effect.provide(world))
  )
})

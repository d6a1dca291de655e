import { assert, describe, it } from "@effect/vitest"
import { DateTime, Deferred, Effect, Fiber, Layer, Option } from "effect"
import type { Environment } from "../../../src/domain/access/Organization.ts"
import { ApplicationId, EnvironmentId } from "../../../src/domain/Ids.ts"
import { AccessVersionLive } from "../../../src/adapters/cache/AccessVersion.ts"
import { ProjectCache } from "../../../src/adapters/cache/ProjectCache.ts"
import { PeersLocal } from "../../../src/adapters/local/Peers.ts"
import { CredentialRepo } from "../../../src/ports/access/CredentialRepo.ts"
import { ProjectRepo } from "../../../src/ports/access/ProjectRepo.ts"
import { Transaction } from "../../../src/ports/operations/Transaction.ts"

const one = ApplicationId.make(1)

const environment: Environment = {
  id: EnvironmentId.make(1),
  applicationId: one,
  name: "Production",
  alias: "production",
  retentionDays: null,
  markerRetentionDays: {},
  createdAt: DateTime.unsafeMake(0)
}

/** A store of one environment whose reads wait at a gate, and what was read of it. */
const slowStore = Effect.gen(function* () {
  const state = {
    stored: [environment] as ReadonlyArray<Environment>,
    reads: 0,
    gate: Option.none<Deferred.Deferred<void>>()
  }
  const repo = Layer.mock(ProjectRepo, {
    environments: () =>
      Effect.gen(function* () {
        state.reads++
        const seen = state.stored
        if (Option.isSome(state.gate)) yield* Deferred.await(state.gate.value)
        return seen
      }),
    updateEnvironment: (changed) =>
      Effect.sync(() => {
        state.stored = [changed]
        return Option.some(changed)
      })
  })
  const run = <A, E, R>(effect: Effect.Effect<A, E, R>) => {
    const before = state.stored
    return Effect.onError(effect, () =>
      Effect.sync(() => {
        state.stored = before
      })
    )
  }
  const rollback = Layer.succeed(Transaction, { run, runRemoval: run })
  const layer = ProjectCache.pipe(
    Layer.provide(AccessVersionLive),
    Layer.provide(PeersLocal),
    Layer.provide(Layer.mergeAll(repo, rollback, Layer.mock(CredentialRepo, {})))
  )
  return { state, context: yield* Layer.build(layer) }
})

const renamed = { ...environment, alias: "live" }

describe("cache of projects", () => {
  it.scoped("reads once between writes, and anew after one", () =>
    Effect.gen(function* () {
      const { state, context } = yield* slowStore
      yield* Effect.gen(function* () {
        const projects = yield* ProjectRepo
        yield* projects.environments(one)
        yield* projects.environments(one)
        assert.strictEqual(state.reads, 1)
        yield* projects.updateEnvironment(renamed)
        assert.deepStrictEqual(yield* projects.environments(one), [renamed])
        assert.strictEqual(state.reads, 2)
      }).pipe(Effect.provide(context))
    })
  )

  it.scoped("does not keep what was read before a write and came after it", () =>
    Effect.gen(function* () {
      const { state, context } = yield* slowStore
      yield* Effect.gen(function* () {
        const projects = yield* ProjectRepo
        const gate = yield* Deferred.make<void>()
        state.gate = Option.some(gate)
        const early = yield* Effect.fork(projects.environments(one))
        yield* Effect.yieldNow()
        state.gate = Option.none()
        yield* projects.updateEnvironment(renamed)
        yield* Deferred.succeed(gate, undefined)
        assert.deepStrictEqual(yield* Fiber.join(early), [environment])
        assert.deepStrictEqual(yield* projects.environments(one), [renamed])
      }).pipe(Effect.provide(context))
    })
  )

  it.scoped("forgets what it read inside a transaction that failed", () =>
    Effect.gen(function* () {
      const { context } = yield* slowStore
      yield* Effect.gen(function* () {
        const projects = yield* ProjectRepo
        const transaction = yield* Transaction
        const inside = Effect.gen(function* () {
          yield* projects.updateEnvironment(renamed)
          assert.deepStrictEqual(yield* projects.environments(one), [renamed])
          return yield* Effect.fail("no")
        })
        yield* Effect.ignore(transaction.run(inside))
        assert.deepStrictEqual(yield* projects.environments(one), [environment])
      }).pipe(Effect.provide(context))
    })
  )
})

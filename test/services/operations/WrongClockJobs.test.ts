import { assert, describe, it } from "@effect/vitest"
import { DateTime, Effect, Layer, TestClock } from "effect"
import { BackupFolderMemory } from "../../../src/adapters/memory/operations/BackupFolder.ts"
import { defaults } from "../../../src/app/Config.ts"
import { MemoryStores } from "../../../src/app/Layers.ts"
import { SettingsLive } from "../../../src/app/SettingsLive.ts"
import { Node } from "../../../src/app/ProcessAdapters.ts"
import { Services } from "../../../src/app/Services.ts"
import { AuditJob } from "../../../src/jobs/Audit.ts"
import { AuditRepo } from "../../../src/ports/operations/AuditRepo.ts"
import { TrustedTimes } from "../../../src/ports/operations/TrustedTimes.ts"
import { AuditTrail } from "../../../src/services/operations/AuditTrail.ts"
import { aProject } from "../../support/analytics/SavedQueries.ts"

const world = Layer.mergeAll(MemoryStores, SettingsLive(defaults), Node, BackupFolderMemory)
const start = DateTime.unsafeMake("2026-11-22T12:00:00Z")
const change = { operation: "users.create", object: { kind: "users", id: "1", name: null }, reason: null }

describe("I6: a clock two years ahead", () => {
  it.scoped("drops nothing of the log of changes before it has stayed so for six hours", () =>
    Effect.gen(function* () {
      const context = yield* Layer.build(world)
      yield* Effect.provide(
        Effect.gen(function* () {
          const { application } = yield* aProject
          yield* TestClock.setTime(start.epochMillis)
          const noted = Effect.flatMap(AuditTrail, (trail) =>
            trail.byServer(application.organizationId, { ...change, before: null, after: null })
          )
          yield* Effect.provide(noted, Services)
          yield* (yield* TrustedTimes).put(start.epochMillis)

          yield* TestClock.setTime(DateTime.add(start, { days: 2 * 365 }).epochMillis)
          yield* Layer.build(AuditJob.pipe(Layer.provide(Services)))
          const entries = Effect.flatMap(AuditRepo, (repo) => repo.from(application.organizationId, 1, 10))
          yield* TestClock.adjust("5 hours")
          assert.lengthOf(yield* entries, 1)
          yield* TestClock.adjust("2 hours")
          assert.lengthOf(yield* entries, 0)
        }),
        context
      )
    })
  )
})

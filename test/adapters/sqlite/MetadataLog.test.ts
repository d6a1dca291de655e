import { assert, describe, it } from "@effect/vitest"
import Database from "better-sqlite3"
import { Effect, Layer, Logger } from "effect"
import { readFileSync, statSync } from "node:fs"
import { vi } from "vitest"
import { PinnedLog } from "../../../src/adapters/sqlite/pages/PinnedLog.ts"
import { SqliteMetadata } from "../../../src/adapters/sqlite/Sqlite.ts"
import type { EnvironmentId } from "../../../src/domain/Ids.ts"
import { UnitSightRepo } from "../../../src/ports/game/UnitSightRepo.ts"
import { ErasedUnitRepo } from "../../../src/ports/operations/ErasedUnitRepo.ts"
import { aProject } from "../../support/analytics/SavedQueries.ts"
import { inFile } from "../../support/Stores.ts"
import { metadataWorkers } from "../../support/Workers.ts"

interface State {
  /** Frames in the log, and how many of them are in the file as well. */
  readonly log: number
  readonly checkpointed: number
}

/** A look at the log that changes nothing. */
const watching = (file: string) =>
  Effect.map(
    Effect.acquireRelease(
      Effect.sync(() => new Database(file)),
      (database) => Effect.sync(() => database.close())
    ),
    (database): (() => State) => {
      const look = database.prepare<[], State>("pragma wal_checkpoint(noop)")
      return () => look.get()!
    }
  )

/** Texts that fill a page for two of them. */
const sights = (environmentId: EnvironmentId, count = 3000) =>
  Array.from({ length: count }, (_, at) => ({
    environmentId,
    unitType: "user" as const,
    distinctId: `${at * 7919} ${"x".repeat(2000)}`,
    firstSeenAt: at
  }))

const longLog = 4000

const until = (isOver: () => boolean) =>
  Effect.iterate(0, {
    while: (turns) => turns < 3000 && !isOver(),
    body: (turns) =>
      Effect.as(
        Effect.promise(() => new Promise((resolve) => setTimeout(resolve, 10))),
        turns + 1
      )
  })

const settled = (look: () => State, isOver: (state: State) => boolean) => until(() => isOver(look()))

describe("E8: the log of the metadata", () => {
  it.scopedLive("is brought into the file by a thread: no commit waits for it", () =>
    Effect.gen(function* () {
      const { file, layer } = yield* inFile
      const work = Effect.gen(function* () {
        const { production } = yield* aProject
        const repo = yield* UnitSightRepo
        const look = yield* watching(file)
        yield* repo.record(sights(production, 9000))
        const after = look()
        assert.isAbove(after.log, longLog)
        assert.strictEqual(after.checkpointed, 0)
        yield* settled(look, ({ log, checkpointed }) => log < longLog || checkpointed === log)
        yield* repo.record(sights(production, 1))
        assert.isBelow(look().log, longLog)
      })
      yield* Effect.provide(Effect.scoped(work), layer)
      yield* Effect.provide(Effect.void, SqliteMetadata(file, metadataWorkers))
    })
  )

  it.scopedLive("is brought into the file although the time before broke off", () =>
    Effect.gen(function* () {
      const { layer } = yield* inFile
      let ends = 0
      const end = vi.spyOn(PinnedLog.prototype, "end").mockImplementation(() => {
        ends++
        throw new Error("broken off")
      })
      yield* Effect.addFinalizer(() => Effect.sync(() => end.mockRestore()))
      const work = Effect.gen(function* () {
        const { production } = yield* aProject
        const repo = yield* UnitSightRepo
        yield* repo.record(sights(production, 9000))
        yield* until(() => ends === 1)
        yield* repo.record(sights(production, 9000).map((each) => ({ ...each, distinctId: `${each.distinctId} more` })))
        yield* until(() => ends === 2)
        assert.strictEqual(ends, 2)
      })
      yield* Effect.provide(work, Layer.provideMerge(layer, Logger.remove(Logger.defaultLogger)))
    })
  )

  it.scopedLive(
    "keeps no byte of what was deleted, also where somebody reads for a while and many ask for it at once",
    () =>
      Effect.gen(function* () {
        const { file, layer } = yield* inFile
        const errors: Array<unknown> = []
        const logger = Logger.replace(
          Logger.defaultLogger,
          Logger.make(({ logLevel, message }) => void (logLevel.label === "ERROR" && errors.push(message)))
        )
        const work = Effect.gen(function* () {
          const { production } = yield* aProject
          const repo = yield* UnitSightRepo
          const { scrub } = yield* ErasedUnitRepo
          const look = yield* watching(file)
          const gone = {
            environmentId: production,
            unitType: "user" as const,
            distinctId: "to be forgotten",
            firstSeenAt: 1
          }
          yield* repo.record([gone, ...sights(production)])
          const reader = new Database(file, { readonly: true })
          reader.exec("begin")
          reader.prepare("select count(*) from unit_sights").get()
          yield* repo.eraseUnit(production, gone.distinctId)
          yield* repo.record(
            sights(production, 1500).map((each) => ({ ...each, distinctId: `${each.distinctId} again` }))
          )
          const scrubbed = yield* Effect.fork(Effect.all([scrub, scrub, scrub], { concurrency: "unbounded" }))
          yield* Effect.promise(() => new Promise((resolve) => setTimeout(resolve, 200)))
          reader.close()
          yield* scrubbed.await
          assert.isBelow(look().log, 20)
          assert.isBelow(statSync(`${file}-wal`).size, 200_000)
          for (const suffix of ["", "-wal", "-sums"])
            assert.isFalse(readFileSync(`${file}${suffix}`).includes(gone.distinctId), suffix)
        })
        yield* Effect.provide(Effect.scoped(work), Layer.provideMerge(layer, logger))
        yield* Effect.provide(Effect.void, Layer.provideMerge(SqliteMetadata(file, metadataWorkers), logger))
        assert.deepStrictEqual(errors, [])
      })
  )
})

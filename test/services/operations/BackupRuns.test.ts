import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Layer, Logger, LogLevel } from "effect"
import { NoBackups } from "../../../src/adapters/local/NoBackups.ts"
import { Principal } from "../../../schema/access/Auth.ts"
import { defaults } from "../../../src/app/Config.ts"
import { MemoryStores } from "../../../src/app/Layers.ts"
import { SettingsLive } from "../../../src/app/SettingsLive.ts"
import { UserId } from "../../../src/domain/Ids.ts"
import { BackupFolder, BackupUnmade } from "../../../src/ports/operations/BackupFolder.ts"
import { ServerOwners } from "../../../src/services/access/ServerOwners.ts"
import { BackupRuns } from "../../../src/services/operations/BackupRuns.ts"
import { Backups } from "../../../src/services/operations/Backups.ts"

const settings = SettingsLive({ ...defaults, owner: "ada@studio.test" })

const over = (folder: Layer.Layer<BackupFolder>) =>
  Backups.Default.pipe(
    Layer.provideMerge(BackupRuns.Default),
    Layer.provide(ServerOwners.Default),
    Layer.provide(folder),
    Layer.provide(MemoryStores),
    Layer.provide(settings)
  )

const ada = Effect.provideService(Principal, {
  kind: "session",
  userId: UserId.make("00000000-0000-4000-8000-000000000001"),
  email: "ada@studio.test"
})

/** A folder whose work ends, badly, when the test lets it. */
const slow = Effect.map(Deferred.make<void>(), (gate) => ({
  gate,
  folder: Layer.succeed(BackupFolder, {
    place: "/mnt/backups",
    refusal: "",
    list: Effect.succeed([]),
    make: Effect.zipRight(Deferred.await(gate), Effect.fail(new BackupUnmade({ message: "no room" }))),
    drill: () => Effect.succeed("good")
  })
}))

describe("backups on request", () => {
  it.effect("of a damaged folder are told as errors, and those of a sound one are not", () =>
    Effect.gen(function* () {
      const errors: Array<string> = []
      const logger = Logger.replace(
        Logger.defaultLogger,
        Logger.make(({ logLevel, message }) => {
          if (logLevel === LogLevel.Error) errors.push(String(message))
        })
      )
      const folder = (isDamaged: boolean) =>
        Layer.succeed(BackupFolder, {
          place: "/mnt/backups",
          refusal: "",
          list: Effect.succeed([{ id: "newest", instant: 0, bytes: 1, markers: 1, version: "1", isDamaged }]),
          make: Effect.succeed("made"),
          drill: () => Effect.succeed("good")
        })
      const made = (isDamaged: boolean) =>
        Effect.flatMap(BackupRuns, (runs) => Effect.zip(runs.make(), runs.damaged)).pipe(
          Effect.provide(Layer.merge(BackupRuns.Default.pipe(Layer.provide(folder(isDamaged))), logger))
        )
      assert.deepStrictEqual(yield* made(false), ["made", null])
      assert.deepStrictEqual(errors, [])
      assert.deepStrictEqual(yield* made(true), ["made", "newest"])
      assert.lengthOf(errors, 1)
      assert.match(errors[0] ?? "", /^The data folder is damaged, and so is the backup newest/)
    })
  )

  it.effect("are made one at a time, and a failure is told and ends the turn", () =>
    Effect.gen(function* () {
      const { gate, folder } = yield* slow
      yield* Effect.gen(function* () {
        const backups = yield* Backups
        const runs = yield* BackupRuns
        const begun = yield* backups.create()
        assert.deepStrictEqual((yield* backups.list()).running, begun)
        assert.strictEqual((yield* Effect.flip(backups.create())).code, "BACKUP_RUNNING")
        assert.isNull(yield* runs.make())
        yield* Deferred.succeed(gate, undefined)
        yield* Effect.repeat(Effect.yieldNow(), { until: () => Effect.map(runs.running, (run) => run === null) })
        const { running, last } = yield* backups.list()
        assert.deepStrictEqual([running, last?.isGood, last?.message], [null, false, "no room"])
        assert.strictEqual((yield* backups.create()).kind, "backup")
      }).pipe(ada, Effect.provide(over(folder)))
    })
  )

  it.effect("are refused with the reason where the server makes none", () =>
    Effect.gen(function* () {
      const backups = yield* Backups
      const { code, message } = yield* Effect.flip(backups.create())
      assert.deepStrictEqual([code, message], ["BACKUPS_UNAVAILABLE", "no --backup-to"])
      assert.deepInclude(yield* backups.list(), { place: null, items: [] })
    }).pipe(ada, Effect.provide(over(NoBackups("no --backup-to"))))
  )
})

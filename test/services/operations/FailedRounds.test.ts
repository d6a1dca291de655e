import { assert, it } from "@effect/vitest"
import { Cause, Effect, Layer, Logger, TestClock } from "effect"
import { defaults } from "../../../src/app/Config.ts"
import { MemoryStores } from "../../../src/app/Layers.ts"
import { SettingsLive } from "../../../src/app/SettingsLive.ts"
import { Node } from "../../../src/app/ProcessAdapters.ts"
import { Services } from "../../../src/app/Services.ts"
import { BackupsJob } from "../../../src/jobs/Backups.ts"
import { BackupFolder, BackupUnmade } from "../../../src/ports/operations/BackupFolder.ts"
import { BackupRuns } from "../../../src/services/operations/BackupRuns.ts"
import { BackupSchedule } from "../../../src/services/operations/BackupSchedule.ts"

const unmade = Effect.fail(new BackupUnmade({ message: "the disk of /mnt is full" }))

const folder = Layer.succeed(BackupFolder, {
  place: "/mnt",
  refusal: "",
  list: Effect.succeed([]),
  make: unmade,
  drill: () => unmade
})

const world = Layer.mergeAll(MemoryStores, SettingsLive(defaults), Node, folder)

it.scoped("what backups failed by is told in words, and without where it was thrown", () =>
  Effect.gen(function* () {
    const lines: Array<string> = []
    const logger = Logger.make(({ message, cause }) => {
      lines.push(`${[message].flat().join(" ")}${Cause.isEmpty(cause) ? "" : " with a cause"}`)
    })
    const built = Effect.flatMap(Layer.build(world), (context) =>
      Effect.provide(
        Effect.gen(function* () {
          const runs = yield* Layer.build(
            Layer.merge(
              BackupRuns.Default,
              BackupsJob.pipe(Layer.provide(BackupSchedule.Default), Layer.provide(Services))
            )
          )
          yield* TestClock.adjust("6 seconds")
          const { start, running } = yield* Effect.provide(BackupRuns, runs)
          for (const id of [null, "2026-01-01"]) {
            yield* start(id)
            yield* Effect.repeat(Effect.yieldNow(), { until: () => Effect.map(running, (run) => run === null) })
            yield* Effect.yieldNow()
          }
        }),
        context
      )
    )
    yield* Effect.provide(built, Logger.replace(Logger.defaultLogger, logger))
    assert.includeMembers(lines, [
      "Backups failed: the disk of /mnt is full",
      "A backup failed: the disk of /mnt is full",
      "The drill of a backup failed: the disk of /mnt is full"
    ])
    assert.notInclude(lines.join(), "with a cause")
  })
)

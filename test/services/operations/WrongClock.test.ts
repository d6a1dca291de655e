import { assert, describe, it } from "@effect/vitest"
import Database from "better-sqlite3"
import { Effect, Layer, Logger } from "effect"
import { join } from "node:path"
import { Maintenance } from "../../../src/services/operations/Maintenance.ts"
import { Retention } from "../../../src/services/operations/Retention.ts"
import { TrustedClock } from "../../../src/services/operations/TrustedClock.ts"
import { openStudio } from "../../support/access/Studio.ts"
import { folderStores } from "../../support/Folder.ts"
import { gameOf } from "../../support/game/Game.ts"
import { withFolder } from "../../support/Server.ts"
import { shiftedClock } from "../../support/ShiftedClock.ts"
import { testApp } from "../../support/TestApp.ts"

const day = 86_400_000

const serverOn = (folder: string, clock: ReturnType<typeof shiftedClock>, retentionDays: number) => {
  const logged: Array<string> = []
  const logger = Logger.replace(
    Logger.defaultLogger,
    Logger.make(({ logLevel, message }) => logged.push(`${logLevel.label} ${String(message)}`))
  )
  const around = Layer.merge(clock.layer, logger)
  const app = testApp(folderStores(folder).pipe(Layer.provide(around)), { retentionDays }, around)
  const work = Layer.build(
    Maintenance.Default.pipe(Layer.provideMerge(Retention.Default), Layer.provideMerge(TrustedClock.Default))
  ).pipe(
    Effect.flatMap((services) =>
      Effect.provide(
        Effect.flatMap(Maintenance, (job) => job.run()),
        services
      )
    ),
    Effect.scoped,
    Effect.provide(around)
  )
  return { ...app, logged, maintain: () => app.run(work) }
}

const marker = (name: string, age = 0) => ({
  timestamp: Date.now() - age,
  eventName: "Level",
  markerId: `00000000-0000-4000-8000-0000000000${name}`
})

/** Segments and ids of markers that are on disk, whatever questions show. */
const onDisk = (folder: string) => {
  const database = new Database(join(folder, "events.sqlite"), { readonly: true })
  const numberOf = (query: string) => Number(database.prepare(query).pluck().get())
  const found = {
    markers: numberOf("select ifnull(sum(rows), 0) from segment"),
    ids: numberOf("select ifnull(sum(keys), 0) from key_run")
  }
  database.close()
  return found
}

describe("I6: a clock 60 days ahead for some seconds", () => {
  it("deletes no marker and no id, also over a restart, and what is deleted with reason is logged", () =>
    withFolder(async (folder) => {
      const clock = shiftedClock()
      const server = serverOn(folder, clock, 30)
      const game = await gameOf(server.request, await openStudio(server.request, "ada"))
      await game.send([marker("01"), marker("02"), marker("03", 29 * day)])
      await server.maintain()
      assert.deepStrictEqual(onDisk(folder), { markers: 3, ids: 3 })

      clock.state.shift = 60 * day
      await game.send([{ ...marker("04"), timestamp: Date.now() + 60 * day }])
      await server.maintain()
      assert.deepStrictEqual(onDisk(folder), { markers: 4, ids: 4 })
      assert.isTrue(server.logged.some((line) => line.startsWith("WARN The clock is 60 days ahead")))
      await server.close()

      const again = serverOn(folder, clock, 30)
      await again.maintain()
      assert.deepStrictEqual(onDisk(folder), { markers: 4, ids: 4 })
      clock.state.shift = 0
      await again.maintain()
      assert.deepStrictEqual(onDisk(folder), { markers: 4, ids: 4 })
      await again.close()

      const strict = serverOn(folder, clock, 20)
      await strict.maintain()
      assert.deepStrictEqual(onDisk(folder).markers, 3)
      assert.isTrue(strict.logged.some((line) => /^INFO Retention deleted 1 marker of environment \d+$/.test(line)))
      await strict.close()
    }))
})

import { assert, describe, it } from "@effect/vitest"
import { Cause, Effect, HashMap, Logger, TestClock } from "effect"
import { plain, sparing } from "../../src/app/Logs.ts"
import { StoreFull, StoreLost } from "../../src/ports/analytics/EventStore.ts"
import { StoreUnavailable } from "../../src/ports/analytics/StoreUnavailable.ts"
import { MetadataDamaged } from "../../src/ports/operations/MetadataDamaged.ts"
import { MetadataUnavailable } from "../../src/ports/operations/MetadataUnavailable.ts"

/** The lines that are written of this work, each with its level and its annotations. */
const writtenOf = <A, E>(work: Effect.Effect<A, E>) => {
  const lines: Array<string> = []
  const writing = Logger.make<unknown, void>(({ logLevel, message, cause, annotations }) => {
    const reason = Cause.isEmpty(cause) ? [] : [String(Cause.squash(cause))]
    const more = [...HashMap.entries(annotations)].map(([name, value]) => `${name}=${String(value)}`)
    lines.push([logLevel.label, ...[message].flat(), ...reason, ...more].join(" "))
  })
  return Effect.as(Effect.provide(work, Logger.replace(Logger.defaultLogger, sparing(writing))), lines)
}

const fails = (reason: unknown) => Effect.logError("A job failed", Cause.die(reason))

const fiveSeconds = TestClock.adjust("5 seconds")

describe("the log of a server", () => {
  it.effect("says once a minute what fails again and again, and how often it did meanwhile", () =>
    Effect.gen(function* () {
      const round = Effect.zipRight(
        Effect.suspend(() => fails(new StoreLost())),
        fiveSeconds
      )
      const line = "ERROR A job failed StoreLost: The data folder or a file of it was deleted, moved or replaced"
      assert.deepStrictEqual(yield* writtenOf(Effect.repeatN(round, 24)), [
        line,
        `${line} repeated=11`,
        `${line} repeated=11`
      ])
    })
  )

  it.effect("says at once what has another level, text, reason or annotation", () =>
    Effect.gen(function* () {
      const work = Effect.all([
        fails(new StoreLost()),
        fails(new StoreFull()),
        Effect.logError("Another job failed", Cause.die(new StoreFull())),
        Effect.logWarning("Slow query").pipe(Effect.annotateLogs("milliseconds", 1001)),
        Effect.logWarning("Slow query").pipe(Effect.annotateLogs("milliseconds", 1002)),
        Effect.logError("Slow query"),
        Effect.logWarning("Slow query").pipe(Effect.annotateLogs("milliseconds", 1001))
      ])
      assert.deepStrictEqual(yield* writtenOf(work), [
        "ERROR A job failed StoreLost: The data folder or a file of it was deleted, moved or replaced",
        "ERROR A job failed StoreFull: The disk is full",
        "ERROR Another job failed StoreFull: The disk is full",
        "WARN Slow query milliseconds=1001",
        "WARN Slow query milliseconds=1002",
        "ERROR Slow query"
      ])
    })
  )

  it.effect("tells what the stores lack in the line, and of what nobody expects where it was thrown", () =>
    Effect.gen(function* () {
      const lines: Array<string> = []
      const toLines = Logger.map(plain(Logger.logfmtLogger), (line) => void lines.push(line))
      const work = Effect.all([
        fails(new StoreFull()),
        Effect.logError("A job failed", Cause.fail(new StoreLost())),
        fails(new StoreUnavailable({ message: "ClickHouse cannot be reached" })),
        fails(new MetadataUnavailable()),
        fails(new MetadataDamaged()),
        fails(new Error("unforeseen"))
      ])
      yield* Effect.provide(work, Logger.replace(Logger.defaultLogger, toLines))
      assert.deepStrictEqual(
        lines.slice(0, 5).map((line) => line.replace(/.* message=/, "")),
        [
          '"A job failed: The disk is full"',
          '"A job failed: The data folder or a file of it was deleted, moved or replaced"',
          '"A job failed: ClickHouse cannot be reached"',
          '"A job failed: The database of the metadata cannot be reached"',
          '"A job failed: A row of the metadata is damaged"'
        ]
      )
      assert.match(lines[5] ?? "", /message="A job failed" cause="Error: unforeseen\\n +at /)
    })
  )

  it.effect("leaves out nothing of what happened", () =>
    Effect.map(writtenOf(Effect.repeatN(Effect.logInfo("A backup was made"), 2)), (lines) =>
      assert.deepStrictEqual(lines, Array(3).fill("INFO A backup was made"))
    )
  )
})

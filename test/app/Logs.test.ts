import { assert, describe, it } from "@effect/vitest"
import { Cause, Effect, HashMap, Logger, TestClock } from "effect"
import { sparing } from "../../src/app/Logs.ts"
import { StoreFull, StoreLost } from "../../src/ports/analytics/EventStore.ts"

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

  it.effect("leaves out nothing of what happened", () =>
    Effect.map(writtenOf(Effect.repeatN(Effect.logInfo("A backup was made"), 2)), (lines) =>
      assert.deepStrictEqual(lines, Array(3).fill("INFO A backup was made"))
    )
  )
})

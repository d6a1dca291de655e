import { assert, it } from "@effect/vitest"
import { Effect, Layer, Option } from "effect"
import { defaults } from "../../../src/app/Config.ts"
import { SettingsLive } from "../../../src/app/SettingsLive.ts"
import { hourMillis, minuteMillis } from "../../../src/domain/Durations.ts"
import type { Alert } from "../../../src/domain/operations/alerts/Alert.ts"
import { StoreUnavailable } from "../../../src/ports/analytics/StoreUnavailable.ts"
import { AlertRepo } from "../../../src/ports/operations/AlertRepo.ts"
import { AlertLooks } from "../../../src/services/operations/AlertLooks.ts"
import { AlertRounds } from "../../../src/services/operations/AlertRounds.ts"
import { WebhookQueue } from "../../../src/services/operations/WebhookQueue.ts"
import { addEnvironments } from "../../support/access/Tenants.ts"
import { alertOf } from "../../support/operations/Alerts.ts"
import { everyStore } from "../../support/Stores.ts"

const quiet = Layer.succeed(WebhookQueue, new WebhookQueue({ tell: () => Effect.void, tellOf: () => Effect.void }))

for (const [label, store] of everyStore) {
  const begun: Array<string> = []
  const opened = Effect.unsafeMakeLatch(false)

  /** Questions whose answer takes until the latch is opened. */
  const slow = Layer.succeed(
    AlertLooks,
    new AlertLooks({
      judge: (judged) =>
        Effect.gen(function* () {
          if ("name" in judged) begun.push(String(judged.name))
          yield* opened.await
          const finding = { from: 0, to: 0, look: null, verdict: "fine", text: "", objects: [] } as const
          return { finding, nextAt: Date.now() + hourMillis }
        }),
      windows: () => Effect.never,
      findingOfWindows: () => ({ from: 0, to: 0, look: null, verdict: "fine", text: "", objects: [] })
    })
  )

  const worldOf = (looks: typeof slow) =>
    AlertRounds.Default.pipe(
      Layer.provide(Layer.mergeAll(looks, quiet, SettingsLive(defaults))),
      Layer.provideMerge(store)
    )

  it.live(`alerts that wait for their turn are left to other processes, in ${label}`, () =>
    Effect.gen(function* () {
      const repo = yield* AlertRepo
      const { round } = yield* AlertRounds
      const [, environment] = yield* addEnvironments
      const names = ["0", "1", "2", "3", "4", "5"]
      const alerts: ReadonlyArray<Alert> = names.map((name, nextAt) => alertOf(environment, { name, nextAt }))
      yield* Effect.forEach(alerts, repo.insert)
      const now = Date.now()
      const until = (count: number) =>
        Effect.iterate(begun, { while: () => begun.length < count, body: () => Effect.as(Effect.sleep(5), begun) })
      const one = yield* Effect.fork(round())
      yield* until(4)
      // One process judges four: for as long as that takes they are its own, and the others are due.
      assert.deepStrictEqual(begun.toSorted(), ["0", "1", "2", "3"])
      const waiting = yield* repo.findDue(Date.now() + 2 * minuteMillis, 20, [])
      assert.deepStrictEqual(
        waiting.map(({ name }) => name),
        ["4", "5"]
      )
      const other = yield* Effect.fork(round())
      yield* until(6)
      yield* opened.open
      yield* Effect.all([one.await, other.await])
      assert.deepStrictEqual(begun.toSorted(), names)
      const settled = yield* Effect.forEach(alerts, ({ id }) => repo.find(environment.id, id))
      assert.isTrue(settled.every((each) => Option.isSome(each) && each.value.nextAt > now + 30 * minuteMillis))
    }).pipe(Effect.provide(worldOf(slow)))
  )

  const away = Layer.effect(
    AlertLooks,
    Effect.map(AlertLooks, (looks) => ({
      ...looks,
      judge: () => Effect.die(new StoreUnavailable({ message: "away" }))
    }))
  ).pipe(Layer.provide(slow))

  it.live(`an alert says that the answers cannot be reached, in ${label}`, () =>
    Effect.gen(function* () {
      const repo = yield* AlertRepo
      const { round } = yield* AlertRounds
      const [, environment] = yield* addEnvironments
      const alert = alertOf(environment, { name: "away", nextAt: 0 })
      yield* repo.insert(alert)
      yield* round()
      const { problem } = Option.getOrThrow(yield* repo.find(environment.id, alert.id))
      assert.strictEqual(problem, "The database that answers questions could not be reached")
    }).pipe(Effect.provide(worldOf(away)))
  )
}

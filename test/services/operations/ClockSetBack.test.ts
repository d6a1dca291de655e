import { assert, describe, it } from "@effect/vitest"
import { Clock, Effect, Layer, Logger } from "effect"
import { SecretsNode } from "../../../src/adapters/node/Secrets.ts"
import { defaults } from "../../../src/app/Config.ts"
import { SettingsLive } from "../../../src/app/SettingsLive.ts"
import { dayMillis, minuteMillis } from "../../../src/domain/Durations.ts"
import { AlertRepo } from "../../../src/ports/operations/AlertRepo.ts"
import { WebhookRepo } from "../../../src/ports/operations/WebhookRepo.ts"
import { WebhookSender } from "../../../src/ports/operations/WebhookSender.ts"
import { ServerOwners } from "../../../src/services/access/ServerOwners.ts"
import { AlertLooks } from "../../../src/services/operations/AlertLooks.ts"
import { AlertRounds } from "../../../src/services/operations/AlertRounds.ts"
import { WebhookDeliveries } from "../../../src/services/operations/WebhookDeliveries.ts"
import { WebhookMails } from "../../../src/services/operations/WebhookMails.ts"
import { WebhookQueue } from "../../../src/services/operations/WebhookQueue.ts"
import { addEnvironments, addOrganization } from "../../support/access/Tenants.ts"
import { alertOf } from "../../support/operations/Alerts.ts"
import { webhookOf } from "../../support/operations/StoredWebhooks.ts"
import { waitingDelivery } from "../../support/operations/WaitingDelivery.ts"
import { shiftedClock } from "../../support/ShiftedClock.ts"
import { everyStore } from "../../support/Stores.ts"

const quiet = Layer.succeed(WebhookQueue, new WebhookQueue({ tell: () => Effect.void, tellOf: () => Effect.void }))

const noMails = Layer.succeed(
  WebhookMails,
  new WebhookMails({ demand: () => Effect.succeed(undefined), send: () => Effect.succeed(null) })
)

const refusing = Layer.succeed(WebhookSender, {
  refusalOf: () => undefined,
  send: () => Effect.succeed({ kind: "answered" as const, status: 500, text: "no" })
})

describe.each(everyStore)("a clock a day ahead, which is set back, over %s", (_, store) => {
  it.live("has alerts judged and messages tried at once, and then as often as ever", () => {
    const clock = shiftedClock()
    let looks = 0
    const looking = Layer.succeed(
      AlertLooks,
      new AlertLooks({
        judge: () =>
          Effect.map(Clock.currentTimeMillis, (now) => {
            looks++
            const finding = { from: 0, to: 0, look: null, verdict: "fine", text: "", objects: [] } as const
            return { finding, nextAt: now + 5 * minuteMillis }
          }),
        windows: () => Effect.never,
        findingOfWindows: () => ({ from: 0, to: 0, look: null, verdict: "fine", text: "", objects: [] })
      })
    )
    const world = Layer.mergeAll(AlertRounds.Default, WebhookDeliveries.Default).pipe(
      Layer.provide(Layer.mergeAll(looking, quiet, refusing, noMails, ServerOwners.Default)),
      Layer.provideMerge(Layer.mergeAll(store, SecretsNode, SettingsLive(defaults))),
      Layer.provideMerge(Layer.merge(clock.layer, Logger.remove(Logger.defaultLogger)))
    )
    return Effect.gen(function* () {
      const [alerts, webhooks] = [yield* AlertRounds, yield* WebhookDeliveries]
      const repo = yield* WebhookRepo
      const [environment] = yield* addEnvironments
      yield* (yield* AlertRepo).insert(alertOf(environment, { nextAt: 0 }))
      const { id: organizationId } = yield* addOrganization
      const { id: webhookId } = yield* repo.insert(webhookOf(organizationId))
      yield* repo.insertDelivery({
        webhookId,
        organizationId,
        ...waitingDelivery,
        eventId: "one",
        objectKey: "cohort:1"
      })
      const round = Effect.gen(function* () {
        yield* alerts.round()
        yield* webhooks.round()
        yield* webhooks.settled
        const [delivery] = yield* repo.listDeliveries(webhookId, { state: null, type: null }, null, 1)
        return [looks, delivery?.tries]
      })
      clock.state.shift = dayMillis
      assert.deepStrictEqual(yield* round, [1, 1])
      assert.deepStrictEqual(yield* round, [1, 1])
      clock.state.shift = 0
      assert.deepStrictEqual(yield* round, [2, 2])
      assert.deepStrictEqual(yield* round, [2, 2])
    }).pipe(Effect.provide(world))
  })
})

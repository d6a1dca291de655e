import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Logger } from "effect"
import { randomUUID } from "node:crypto"
import { SecretsNode } from "../../../src/adapters/node/Secrets.ts"
import { defaults } from "../../../src/app/Config.ts"
import { SettingsLive } from "../../../src/app/SettingsLive.ts"
import type { OrganizationId, WebhookId } from "../../../src/domain/Ids.ts"
import { mostWaiting } from "../../../src/domain/operations/webhooks/WebhookDelivery.ts"
import { Transaction } from "../../../src/ports/operations/Transaction.ts"
import { WebhookRepo } from "../../../src/ports/operations/WebhookRepo.ts"
import { WebhookSender } from "../../../src/ports/operations/WebhookSender.ts"
import { ServerOwners } from "../../../src/services/access/ServerOwners.ts"
import { WebhookDeliveries } from "../../../src/services/operations/WebhookDeliveries.ts"
import { WebhookMails } from "../../../src/services/operations/WebhookMails.ts"
import { addOrganization } from "../../support/access/Tenants.ts"
import { makeGate } from "../../support/Gate.ts"
import { webhookOf } from "../../support/operations/StoredWebhooks.ts"
import { everyStore } from "../../support/Stores.ts"
import { waitingDelivery } from "../../support/operations/WaitingDelivery.ts"

const [sending, beginning] = [makeGate(), makeGate()]

/** A receiver that takes its time, and then answers that all went wrong. */
const slow = Layer.succeed(WebhookSender, {
  refusalOf: () => undefined,
  send: () => Effect.as(sending.pass, { kind: "answered" as const, status: 500, text: "no" })
})

/** Transactions that do not begin at once. */
const later = Layer.effect(
  Transaction,
  Effect.map(Transaction, (transaction) =>
    Transaction.of({
      ...transaction,
      run: (effect, locks) => Effect.zipRight(beginning.pass, transaction.run(effect, locks))
    })
  )
)

const noMails = Layer.succeed(
  WebhookMails,
  new WebhookMails({ demand: () => Effect.succeed(undefined), send: () => Effect.succeed(null) })
)

const queued = Effect.fnUntraced(function* (webhookId: WebhookId, organizationId: OrganizationId, object: string) {
  yield* (yield* WebhookRepo).insertDelivery({
    webhookId,
    organizationId,
    ...waitingDelivery,
    eventId: randomUUID(),
    objectKey: object
  })
})

for (const [label, store] of everyStore) {
  const world = WebhookDeliveries.Default.pipe(
    Layer.provide(Layer.mergeAll(slow, later, noMails, ServerOwners.Default)),
    Layer.provideMerge(Layer.mergeAll(store, SecretsNode, SettingsLive(defaults))),
    Layer.provideMerge(Logger.remove(Logger.defaultLogger))
  )

  describe(`a webhook that is changed while the server is about it, in ${label}`, () => {
    const made = Effect.gen(function* () {
      const { id: organizationId } = yield* addOrganization
      return yield* (yield* WebhookRepo).insert(webhookOf(organizationId))
    })

    /** Runs an effect beside the one that is held at the gate. */
    const beside = (gate: typeof sending, held: Effect.Effect<unknown, unknown>, change: Effect.Effect<unknown>) =>
      Effect.promise(() =>
        gate.overtaken(
          () => Effect.runPromise(held),
          () => Effect.runPromise(change)
        )
      )

    it.effect("is sent nothing any more once it is switched off, also of what was under way", () =>
      Effect.gen(function* () {
        const repo = yield* WebhookRepo
        const transaction = yield* Transaction
        const deliveries = yield* WebhookDeliveries
        const webhook = yield* made
        for (const object of ["cohort:1", "cohort:2"]) yield* queued(webhook.id, webhook.organizationId, object)
        const off = Effect.zipRight(repo.update({ ...webhook, isActive: false }), repo.giveUp(webhook.id))
        yield* beside(sending, Effect.zipRight(deliveries.round(), deliveries.settled), transaction.run(off))
        const all = yield* repo.listDeliveries(webhook.id, { state: null, type: null }, null, 10)
        assert.deepStrictEqual(
          all.map(({ state, tries }) => [state, tries]),
          [
            ["failed", 0],
            ["failed", 1]
          ]
        )
      }).pipe(Effect.provide(world))
    )

    it.effect("has what was under way sent again at once after a stop, and nothing that was answered in time", () =>
      Effect.gen(function* () {
        const repo = yield* WebhookRepo
        const [late, soon] = [yield* made, yield* made]
        const url = "https://hooks.studio.example/late"
        yield* repo.update({ ...late, url })
        for (const { id, organizationId } of [late, soon]) yield* queued(id, organizationId, "cohort:1")
        const answering = Layer.succeed(WebhookSender, {
          refusalOf: () => undefined,
          send: (message) =>
            message.url === url ? Effect.never : Effect.succeed({ kind: "answered", status: 204, text: "" })
        })
        const own = Layer.fresh(WebhookDeliveries.Default).pipe(
          Layer.provide(Layer.mergeAll(answering, noMails, ServerOwners.Default))
        )
        yield* Effect.flatMap(WebhookDeliveries, ({ round }) => round()).pipe(Effect.provide(own))
        assert.deepStrictEqual(
          (yield* repo.findDue(0, 10)).map(({ webhookId, tries }) => [webhookId, tries]),
          [[late.id, 0]]
        )
        const [delivered] = yield* repo.listDeliveries(soon.id, { state: null, type: null }, null, 1)
        assert.deepInclude(delivered, { state: "delivered", tries: 1 })
        yield* repo.giveUp(late.id)
      }).pipe(Effect.provide(world))
    )

    it.effect("keeps its new secret where too much waits for it", () =>
      Effect.gen(function* () {
        const repo = yield* WebhookRepo
        const deliveries = yield* WebhookDeliveries
        const webhook = yield* made
        for (let count = 0; count <= mostWaiting; count++)
          yield* queued(webhook.id, webhook.organizationId, `cohort:${count}`)
        const secret = "whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
        yield* beside(beginning, deliveries.tidy(0), repo.update({ ...webhook, secret }))
        const present = yield* Effect.flatten(repo.find(webhook.organizationId, webhook.id))
        assert.deepInclude(present, { secret, isActive: false })
      }).pipe(Effect.provide(world))
    )
  })
}

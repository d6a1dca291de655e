import { assert, layer } from "@effect/vitest"
import { Effect, Option } from "effect"
import { randomUUID } from "node:crypto"
import type { Webhook } from "../../../src/domain/operations/webhooks/Webhook.ts"
import { attempted } from "../../../src/domain/operations/webhooks/WebhookDelivery.ts"
import { type NewDelivery, WebhookRepo } from "../../../src/ports/operations/WebhookRepo.ts"
import { addOrganization } from "../../support/access/Tenants.ts"
import { at, webhookOf } from "../../support/operations/StoredWebhooks.ts"
import { everyStore } from "../../support/Stores.ts"

const deliveryTo = ({ id, organizationId }: Webhook, more: Partial<NewDelivery> = {}): NewDelivery => ({
  webhookId: id,
  organizationId,
  eventId: randomUUID(),
  type: "cohort.failed",
  objectKey: "cohort:1",
  payload: '{"type":"cohort.failed","data":"ü\\n"}',
  state: "waiting",
  attempts: [],
  tries: 0,
  nextAt: 100,
  createdAt: 100,
  ...more
})

const failure = { at: 100, millis: 5, status: 500, answer: "no", problem: "Status 500 is no success" }

for (const [label, store] of everyStore) {
  layer(store)(`webhooks in ${label}`, (it) => {
    it.effect("keeps webhooks of each organization, oldest first", () =>
      Effect.gen(function* () {
        const repo = yield* WebhookRepo
        const [own, other] = [(yield* addOrganization).id, (yield* addOrganization).id]
        const later = yield* repo.insert(webhookOf(own, { createdAt: at(5), applicationIds: null, createdBy: null }))
        const first = yield* repo.insert(webhookOf(own))
        yield* repo.insert(webhookOf(other))
        assert.deepStrictEqual(yield* repo.list(own), [first, later])
        const changed = { ...later, isActive: false, previousSecret: "whsec_AA==", previousUntil: at(9), types: [] }
        assert.deepStrictEqual(yield* repo.update(changed), changed)
        assert.deepStrictEqual(yield* repo.find(own, later.id), Option.some(changed))
        assert.deepStrictEqual(yield* repo.find(other, later.id), Option.none())
        yield* repo.remove(other, first.id)
        assert.strictEqual((yield* repo.list(own)).length, 2)
        const delivery = yield* repo.insertDelivery(deliveryTo(first))
        yield* repo.remove(own, first.id)
        assert.deepStrictEqual(yield* repo.list(own), [changed])
        assert.deepStrictEqual(yield* repo.findDelivery(first.id, delivery.id), Option.none())
      })
    )

    it.effect("finds what is due: of each object the oldest that waits, of each webhook a few", () =>
      Effect.gen(function* () {
        const repo = yield* WebhookRepo
        const organizationId = (yield* addOrganization).id
        const [one, two] = [
          yield* repo.insert(webhookOf(organizationId)),
          yield* repo.insert(webhookOf(organizationId))
        ]
        const add = (webhook: Webhook, objectKey: string, nextAt = 100) =>
          repo.insertDelivery(deliveryTo(webhook, { objectKey, nextAt }))
        const [first, second] = [yield* add(one, "cohort:1"), yield* add(one, "cohort:1")]
        const [other, late] = [yield* add(one, "cohort:2"), yield* add(one, "cohort:3", 500)]
        const foreign = yield* add(two, "cohort:1")
        const mine = new Set([one.id, two.id])
        const due = (now: number, limit = 10) =>
          Effect.map(repo.findDue(now, limit), (all) =>
            all.filter(({ webhookId }) => mine.has(webhookId)).map(({ id }) => id)
          )
        assert.deepStrictEqual(yield* due(99), [])
        assert.deepStrictEqual(yield* due(100), [first.id, other.id, foreign.id])
        assert.deepStrictEqual(yield* due(100, 1), [first.id, foreign.id])
        assert.deepStrictEqual(yield* due(500), [first.id, other.id, late.id, foreign.id])
        // The clock that planned them was ahead by months, and is set back.
        assert.deepStrictEqual(yield* due(-60 * 86_400_000), [first.id, other.id, late.id, foreign.id])
        // It was ahead by less than is planned, so that nobody could tell by the plans.
        assert.deepStrictEqual(yield* due(300), [first.id, other.id, foreign.id])
        yield* repo.hasten(300)
        assert.deepStrictEqual(yield* due(300), [first.id, other.id, late.id, foreign.id])
        yield* repo.updateDelivery(attempted(first, failure, 0))
        assert.deepStrictEqual(yield* due(100), [other.id, foreign.id])
        yield* repo.updateDelivery({ ...first, state: "delivered" })
        assert.deepStrictEqual(yield* due(100), [second.id, other.id, foreign.id])
        const counts = yield* repo.countsWaiting
        assert.deepStrictEqual([counts.get(one.id), counts.get(two.id)], [3, 1])
        yield* repo.giveUp(one.id)
        assert.deepStrictEqual(yield* due(1000), [foreign.id])
        assert.isFalse((yield* repo.countsWaiting).has(one.id))
      })
    )

    it.effect("lists deliveries newest first, filtered and in pages, and forgets old ones that have ended", () =>
      Effect.gen(function* () {
        const repo = yield* WebhookRepo
        const webhook = yield* repo.insert(webhookOf((yield* addOrganization).id))
        const [a, b, c] = [
          yield* repo.insertDelivery(deliveryTo(webhook, { createdAt: 10 })),
          yield* repo.insertDelivery(deliveryTo(webhook, { type: "key.created", createdAt: 20 })),
          yield* repo.insertDelivery(deliveryTo(webhook, { createdAt: 30 }))
        ]
        const tried = attempted(a, failure, 0.5)
        yield* repo.updateDelivery(tried)
        yield* repo.updateDelivery({ ...b, state: "delivered" })
        assert.deepStrictEqual(yield* repo.findDelivery(webhook.id, a.id), Option.some(tried))
        const ids = (state: "waiting" | null, type: string | null, below: typeof a.id | null, limit = 10) =>
          Effect.map(repo.listDeliveries(webhook.id, { state, type }, below, limit), (all) => all.map(({ id }) => id))
        assert.deepStrictEqual(yield* ids(null, null, null), [c.id, b.id, a.id])
        assert.deepStrictEqual(yield* ids(null, null, c.id, 1), [b.id])
        assert.deepStrictEqual(yield* ids("waiting", null, null), [c.id, a.id])
        assert.deepStrictEqual(yield* ids(null, "key.created", null), [b.id])
        yield* repo.expire(25)
        assert.deepStrictEqual(yield* ids(null, null, null), [c.id, a.id])
      })
    )
  })
}

import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Logger } from "effect"
import { randomUUID } from "node:crypto"
import { SecretsNode } from "../../../src/adapters/node/Secrets.ts"
import { defaults } from "../../../src/app/Config.ts"
import { SettingsLive } from "../../../src/app/SettingsLive.ts"
import type { Webhook } from "../../../src/domain/operations/webhooks/Webhook.ts"
import { WebhookRepo } from "../../../src/ports/operations/WebhookRepo.ts"
import { WebhookSender } from "../../../src/ports/operations/WebhookSender.ts"
import { ServerOwners } from "../../../src/services/access/ServerOwners.ts"
import { WebhookDeliveries } from "../../../src/services/operations/WebhookDeliveries.ts"
import { WebhookMails } from "../../../src/services/operations/WebhookMails.ts"
import { addOrganization, newUserId } from "../../support/access/Tenants.ts"
import { webhookOf } from "../../support/operations/StoredWebhooks.ts"
import { everyStore } from "../../support/Stores.ts"
import { waitingDelivery } from "../../support/operations/WaitingDelivery.ts"

const owner = "ada@studio.example"

const noMails = Layer.succeed(
  WebhookMails,
  new WebhookMails({ demand: () => Effect.succeed(undefined), send: () => Effect.succeed(null) })
)

describe.each(everyStore)("a message of the server itself, in %s", (_, store) => {
  const asked: Array<string> = []
  const sender = Layer.succeed(WebhookSender, {
    refusalOf: () => undefined,
    send: ({ url }) => {
      asked.push(url)
      return Effect.succeed({ kind: "answered" as const, status: 204, text: "" })
    }
  })
  const world = WebhookDeliveries.Default.pipe(
    Layer.provide(Layer.mergeAll(sender, noMails, ServerOwners.Default)),
    Layer.provideMerge(Layer.mergeAll(store, SecretsNode, SettingsLive({ ...defaults, owner }))),
    Layer.provideMerge(Logger.remove(Logger.defaultLogger))
  )

  it.effect("is brought to webhooks of its owners that ask for it still, and to no other, whatever waited for it", () =>
    Effect.gen(function* () {
      const repo = yield* WebhookRepo
      const { round, settled } = yield* WebhookDeliveries
      const { id: organizationId } = yield* addOrganization
      const waiting = Effect.fnUntraced(function* (
        url: string,
        more: Partial<Webhook>,
        ...types: ReadonlyArray<string>
      ) {
        const { id } = yield* repo.insert(webhookOf(organizationId, { url, ...more }))
        for (const type of types)
          yield* repo.insertDelivery({
            ...waitingDelivery,
            webhookId: id,
            organizationId,
            type,
            eventId: randomUUID(),
            objectKey: type
          })
        return id
      })
      yield* waiting("https://all.example", { types: [] }, "server.problem")
      yield* waiting("https://some.example", { types: ["server.problem"] }, "server.problem")
      const led = yield* waiting("https://led.example", { types: ["cohort.failed"] }, "server.problem", "cohort.failed")
      const createdBy = { id: newUserId(), email: "bea@studio.example" }
      yield* waiting("https://foreign.example", { types: [], createdBy }, "server.problem")
      yield* Effect.zipRight(round(), settled)
      assert.deepStrictEqual(asked.toSorted(), ["https://all.example", "https://led.example", "https://some.example"])
      const left = yield* repo.listDeliveries(led, { state: null, type: null }, null, 10)
      assert.deepStrictEqual(
        left.map(({ type, state }) => [type, state]),
        [
          ["cohort.failed", "delivered"],
          ["server.problem", "failed"]
        ]
      )
    }).pipe(Effect.provide(world))
  )
})

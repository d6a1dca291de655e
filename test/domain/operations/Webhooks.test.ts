import { assert, describe, it } from "@effect/vitest"
import { createHmac } from "node:crypto"
import { DeliveryId, OrganizationId, WebhookId } from "../../../src/domain/Ids.ts"
import { type AuditContent } from "../../../src/domain/operations/audit/AuditEntry.ts"
import { wants } from "../../../src/domain/operations/webhooks/Webhook.ts"
import { attempted, type Delivery, pauses, replayed } from "../../../src/domain/operations/webhooks/WebhookDelivery.ts"
import {
  eventOfChange,
  eventTypeOf,
  messageOf,
  objectKeyOf
} from "../../../src/domain/operations/webhooks/WebhookEvents.ts"
import {
  secretBytes,
  secretText,
  signatureHeader,
  signedText
} from "../../../src/domain/operations/webhooks/WebhookSignature.ts"
import { isAudited } from "../../../schema/operations/Audited.ts"
import { endpoints } from "../../support/Endpoints.ts"
import { waitingDelivery } from "../../support/operations/WaitingDelivery.ts"

const organizationId = OrganizationId.make(7)

const delivery: Delivery = {
  id: DeliveryId.make(1),
  webhookId: WebhookId.make("00000000-0000-4000-8000-000000000000"),
  organizationId,
  eventId: "e",
  ...waitingDelivery
}

const failure = (at: number, status: number | null = 500) => ({ at, millis: 0, status, answer: null, problem: "no" })

const change: AuditContent = {
  at: 1_700_000_000_000,
  actor: { kind: "session", userId: null, email: "ada@studio.example", keyId: null, keyName: null },
  address: "203.0.113.7",
  requestId: "r",
  operation: "configurations.patch",
  object: { kind: "configurations", id: "4", name: "Shop" },
  applicationId: null,
  environmentId: null,
  reason: "sale",
  outcome: "done",
  changes: Array.from({ length: 60 }, (_, index) => ({ path: `p${index}`, before: "1", after: "x".repeat(500) })),
  moreChanges: 2
}

describe("messages of webhooks", () => {
  it("cut long values between characters, so that every receiver can read them", () => {
    const changes = [{ path: "a", before: null, after: `x${"\u{1F600}".repeat(300)}` }]
    const event = eventOfChange("e", organizationId, { ...change, changes })
    const text = event === undefined ? "" : messageOf(event)
    assert.include(text, `x${"\u{1F600}".repeat(199)}…`)
    assert.notInclude(text, "\\ud83d")
  })
})

describe("signatures of webhooks", () => {
  // The example of https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md and of its libraries.
  it("are those of Standard Webhooks", () => {
    const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
    const text = signedText("msg_p5jXN8AQM9LWM0D4loKWxJek", 1614265330, '{"test": 2432232314}')
    const signature = createHmac("sha256", secretBytes(secret)).update(text).digest()
    assert.strictEqual(signatureHeader([signature]), "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=")
    assert.strictEqual(signatureHeader([signature, signature]).split(" ").length, 2)
    assert.strictEqual(secretText(secretBytes(secret)), secret)
  })
})

describe("deliveries", () => {
  it("are tried for about a day, later and later, and then given up", () => {
    let [now, present] = [0, delivery]
    for (const pause of pauses) {
      present = attempted(present, failure(now), 0)
      assert.strictEqual(present.state, "waiting")
      assert.strictEqual(present.nextAt, now + pause)
      now = present.nextAt
    }
    present = attempted(present, failure(now), 0)
    assert.strictEqual(present.state, "failed")
    assert.strictEqual(present.attempts.length, pauses.length + 1)
    assert.isTrue(now > 24 * 3_600_000 && now < 30 * 3_600_000)
    const again = replayed(present, now + 5)
    assert.deepInclude(again, { state: "waiting", tries: 0, nextAt: now + 5, eventId: "e" })
  })

  it("are spread by at most a fifth, end with a success, and at once where the receiver is gone", () => {
    assert.strictEqual(attempted(delivery, failure(0), 1).nextAt, 6000)
    assert.strictEqual(attempted(delivery, { ...failure(0), status: 204, problem: null }, 0).state, "delivered")
    assert.strictEqual(attempted(delivery, failure(0, 410), 0).state, "failed")
  })
})

describe("events", () => {
  it("have a type for every operation that the log of changes tells of, and for no other", () => {
    const audited = endpoints().filter(({ name, method, requirement }) => isAudited(method, name, requirement))
    assert.deepStrictEqual(
      audited.map(({ name }) => name).filter((name) => eventTypeOf(name) === undefined),
      [],
      "src/domain/operations/webhooks/WebhookEvents.ts has no type for these operations"
    )
  })

  it("tell who changed what, in a message of bounded size", () => {
    const event = eventOfChange("e1", organizationId, change)!
    assert.strictEqual(objectKeyOf(event), "configuration:4")
    const message = JSON.parse(messageOf(event))
    assert.deepStrictEqual(Object.keys(message), ["type", "timestamp", "data"])
    assert.deepInclude(message, { type: "configuration.updated", timestamp: "2023-11-14T22:13:20.000Z" })
    assert.strictEqual(message.data.changes.length, 50)
    assert.strictEqual(message.data.moreChanges, 12)
    assert.strictEqual(message.data.changes[0].after.length, 201)
    assert.notInclude(messageOf(event), "203.0.113.7")
    assert.isUndefined(eventOfChange("e2", organizationId, { ...change, operation: "webhooks.update" }))
  })

  it("reach webhooks that want their type and their project", () => {
    const [here, nowhere] = [{ applicationId: 3 }, { applicationId: null }]
    const all = { isActive: true, types: [], applicationIds: null }
    assert.isTrue(wants(all, "key.created", here))
    assert.isFalse(wants({ ...all, isActive: false }, "key.created", here))
    assert.isFalse(wants({ ...all, types: ["key.deactivated"] }, "key.created", here))
    assert.isFalse(wants({ ...all, applicationIds: [] }, "cohort.failed", here))
    assert.isTrue(wants({ ...all, applicationIds: [] }, "key.created", nowhere))
  })
})

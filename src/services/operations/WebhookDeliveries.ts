import { Array, Clock, DateTime, Duration, Effect, FiberMap, Option, Random } from "effect"
import type { WebhookId } from "../../domain/Ids.ts"
import { mailAddressOf, type Webhook } from "../../domain/operations/webhooks/Webhook.ts"
import {
  attempted,
  type Delivery,
  type DeliveryAttempt,
  deliveryDays,
  isGone,
  mostWaiting,
  patienceMillis
} from "../../domain/operations/webhooks/WebhookDelivery.ts"
import { isOfServer } from "../../domain/operations/webhooks/WebhookEvents.ts"
import { secretBytes, signatureHeader, signedText } from "../../domain/operations/webhooks/WebhookSignature.ts"
import { dayMillis } from "../../domain/Durations.ts"
import { Secrets } from "../../ports/access/Secrets.ts"
import { Settings } from "../../ports/operations/Settings.ts"
import { Transaction } from "../../ports/operations/Transaction.ts"
import { Turns } from "../../ports/operations/Turns.ts"
import { WebhookRepo } from "../../ports/operations/WebhookRepo.ts"
import { type WebhookAnswer, WebhookSender } from "../../ports/operations/WebhookSender.ts"
import { ServerOwners } from "../access/ServerOwners.ts"
import { clockSetBack } from "./ClockSetBack.ts"
import { WebhookMails } from "./WebhookMails.ts"

/** Messages of one webhook that are sent in one round, and webhooks that are sent to at once. */
const perRound = 20
const atOnce = 200

/** For so long messages are a process's own: more than a round takes with answers as late as they may be. */
const claimMillis = 10 * 60_000

const problemOf = (answer: WebhookAnswer): string | null => {
  if (answer.kind === "unanswered") return answer.problem
  return answer.status >= 200 && answer.status < 300 ? null : `Status ${answer.status} is no success`
}

/** Why a webhook is switched off after an attempt; null where it is not. */
const endOf = ({ failingSince }: Webhook, attempt: DeliveryAttempt): string | null => {
  if (attempt.problem === null) return null
  if (isGone(attempt.status)) return "The receiver answered 410: it wants no messages any more"
  const since = failingSince === null ? attempt.at : DateTime.toEpochMillis(failingSince)
  return attempt.at - since < patienceMillis ? null : `No message has arrived for ${patienceMillis / dayMillis} days`
}

/** What is being sent may still be answered when the server stops, so that it need not be sent again. */
const longestStop = Duration.seconds(1)

/** Sends what is queued for webhooks: at least once, and of each object in its order. */
export class WebhookDeliveries extends Effect.Service<WebhookDeliveries>()("services/operations/WebhookDeliveries", {
  scoped: Effect.gen(function* () {
    const sending = yield* FiberMap.make<WebhookId>()
    const answeredInTime = FiberMap.awaitEmpty(sending).pipe(
      Effect.interruptible,
      Effect.timeoutOption(longestStop),
      Effect.ignore,
      Effect.withClock(Clock.make())
    )
    yield* Effect.addFinalizer(() => answeredInTime)
    const sockets = yield* Effect.makeSemaphore(atOnce)
    const repo = yield* WebhookRepo
    const sender = yield* WebhookSender
    const mails = yield* WebhookMails
    const owners = yield* ServerOwners
    const secrets = yield* Secrets
    const transaction = yield* Transaction
    const turns = yield* Turns
    const wasSetBack = yield* clockSetBack
    const { privateWebhooks } = yield* Settings

    const headersOf = ({ secret, previousSecret, previousUntil }: Webhook, delivery: Delivery, now: number) => {
      const isOverlapping = previousUntil !== null && DateTime.toEpochMillis(previousUntil) > now
      const used = isOverlapping && previousSecret !== null ? [secret, previousSecret] : [secret]
      const seconds = Math.floor(now / 1000)
      const text = signedText(delivery.eventId, seconds, delivery.payload)
      return {
        "content-type": "application/json",
        "user-agent": "Gamekeeper",
        "webhook-id": delivery.eventId,
        "webhook-timestamp": String(seconds),
        "webhook-signature": signatureHeader(used.map((each) => secrets.sign(secretBytes(each), text)))
      }
    }

    /** Writes a delivery that was under way. One that was given up meanwhile, as all are of a webhook that is switched off, waits no more. */
    const keep = Effect.fnUntraced(function* (delivery: Delivery) {
      const present = yield* repo.findDelivery(delivery.webhookId, delivery.id)
      const isGivenUp = Option.exists(present, ({ state }) => state === "failed") && delivery.state === "waiting"
      yield* repo.updateDelivery(isGivenUp ? { ...delivery, state: "failed" } : delivery)
    })

    /** Writes down what came of an attempt, also about the webhook: meanwhile somebody may have changed it. */
    const record = Effect.fnUntraced(function* (sent: Webhook, delivery: Delivery, attempt: DeliveryAttempt) {
      const found = yield* repo.find(sent.organizationId, sent.id)
      if (Option.isNone(found)) return
      const webhook = found.value
      yield* keep(delivery)
      const isFailing = attempt.problem !== null
      const end = webhook.isActive ? endOf(webhook, attempt) : null
      if (isFailing === (webhook.failingSince !== null) && end === null) return
      const failingSince = isFailing ? (webhook.failingSince ?? DateTime.unsafeMake(attempt.at)) : null
      yield* switchOff({ ...webhook, failingSince }, end)
    })

    /** Writes the webhook, switched off where there is a reason; what waits for it is then given up. */
    const switchOff = Effect.fnUntraced(function* (webhook: Webhook, reason: string | null) {
      if (reason === null) return yield* Effect.asVoid(repo.update(webhook))
      yield* repo.update({ ...webhook, isActive: false, switchedOff: reason, updatedAt: yield* DateTime.now })
      yield* repo.giveUp(webhook.id)
      yield* Effect.logWarning(`Webhook ${webhook.id} is switched off: ${reason}`)
    })

    const post = Effect.fnUntraced(function* (webhook: Webhook, delivery: Delivery, at: number) {
      const headers = headersOf(webhook, delivery, at)
      const message = { url: webhook.url, headers, body: delivery.payload, allowsPrivate: privateWebhooks }
      const answer = yield* sender.send(message)
      const [status, text] = answer.kind === "answered" ? [answer.status, answer.text] : [null, null]
      return { status, answer: text, problem: problemOf(answer) }
    })

    const bring = (webhook: Webhook, delivery: Delivery, at: number) => {
      const email = mailAddressOf(webhook.url)
      if (email === undefined) return post(webhook, delivery, at)
      return Effect.map(mails.send(webhook, email, delivery), (problem) => ({ status: null, answer: null, problem }))
    }

    /** Makes one attempt and answers the delivery as it is then. */
    const attempt = Effect.fnUntraced(function* (webhook: Webhook, delivery: Delivery) {
      const at = yield* Clock.currentTimeMillis
      const brought = yield* bring(webhook, delivery, at)
      const made: DeliveryAttempt = { at, millis: (yield* Clock.currentTimeMillis) - at, ...brought }
      const after = attempted(delivery, made, yield* Random.next)
      yield* transaction.run(record(webhook, after, made))
      return after
    })

    /**
     * What is of the server itself is brought to a webhook that an owner of it has made and that still asks for it. Others may change webhooks of their
     * organization: one that asks for nothing of the server any more may lead anywhere, while messages wait or are sent once more.
     */
    const mayBring = ({ createdBy, types }: Webhook, { type }: Delivery): boolean =>
      !isOfServer(type) ||
      (createdBy !== null && owners.isOwner(createdBy.email) && (types.length === 0 || types.includes(type)))

    const release = (all: ReadonlyArray<Delivery>) => Effect.forEach(all, keep, { discard: true })

    /** Sends to one webhook, one message after the other, until one fails: the next round goes on. */
    const sendTo = Effect.fnUntraced(function* (all: ReadonlyArray<Delivery>) {
      for (const [index, delivery] of all.entries()) {
        // It may have been changed, removed or switched off since the last message.
        const webhook = yield* repo.find(delivery.organizationId, delivery.webhookId)
        if (Option.isNone(webhook) || !webhook.value.isActive) return
        if (!mayBring(webhook.value, delivery)) {
          yield* transaction.run(keep({ ...delivery, state: "failed" }))
          continue
        }
        const { state } = yield* attempt(webhook.value, delivery)
        if (state !== "delivered") return yield* transaction.run(release(all.slice(index + 1)))
      }
    })

    /** Gives back what was claimed and had no attempt, so that another process, or the next start, sends it at once. */
    const giveBack = Effect.fnUntraced(function* (all: ReadonlyArray<Delivery>) {
      for (const each of all) {
        const present = yield* repo.findDelivery(each.webhookId, each.id)
        const isClaimed = Option.exists(present, ({ state, tries }) => state === "waiting" && tries === each.tries)
        if (isClaimed) yield* repo.updateDelivery(each)
      }
    })

    /** What is due now is this process's own for a while; should it be killed, the messages are sent again after that. */
    const claim = Effect.fnUntraced(function* () {
      const now = yield* Clock.currentTimeMillis
      const due = (yield* repo.findDue(now, perRound)).filter(
        ({ webhookId }) => !FiberMap.unsafeHas(sending, webhookId)
      )
      yield* Effect.forEach(due, (each) => repo.updateDelivery({ ...each, nextAt: now + claimMillis }), {
        discard: true
      })
      return due
    })

    /** Begins to send what is due. A receiver that is slow keeps the messages to others waiting in no way. */
    const round = Effect.fnUntraced(function* () {
      if (yield* wasSetBack) yield* repo.hasten(yield* Clock.currentTimeMillis)
      // Mostly nothing is due: then no lock is taken and no transaction begins.
      if ((yield* repo.findDue(yield* Clock.currentTimeMillis, 1)).length === 0) return
      const due = Option.getOrElse(yield* turns.once("webhooks", transaction.run(claim())), () => [])
      for (const all of Object.values(Array.groupBy(due, ({ webhookId }) => webhookId))) {
        const [{ webhookId: id }] = all
        const logged = Effect.catchAllCause(sendTo(all), (cause) =>
          Effect.logError(`Webhook ${id} could not be called`, cause)
        )
        const stopped = Effect.ignoreLogged(transaction.run(giveBack(all)))
        yield* FiberMap.run(
          sending,
          id,
          Effect.onInterrupt(sockets.withPermits(1)(logged), () => stopped)
        )
      }
    })

    /** Waits until all that is being sent has been answered. */
    const settled = FiberMap.awaitEmpty(sending)

    const isTooLong = (waiting: ReadonlyMap<WebhookId, number>) =>
      [...waiting].flatMap(([id, count]) => (count > mostWaiting ? [id] : []))

    /** Switches off webhooks for which too much waits, and forgets deliveries that ended long ago, by a time that is trusted (epoch ms). */
    const tidy = Effect.fnUntraced(function* (trusted: number) {
      for (const id of isTooLong(yield* repo.countsWaiting)) {
        const [newest] = yield* repo.listDeliveries(id, { state: "waiting", type: null }, null, 1)
        if (newest === undefined) continue
        const overfull = Effect.flatMap(repo.find(newest.organizationId, id), (webhook) =>
          Option.isNone(webhook)
            ? Effect.void
            : switchOff(webhook.value, `More than ${mostWaiting} messages wait for it`)
        )
        yield* transaction.run(overfull)
      }
      yield* repo.expire(trusted - deliveryDays * dayMillis)
    })

    return { attempt, round, settled, tidy } as const
  })
}) {}

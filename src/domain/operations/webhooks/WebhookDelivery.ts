import { dayMillis } from "../../Durations.ts"
import type { DeliveryId, OrganizationId, WebhookId } from "../../Ids.ts"

/** One try to deliver a message. */
export interface DeliveryAttempt {
  /** Epoch ms. */
  readonly at: number
  readonly millis: number
  /** The status of the answer; null where none came. */
  readonly status: number | null
  /** The beginning of the answer. */
  readonly answer: string | null
  /** Why it was no success; null for one. */
  readonly problem: string | null
}

/** `waiting` for its first or next attempt, `delivered`, or `failed` for good. */
export type DeliveryState = "waiting" | "delivered" | "failed"

/** A message to one webhook. Ids ascend in the order of the events. */
export interface Delivery {
  readonly id: DeliveryId
  readonly webhookId: WebhookId
  readonly organizationId: OrganizationId
  readonly eventId: string
  readonly type: string
  /** Messages of one object arrive in their order. */
  readonly objectKey: string
  readonly payload: string
  readonly state: DeliveryState
  /** The newest attempts, oldest first. */
  readonly attempts: ReadonlyArray<DeliveryAttempt>
  /** Attempts since it was made or replayed. */
  readonly tries: number
  /** When it is tried next, epoch ms. */
  readonly nextAt: number
  /** Epoch ms. */
  readonly createdAt: number
}

const [second, minute, hour] = [1000, 60_000, 3_600_000]

/** Milliseconds from one attempt to the next: the schedule that Standard Webhooks proposes, about 28 hours in all. */
export const pauses: ReadonlyArray<number> = [
  5 * second,
  5 * minute,
  30 * minute,
  2 * hour,
  5 * hour,
  10 * hour,
  10 * hour
]

const attemptsKept = 10

/** After so long without a success a webhook is switched off. */
export const patienceMillis = 5 * dayMillis

/** Days for which deliveries that have ended can be looked at. */
export const deliveryDays = 30

/** Messages that may wait for one webhook; a longer queue switches it off. */
export const mostWaiting = 2000

/** Whether an answer of that status says that nothing is ever wanted there again. */
export const isGone = (status: number | null): boolean => status === 410

/** The delivery after an attempt. `spread` from 0 to 1 lengthens the pause by up to a fifth, so that many do not come back at once. */
export const attempted = (delivery: Delivery, attempt: DeliveryAttempt, spread: number): Delivery => {
  const tries = delivery.tries + 1
  const attempts = [...delivery.attempts, attempt].slice(-attemptsKept)
  if (attempt.problem === null) return { ...delivery, attempts, tries, state: "delivered" }
  const pause = pauses[tries - 1]
  if (pause === undefined || isGone(attempt.status)) return { ...delivery, attempts, tries, state: "failed" }
  return { ...delivery, attempts, tries, nextAt: Math.round(attempt.at + attempt.millis + pause * (1 + spread / 5)) }
}

/** The delivery as it begins anew. */
export const replayed = (delivery: Delivery, now: number): Delivery => ({
  ...delivery,
  state: "waiting",
  tries: 0,
  nextAt: now
})

import type { Delivery, DeliveryState, Webhook } from "./WebhookQueries.ts"

type Attempt = NonNullable<Delivery["lastAttempt"]>

export const stateWords: Readonly<Record<DeliveryState, string>> = {
  waiting: "waiting",
  delivered: "delivered",
  failed: "failed"
}

/** What a webhook is told: "everything", or types by their names. */
export const typesText = ({ types }: Pick<Webhook, "types">): string => {
  if (types.length === 0) return "everything"
  return types.length > 3 ? `${types.slice(0, 2).join(", ")} and ${types.length - 2} more` : types.join(", ")
}

/** How a webhook does. */
export const healthText = ({ isActive, switchedOff, failingSince }: Webhook): string => {
  if (!isActive) return switchedOff === null ? "switched off" : `switched off by the server: ${switchedOff}`
  return failingSince === null ? "works" : "fails: its messages are tried again"
}

/** What a webhook may be told of its kind of things, in words: `rollout changed`. */
export const typeText = (type: string): string =>
  type.slice(type.indexOf(".") + 1).replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)

/** What came of one attempt. No status comes from the mail server, nor from who did not answer, of whom the problem tells. */
export const attemptText = ({ problem, status }: Pick<Attempt, "problem" | "status">): string =>
  problem ?? (status === null ? "mailed" : `answered ${status}`)

/** What came of the last attempt. */
export const outcomeText = ({ state, lastAttempt }: Pick<Delivery, "state" | "lastAttempt">): string => {
  if (lastAttempt === null) return "not tried yet"
  if (lastAttempt.problem === null) return `${attemptText(lastAttempt)} after ${lastAttempt.millis} ms`
  return state === "waiting" ? `${lastAttempt.problem}; tried again` : lastAttempt.problem
}

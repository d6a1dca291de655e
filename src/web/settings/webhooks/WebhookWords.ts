import type { Delivery, DeliveryState, Webhook } from "./WebhookQueries.ts"

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

/** What came of the last attempt. */
export const outcomeText = ({ state, lastAttempt }: Pick<Delivery, "state" | "lastAttempt">): string => {
  if (lastAttempt === null) return "not tried yet"
  if (lastAttempt.problem === null) return `answered ${lastAttempt.status} after ${lastAttempt.millis} ms`
  return state === "waiting" ? `${lastAttempt.problem}; tried again` : lastAttempt.problem
}

import type { Event } from "../analytics/markers/Event.ts"
import type { Click } from "./Click.ts"
import { attributionEnd, type Deeplink } from "./Deeplink.ts"

/** A marker that names the click it came of. */
export interface Claim {
  readonly interactionId: string
  readonly event: Event & { readonly unitId: string }
}

const names = ["deeplinkData.interactionId", "gk_click"]
const maxCharacters = 64

const interactionOf = ({ arguments: own, properties }: Event): string | null => {
  for (const name of names) {
    const value = own[name] ?? properties[name]
    if (typeof value === "string" && value !== "" && value.length <= maxCharacters) return value
  }
  return null
}

const hasUnit = (event: Event): event is Claim["event"] => event.unitId !== null

/** Of the markers of a batch those that say which click they came of: `deeplinkData.interactionId` or `gk_click`. */
export const claimsOf = (events: ReadonlyArray<Event>): ReadonlyArray<Claim> => {
  const claims: Array<Claim> = []
  for (const event of events) {
    const interactionId = interactionOf(event)
    if (interactionId !== null && hasUnit(event)) claims.push({ interactionId, event })
  }
  return claims
}

/** Milliseconds by which the clock of a game may be behind the server's, so that a marker seems to come before its click. */
const clockError = 600_000

/** When the claim converts the click, in epoch milliseconds and no earlier than the click; null when it does not. */
export const convertedAt = ({ event }: Claim, { clickedAt }: Click, deeplink: Deeplink): number | null => {
  const { timestamp, type } = event
  if (type !== deeplink.conversionMarker) return null
  if (timestamp < clickedAt - clockError || timestamp > attributionEnd(deeplink, clickedAt)) return null
  return Math.max(timestamp, clickedAt)
}

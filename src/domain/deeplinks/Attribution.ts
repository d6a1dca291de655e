import type { Event } from "../analytics/markers/Event.ts"
import type { Click } from "./Click.ts"
import { interactionOf } from "./ClickName.ts"
import { attributionEnd, type Deeplink } from "./Deeplink.ts"

/** A marker that names the click it came from. */
export interface Claim {
  readonly interactionId: string
  readonly event: Event & { readonly unitId: string }
}

const hasUnit = (event: Event): event is Claim["event"] => event.unitId !== null

/** The markers of a batch that name a click, in `deeplinkData.interactionId` or `gk_click`. */
export const claimsOf = (events: ReadonlyArray<Event>): ReadonlyArray<Claim> => {
  const claims: Array<Claim> = []
  for (const event of events) {
    const interactionId = interactionOf(event)
    if (interactionId !== null && hasUnit(event)) claims.push({ interactionId, event })
  }
  return claims
}

/** A game's clock may be this many ms behind the server's, so that a marker seems to precede its click. */
const clockError = 600_000

/** When the claim converts the click (epoch ms), at the earliest the time of the click; null if it does not. */
export const convertedAt = ({ event }: Claim, { clickedAt }: Click, deeplink: Deeplink): number | null => {
  const { timestamp, type } = event
  if (type !== deeplink.conversionMarker) return null
  if (timestamp < clickedAt - clockError || timestamp > attributionEnd(deeplink, clickedAt)) return null
  return Math.max(timestamp, clickedAt)
}

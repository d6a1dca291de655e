import { DateTime } from "effect"
import type { Click, Conversion } from "../../../src/domain/deeplinks/Click.ts"
import type { Deeplink } from "../../../src/domain/deeplinks/Deeplink.ts"
import { type ApplicationId, DeeplinkId, type EnvironmentId } from "../../../src/domain/Ids.ts"

let count = 0
/** An id that no other call gave. */
export const nextId = () => `00000000-0000-4000-8000-${String(++count).padStart(12, "0")}`
/** So many seconds after some instant of 2026. */
export const linkTime = (seconds: number) => DateTime.unsafeMake(1_772_323_199_007 + seconds * 1000)

/** A link with a slug of its own. */
export const aDeeplink = (applicationId: ApplicationId, more: Partial<Deeplink> = {}): Deeplink => {
  const id = DeeplinkId.make(nextId())
  return {
    id,
    applicationId,
    name: "Zoë 'O\"Neil' 🎮",
    slug: `slug-${id.slice(-6)}`,
    type: "other",
    redirectUrl: "https://example.com/a?b=c#d",
    metadata: { campaign: ["a", { b: null }], number: 1.5 },
    conversionMarker: "Login",
    attributionWindowHours: 168,
    createdAt: linkTime(count),
    updatedAt: linkTime(count),
    archivedAt: null,
    ...more
  }
}

/** Noon of a day of 2026, in epoch milliseconds. */
export const noon = 1_772_323_200_000

/** A click at noon, which can convert for a second. */
export const aClick = ({ id }: Deeplink, more: Partial<Click> = {}): Click => ({
  interactionId: nextId(),
  deeplinkId: id,
  clickedAt: noon,
  expiresAt: noon + 1000,
  source: "example.com",
  country: null,
  device: "phone",
  visitor: "someone",
  ...more
})

/** A conversion of the click by the unit u1, half a second later. */
export const conversionOf = (
  { visitor: _, ...click }: Click,
  environmentId: EnvironmentId,
  more: Partial<Conversion> = {}
): Conversion => ({
  ...click,
  environmentId,
  unitId: "u1",
  convertedAt: click.clickedAt + 500,
  ...more
})

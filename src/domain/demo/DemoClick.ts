import type { DeviceClass } from "../deeplinks/Click.ts"
import { minuteMillis } from "../Durations.ts"
import type { DemoPlayer } from "./DemoPlayer.ts"
import type { SeededRandom } from "./SeededRandom.ts"

/** The campaigns of the demo that lead to the game by a link of their own. */
export type DemoLink = "spring_campaign" | "influencer"

/** A click on a deeplink of the demo. */
export interface DemoClick {
  readonly interactionId: string
  readonly link: DemoLink
  /** Epoch milliseconds. */
  readonly at: number
  /** The `utm_source` of the address. */
  readonly origin: string
  readonly country: string
  readonly device: DeviceClass
  readonly visitor: string
}

/** Clicks for each one that led to an install: most people look and leave. */
const lookers = 2

/** The click that brought a player, and those of others who saw the same link around that time and did not install the game. */
export const clicksOf = (
  random: SeededRandom,
  player: DemoPlayer,
  click: DemoClick | null
): ReadonlyArray<DemoClick> => {
  if (click === null) return []
  const others = Array.from({ length: random.integer(0, 2 * lookers) }, (_, index) => ({
    ...click,
    interactionId: random.uuid(),
    at: click.at - random.integer(minuteMillis, 200 * minuteMillis),
    origin: random.pick<string>([
      [click.origin, 3],
      ["forum", 1]
    ]),
    visitor: `${player.unitId} ${index}`
  }))
  return [...others, click]
}

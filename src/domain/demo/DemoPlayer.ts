import type { DeviceClass } from "../deeplinks/Click.ts"
import type { SeededRandom } from "./SeededRandom.ts"

export interface DemoPlayer {
  readonly unitId: string
  /** In days since the epoch. */
  readonly installDay: number
  /** How many days after a release the player updates the app. */
  readonly updateLag: number
  readonly platform: string
  readonly country: string
  /** Hours that the player's clock is ahead of UTC. */
  readonly ahead: number
  readonly device: DeviceClass
  readonly source: string
  /** How far above (or below) the average player, around 0. */
  readonly skill: number
  /** The probability of coming back on the day after the install. */
  readonly loyalty: number
  /** The probability that a session contains a purchase. */
  readonly spending: number
}

const platforms = [
  ["ios", 42],
  ["android", 46],
  ["windows", 12]
] as const

interface Country {
  readonly code: string
  /** Hours that its clocks are ahead of UTC. */
  readonly ahead: number
}

const countries: ReadonlyArray<readonly [country: Country, weight: number]> = [
  [{ code: "US", ahead: -6 }, 30],
  [{ code: "DE", ahead: 1 }, 14],
  [{ code: "BR", ahead: -3 }, 14],
  [{ code: "JP", ahead: 9 }, 8],
  [{ code: "IN", ahead: 5.5 }, 14],
  [{ code: "GB", ahead: 0 }, 11],
  [{ code: "FR", ahead: 1 }, 9]
]

const devices: Readonly<Record<string, ReadonlyArray<readonly [DeviceClass, number]>>> = {
  ios: [
    ["phone", 80],
    ["tablet", 20]
  ],
  android: [
    ["phone", 90],
    ["tablet", 10]
  ],
  windows: [["desktop", 100]]
}

const sources = [
  ["organic", 48],
  ["spring_campaign", 22],
  ["influencer", 18],
  ["cross_promotion", 12]
] as const

const loyaltyOf: Readonly<Record<string, number>> = {
  organic: 0.46,
  spring_campaign: 0.31,
  influencer: 0.4,
  cross_promotion: 0.36
}

/** The n-th player of the demo game. Loyalty differs by source. */
export const demoPlayer = (random: SeededRandom, n: number, installDay: number): DemoPlayer => {
  const platform = random.pick<string>(platforms)
  const source = random.pick<string>(sources)
  const skill = random.normal()
  const { code: country, ahead } = random.pick(countries)
  return {
    unitId: `player-${String(n).padStart(5, "0")}`,
    installDay,
    updateLag: random.integer(0, 5),
    platform,
    country,
    ahead,
    device: random.pick<DeviceClass>(devices[platform]!),
    source,
    skill,
    loyalty: Math.min(0.9, Math.max(0.05, loyaltyOf[source]! + 0.08 * skill)),
    spending: platform === "ios" ? 0.06 : 0.035
  }
}

/** The probability of playing on the d-th day after the install (d >= 1): a power law, like real retention curves. */
export const returnChance = (player: DemoPlayer, d: number): number => player.loyalty * d ** -0.45

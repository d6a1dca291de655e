import type { SeededRandom } from "./Random.ts"

export interface DemoPlayer {
  readonly unitId: string
  /** Days since the first day of the demo. */
  readonly installDay: number
  readonly platform: string
  readonly country: string
  readonly device: string
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

const countries = [
  ["US", 30],
  ["DE", 12],
  ["BR", 14],
  ["JP", 10],
  ["IN", 18],
  ["GB", 9],
  ["FR", 7]
] as const

const devices: Readonly<Record<string, ReadonlyArray<readonly [string, number]>>> = {
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

/** The n-th player of the demo game. Most install early, and loyalty differs by source. */
export const demoPlayer = (random: SeededRandom, n: number, days: number): DemoPlayer => {
  const platform = random.pick<string>(platforms)
  const source = random.pick<string>(sources)
  const skill = random.normal()
  return {
    unitId: `player-${String(n).padStart(5, "0")}`,
    installDay: Math.min(days - 1, Math.floor(days * random.next() ** 1.4)),
    platform,
    country: random.pick<string>(countries),
    device: random.pick(devices[platform]!),
    source,
    skill,
    loyalty: Math.min(0.9, Math.max(0.05, loyaltyOf[source]! + 0.08 * skill)),
    spending: platform === "ios" ? 0.05 : 0.025
  }
}

/** The probability of playing on the d-th day after the install (d >= 1): a power law, like real retention curves. */
export const returnChance = (player: DemoPlayer, d: number): number => player.loyalty * d ** -0.45

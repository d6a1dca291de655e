import { describe, expect, it } from "vitest"
import {
  type ChangeCondition,
  type Measured,
  look,
  looksAWeek
} from "../../../../src/domain/operations/alerts/AlertJudgement.ts"
import type { Variation } from "../../../../src/domain/operations/alerts/Prediction.ts"
import type { CountedWindow } from "../../../../src/domain/operations/alerts/PastWindows.ts"
import { gammaAround1, gaussian, poisson, seeded } from "../../../support/Seeded.ts"
import { runCount } from "../../../support/Runs.ts"

/** Weeks of a game in which nothing happens but chance; counts of an hour follow the hour of the week. */
interface Game {
  readonly step: "hour" | "day"
  readonly variation: Variation
  /** Players of a mean window. */
  readonly mean: number
  /** Standard deviation of a window's mean beside the season: 0 is Poisson's distribution, more the negative binomial one. */
  readonly noise: number
  /** Standard deviation of a whole week's mean. */
  readonly weekNoise: number
  /** By what a week's mean is more than that of the week before. */
  readonly growth?: number
  /** The part of those counted in `of`; the count itself where the variation is no share. */
  readonly share: number
}

const seasonOf = (slot: number, step: Game["step"]): number =>
  step === "day"
    ? 1 + 0.3 * Math.cos((slot / 7) * 2 * Math.PI)
    : 1 + 0.6 * Math.sin((slot / 24) * 2 * Math.PI) + 0.2 * Math.cos((slot / 168) * 2 * Math.PI)

const windowsOf = function* (game: Game, random: () => number): Generator<CountedWindow> {
  const length = looksAWeek[game.step]
  for (let level = 1; ; level *= game.growth ?? 1) {
    const week = level * Math.max(0.5, 1 + game.weekNoise * gaussian(random))
    for (let slot = 0; slot < length; slot++) {
      const noise = game.noise === 0 ? 1 : gammaAround1(random, 1 / game.noise ** 2)
      const mean = game.mean * seasonOf(slot, game.step) * week * noise
      const of = Math.max(1, poisson(random, Math.max(10, mean)))
      if (game.variation === "count") yield { slot, count: of, of: 1 }
      else if (game.variation === "share") {
        const share = Math.min(0.99, game.share * (game.noise === 0 ? 1 : gammaAround1(random, 1 / game.noise ** 2)))
        const spread = Math.sqrt(of * share * (1 - share))
        yield { slot, count: Math.max(0, Math.min(of, Math.round(of * share + spread * gaussian(random)))), of }
      } else {
        // What players pay: most nothing, some little, few much.
        let count = 0
        for (let payer = poisson(random, Math.max(10, mean * 0.05)); payer > 0; payer--)
          count += 5 * Math.exp(gaussian(random))
        yield { slot, count, of: 1 }
      }
    }
  }
}

const never = (): never => {
  throw new Error("the game has no end")
}

const condition: ChangeCondition = {
  kind: "change",
  direction: "either",
  percent: 1,
  weeks: 4,
  minimumSample: 100,
  falseOnceInWeeks: 10
}

const measuredOf = (game: Game, windows: ReadonlyArray<CountedWindow>): Measured => ({
  windows,
  step: game.step,
  variation: game.variation
})

const isFired = (game: Game, kept: ReadonlyArray<CountedWindow>, rule: ChangeCondition): boolean =>
  look(rule, measuredOf(game, kept), kept.length - 1).verdict === "fired"

const begun = (game: Game, seed: number, rule: ChangeCondition) => {
  const stream = windowsOf(game, seeded(seed))
  const next = (): CountedWindow => stream.next().value ?? never()
  return { next, kept: Array.from({ length: rule.weeks * looksAWeek[game.step] }, next) }
}

/** Pages in so many weeks; after one nobody is told again until a look finds nothing. */
const pagesIn = async (game: Game, weeks: number, seed: number, rule: ChangeCondition): Promise<number> => {
  const { next, kept } = begun(game, seed, rule)
  let pages = 0
  let wasFired = false
  for (let week = 0; week < weeks; week++) {
    for (let index = 0; index < looksAWeek[game.step]; index++) {
      kept.push(next())
      const fires = isFired(game, kept, rule)
      if (fires && !wasFired) pages++
      wasFired = fires
      kept.shift()
    }
    await new Promise(setImmediate)
  }
  return pages
}

/** The look that tells of a change by the factor, counted from 1, after it sets in at an hour of the week; null where none does by the last. */
const foundAt = (game: Game, seed: number, rule: ChangeCondition, factor: number, looks: number): number | null => {
  const { next, kept } = begun(game, seed, rule)
  const quiet = Math.floor(seeded(seed ^ 0x5eed)() * looksAWeek[game.step])
  for (let index = 0; index < quiet; index++) {
    kept.push(next())
    kept.shift()
  }
  for (let number = 1; number <= looks; number++) {
    const window = next()
    kept.push({ ...window, count: Math.round(window.count * factor) })
    if (isFired(game, kept, rule)) return number
  }
  return null
}

const byChance: Game = { step: "hour", variation: "count", mean: 300, noise: 0, weekNoise: 0, share: 0 }

/** A thousand weeks in all. */
const quiet: ReadonlyArray<readonly [string, number, Game]> = [
  ["counts by chance alone, by the hour", 200, byChance],
  ["counts of which each hour varies by a tenth", 200, { ...byChance, mean: 5000, noise: 0.1 }],
  ["shares, by the hour", 200, { ...byChance, variation: "share", mean: 800, noise: 0.05, share: 0.3 }],
  [
    "counts of weeks that vary, by the day",
    200,
    { ...byChance, step: "day", mean: 20_000, noise: 0.05, weekNoise: 0.05 }
  ],
  [
    "counts of a game that loses a twentieth every week, by the hour",
    100,
    { ...byChance, mean: 200_000, growth: 0.95 }
  ],
  ["amounts, by the day", 200, { ...byChance, step: "day", variation: "amount", mean: 20_000 }]
]

describe("a quiet week", () => {
  it.each(quiet)("pages at most once in as many weeks as are asked for: %s", async (_, weeks, game) => {
    const tried = runCount(weeks)
    const allowed = tried / condition.falseOnceInWeeks
    const pages = await pagesIn(game, tried, 20_261_123, condition)
    // Of fewer weeks than are meant, chance may page a few more.
    expect(pages).toBeLessThanOrEqual(tried < weeks ? allowed + 3 * Math.sqrt(allowed) : allowed)
  })
})

/** What the documents promise: the sample at which a drop of 20 % is told within two looks. */
const sensitive: ReadonlyArray<readonly [string, Game]> = [
  ["2,500 an hour in the mean and 500 in the quietest, by chance alone", { ...byChance, mean: 2500 }],
  ["30,000 a day, of which each varies by 2 %", { ...byChance, step: "day", mean: 30_000, noise: 0.02 }],
  ["a share of 30 % of 10,000 an hour in the mean", { ...byChance, variation: "share", mean: 10_000, share: 0.3 }]
]

const usual: ChangeCondition = { ...condition, percent: 10 }

describe("a real change", () => {
  it.each(sensitive)("of 20 %% down is told within two looks: %s", (_, game) => {
    const tried = runCount(100)
    const found = Array.from({ length: tried }, (_, seed) => foundAt(game, seed + 1, usual, 0.8, 2))
    expect(found.filter((number) => number === null).length).toBeLessThanOrEqual(Math.floor(tried / 50))
  })

  it("of 5 % is none where 10 % are asked for", () => {
    const found = Array.from({ length: runCount(50) }, (_, seed) =>
      foundAt({ ...byChance, mean: 100_000 }, seed + 1, usual, 0.95, 2)
    )
    expect(found.every((number) => number === null)).toBe(true)
  })
})

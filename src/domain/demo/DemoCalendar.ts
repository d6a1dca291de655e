import { dayMillis } from "../Durations.ts"

/** How busy a day is compared with an average one, Sunday first. */
const weekdayFactors = [1.2, 0.9, 0.87, 0.9, 0.94, 1.08, 1.24]

const daysBetweenVersions = 12
const firstMinorVersion = 3

/** How busy the day (days since the epoch) is; 1 on average. */
export const weekdayFactor = (day: number): number => weekdayFactors[(day + 4) % 7] ?? 1

/** The number of players who install the game on a day: a launch that calms down, weekends, and a campaign every six weeks. */
export const installsOn = (firstDay: number, day: number): number => {
  const age = day - firstDay
  const launch = 1 + 1.3 * Math.exp(-age / 4)
  const campaign = age % 42 >= 16 && age % 42 <= 19 ? 1.7 : 1
  return Math.round(90 * launch * campaign * weekdayFactor(day))
}

/** The version of the app that a player uses on a day; players update up to `lag` days after a release. */
export const appVersionOn = (firstDay: number, day: number, lag: number): string =>
  `1.${firstMinorVersion + Math.max(0, Math.floor((day - firstDay - lag) / daysBetweenVersions))}.0`

/** The day of an instant (epoch milliseconds), in days since the epoch. */
export const dayOf = (instant: number): number => Math.floor(instant / dayMillis)

import { dayMillis, hourMillis, minuteMillis } from "../Durations.ts"
import { appVersionOn, installsOn, weekdayFactor } from "./DemoCalendar.ts"
import type { DemoClick } from "./DemoClick.ts"
import { clicksOf } from "./DemoClick.ts"
import type { DemoPlayer } from "./DemoPlayer.ts"
import { demoPlayer, returnChance } from "./DemoPlayer.ts"
import { SeededRandom } from "./SeededRandom.ts"

/** A session that a player is going to play. */
export interface PlannedSession {
  readonly player: DemoPlayer
  /** Epoch milliseconds. */
  readonly startsAt: number
  /** The first session of the player ever, which begins with the install. */
  readonly isFirst: boolean
  readonly appVersion: string
  /** The level that the session begins with, and how many levels it completes. */
  readonly level: number
  readonly completed: number
  /** What happens in the session follows from this number. */
  readonly seed: number
  /** The click on a deeplink that led to the install. */
  readonly click: DemoClick | null
}

export interface DemoDay {
  /** In the order in which they start. */
  readonly sessions: ReadonlyArray<PlannedSession>
  /** All clicks on deeplinks, in order of time. */
  readonly clicks: ReadonlyArray<DemoClick>
}

interface Life {
  readonly player: DemoPlayer
  readonly number: number
  level: number
}

/** Days after the install on which a player may still come back. */
const longestLife = 120

/** When the first session of a day starts, in milliseconds from midnight UTC: most in the player's evening, some at any hour they are awake. */
const startOf = (random: SeededRandom, { ahead }: DemoPlayer): number => {
  const evening = 19.3 + 2.4 * random.normal()
  const awake = 7 + 16 * random.next()
  const hour = random.chance(0.3) ? awake : evening
  return Math.round(hourMillis * ((hour - ahead + 48) % 24))
}

const byTime = (a: { readonly at: number }, b: { readonly at: number }): number => a.at - b.at

const seedOf = (number: number, age: number): number => Math.imul(number, 7919) + Math.imul(age + 1, 104_729)

/**
 * A believable game, day by day from `firstDay` (days since the epoch) on. The same first day always gives the same players, clicks and
 * sessions, however far the game is played.
 */
export class DemoGame {
  private readonly firstDay: number
  private lives: ReadonlyArray<Life> = []
  private players = 0
  private day: number

  constructor(firstDay: number) {
    this.firstDay = firstDay
    this.day = firstDay
  }

  /** The day that `next` answers, in days since the epoch. */
  get nextDay(): number {
    return this.day
  }

  /** Plans the next day. */
  next(): DemoDay {
    const day = this.day++
    const newcomers = Array.from({ length: installsOn(this.firstDay, day) }, () => this.newcomer(day))
    this.lives = [...this.lives.filter(({ player }) => day - player.installDay <= longestLife), ...newcomers]
    const clicks: Array<DemoClick> = []
    const sessions: Array<PlannedSession> = []
    for (const life of this.lives) {
      const random = new SeededRandom(seedOf(life.number, day - life.player.installDay))
      const planned = this.sessionsOf(life, day, random)
      sessions.push(...planned)
      if (planned[0]?.isFirst === true) clicks.push(...clicksOf(random, life.player, planned[0].click))
    }
    return {
      sessions: sessions.sort((a, b) => a.startsAt - b.startsAt),
      clicks: clicks.sort(byTime)
    }
  }

  private newcomer(day: number): Life {
    const number = ++this.players
    return { player: demoPlayer(new SeededRandom(number * 7919), number, day), number, level: 1 }
  }

  private sessionsOf(life: Life, day: number, random: SeededRandom): ReadonlyArray<PlannedSession> {
    const { player } = life
    const age = day - player.installDay
    if (age > 0 && !random.chance(Math.min(0.95, returnChance(player, age) * weekdayFactor(day)))) return []
    let startsAt = day * dayMillis + startOf(random, player)
    const sessions: Array<PlannedSession> = []
    for (let count = random.chance(0.35) ? 2 : 1; count > 0; count--) {
      const isFirst = age === 0 && sessions.length === 0
      const completed = Math.floor(random.exponential(Math.max(0.6, 1.7 + 0.6 * player.skill)))
      sessions.push({
        player,
        startsAt,
        isFirst,
        appVersion: appVersionOn(this.firstDay, day, player.updateLag),
        level: life.level,
        completed,
        seed: random.integer(0, 2 ** 31),
        click: isFirst ? this.clickOf(player, startsAt, random) : null
      })
      life.level += completed
      startsAt += random.integer(70 * minuteMillis, 160 * minuteMillis)
    }
    return sessions
  }

  /** Players of campaigns come by a link. */
  private clickOf(player: DemoPlayer, startsAt: number, random: SeededRandom): DemoClick | null {
    if (player.source !== "spring_campaign" && player.source !== "influencer") return null
    return {
      interactionId: random.uuid(),
      link: player.source,
      at: startsAt - random.integer(minuteMillis, 25 * minuteMillis),
      origin: player.source === "influencer" ? "video" : "newsletter",
      country: player.country,
      device: player.device,
      visitor: player.unitId
    }
  }
}

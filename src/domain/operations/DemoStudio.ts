import type { Event } from "../analytics/markers/Event.ts"
import type { DemoPlayer } from "./DemoPlayer.ts"
import { demoPlayer, returnChance } from "./DemoPlayer.ts"
import { DemoSession } from "./DemoSession.ts"
import { SeededRandom } from "./Random.ts"
import { dayMillis, minuteMillis } from "../Durations.ts"

/** When a session starts, half past an hour of the day; evenings are busiest. */
const startOf = (random: SeededRandom): number =>
  Math.round(dayMillis * Math.min(0.96, Math.max(0.02, 0.76 + 0.16 * random.normal())))

const life = (random: SeededRandom, player: DemoPlayer, firstDay: number, days: number): ReadonlyArray<Event> => {
  const progress = { level: 1, rounds: 0 }
  const events: Array<Event> = []
  for (let d = 0; player.installDay + d < days; d++) {
    if (d > 0 && !random.chance(returnChance(player, d))) continue
    const sessions = 1 + (random.chance(0.35) ? 1 : 0)
    let startsAt = firstDay + (player.installDay + d) * dayMillis + startOf(random)
    for (let s = 0; s < sessions; s++) {
      const session = new DemoSession(random, player, startsAt).play(progress, d === 0 && s === 0)
      events.push(...session)
      startsAt = session[session.length - 1]!.timestamp + random.integer(10, 90) * minuteMillis
    }
  }
  return events
}

/**
 * The events of a believable game, player by player: `players` players over `days` UTC days that end before `until`
 * (epoch ms). The same arguments give the same events, down to marker ids.
 */
export function* demoEvents(until: number, players = 2000, days = 30): Generator<ReadonlyArray<Event>> {
  const firstDay = Math.floor(until / dayMillis) * dayMillis - days * dayMillis
  for (let n = 1; n <= players; n++) {
    const random = new SeededRandom(n * 7919)
    const events = life(random, demoPlayer(random, n, days), firstDay, days)
    yield events.filter((event) => event.timestamp < until)
  }
}

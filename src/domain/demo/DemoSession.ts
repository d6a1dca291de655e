import type { Event, Position, Values } from "../analytics/markers/Event.ts"
import type { PlannedSession } from "./DemoGame.ts"
import { demoGroups } from "./DemoGroups.ts"
import { demoDeath } from "./DemoMap.ts"
import { SeededRandom } from "./SeededRandom.ts"

const products = [
  ["starter_pack", 1.99],
  ["gems_100", 4.99],
  ["gems_500", 19.99],
  ["season_pass", 9.99]
] as const

/** The chance to leave the game at one step of the tutorial: over all steps it is the same for both lengths. */
const tutorials = { long: { steps: 5, leave: 0.06 }, short: { steps: 3, leave: 1 - 0.94 ** (5 / 3) } }

/** Writes one session of a player who is in some `groups` of experiments, by name. The same plan and groups give the same events. */
class DemoSession {
  private readonly events: Array<Event> = []
  private readonly random: SeededRandom
  private readonly session: PlannedSession
  private readonly groups: ReadonlySet<string>
  private readonly sessionId: string
  private now: number

  constructor(session: PlannedSession, groups: ReadonlySet<string>) {
    this.random = new SeededRandom(session.seed)
    this.session = session
    this.groups = groups
    this.sessionId = this.random.uuid()
    this.now = session.startsAt
  }

  play(): ReadonlyArray<Event> {
    const { player, isFirst, level, click } = this.session
    const { source } = player
    if (isFirst) this.write("Install", click === null ? { source } : { source, gk_click: click.interactionId })
    this.write("Login", { source, level })
    if (isFirst && !this.tutorial()) return this.end()
    this.levels()
    this.shop()
    if (this.random.chance(this.groups.has(demoGroups.newMenu) ? 0.34 : 0.3)) {
      this.pass(10)
      this.write("AdWatched", {
        placement: this.random.pick<string>([
          ["revive", 2],
          ["bonus", 1]
        ])
      })
    }
    return this.end()
  }

  private tutorial(): boolean {
    const { steps, leave } = tutorials[this.groups.has(demoGroups.shortTutorial) ? "short" : "long"]
    for (let step = 1; step <= steps; step++) {
      this.pass(20)
      this.write("TutorialStep", { step })
      if (this.random.chance(leave)) return false
    }
    this.write("TutorialCompleted", { steps })
    return true
  }

  private levels(): void {
    const { level, completed, player } = this.session
    for (let won = 0; won <= completed; won++) {
      const hardness = 0.35 + 0.03 * Math.min(30, level + won) - 0.25 * player.skill
      const tries = Math.min(4, Math.floor(this.random.exponential(Math.max(0.1, hardness))))
      for (let attempt = 1; attempt <= tries; attempt++) this.attempt(level + won, attempt, false)
      if (won < completed) this.attempt(level + won, tries + 1, true)
    }
  }

  private attempt(level: number, attempt: number, isWon: boolean): void {
    this.pass(8)
    this.write("LevelStarted", { level, attempt })
    const seconds = Math.round(25 + this.random.exponential(50))
    this.now += seconds * 1000
    if (isWon) return this.write("LevelCompleted", { level, seconds, score: this.random.integer(200, 1000) * level })
    const { cause, position } = demoDeath(this.random)
    this.write("PlayerDied", { level, cause, seconds }, position)
  }

  private shop(): void {
    const { level, player } = this.session
    const isCheap = this.groups.has(demoGroups.cheaperPack)
    // Both draws are made in every session, so that a group changes nothing but what it is about.
    const opens = this.random.next()
    const buys = this.random.next()
    if (opens >= 2.5 * player.spending) return
    this.pass(15)
    this.write("ShopOpened", { level })
    if (buys >= (isCheap ? 0.44 : 0.25)) return
    const [sku, price] = this.random.pick(products.map((product, i) => [product, 4 - i] as const))
    this.pass(10)
    const paid = isCheap && sku === "starter_pack" ? 0.99 : price
    this.write("Purchase", { sku, price: paid, currency: "USD", level })
  }

  private end(): ReadonlyArray<Event> {
    this.pass(5)
    this.write("Logout", { seconds: Math.round((this.now - this.session.startsAt) / 1000) })
    return this.events
  }

  private pass(meanSeconds: number): void {
    this.now += Math.round(1000 * (1 + this.random.exponential(meanSeconds)))
  }

  private write(type: string, values: Values, position: Position | null = null): void {
    const { unitId, platform, country, device } = this.session.player
    this.events.push({
      markerId: this.random.uuid(),
      type,
      unitId,
      sessionId: this.sessionId,
      serverId: null,
      timestamp: this.now,
      receivedAt: this.now,
      clamped: false,
      arguments: values,
      properties: { platform, country, device, appVersion: this.session.appVersion },
      position
    })
  }
}

/** The events of a session in order of time, of a player in some `groups` of experiments, by name. The same arguments give the same events. */
export const demoEvents = (session: PlannedSession, groups: ReadonlySet<string>): ReadonlyArray<Event> =>
  new DemoSession(session, groups).play()

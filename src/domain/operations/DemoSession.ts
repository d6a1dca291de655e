import type { Event, Position, Values } from "../analytics/markers/Event.ts"
import type { DemoPlayer } from "./DemoPlayer.ts"
import type { SeededRandom } from "./Random.ts"

export interface Progress {
  level: number
  rounds: number
}

const products = [
  ["starter_pack", 1.99],
  ["gems_100", 4.99],
  ["gems_500", 19.99],
  ["season_pass", 9.99]
] as const

const hazards: ReadonlyArray<readonly [cause: string, x: number, z: number]> = [
  ["lava", 120, -40],
  ["spikes", -60, 75],
  ["boss", 10, 160],
  ["fall", -140, -110]
]

/** Writes one session of a player, starting at `startsAt` (epoch ms), and advances the player's progress. */
export class DemoSession {
  private readonly events: Array<Event> = []
  private readonly random: SeededRandom
  private readonly player: DemoPlayer
  private readonly sessionId: string
  private now: number

  constructor(random: SeededRandom, player: DemoPlayer, startsAt: number) {
    this.random = random
    this.player = player
    this.sessionId = random.uuid()
    this.now = startsAt
  }

  play(progress: Progress, isFirst: boolean): ReadonlyArray<Event> {
    const startedAt = this.now
    if (isFirst) this.write("Install", { source: this.player.source })
    this.write("Login", { source: this.player.source, level: progress.level })
    if (isFirst && !this.tutorial()) return this.end(startedAt)
    const rounds = 1 + Math.floor(this.random.exponential(2.4))
    for (let i = 0; i < rounds; i++) this.round(progress)
    if (this.random.chance(this.player.spending)) this.purchase(progress)
    if (this.random.chance(0.3))
      this.write("AdWatched", {
        placement: this.random.pick([
          ["revive", 2],
          ["bonus", 1]
        ])
      })
    return this.end(startedAt)
  }

  private tutorial(): boolean {
    for (let step = 1; step <= 5; step++) {
      this.pass(20)
      this.write("TutorialStep", { step })
      if (this.random.chance(0.06)) return false
    }
    return true
  }

  private round(progress: Progress): void {
    const { level } = progress
    this.pass(8)
    this.write("LevelStarted", { level, attempt: ++progress.rounds })
    const seconds = Math.round(25 + this.random.exponential(50))
    this.now += seconds * 1000
    const odds = 1 / (1 + Math.exp(level * 0.09 - 1.6 - 0.7 * this.player.skill))
    if (this.random.chance(odds)) {
      progress.level++
      this.write("LevelCompleted", { level, seconds, score: this.random.integer(200, 1000) * level })
    } else {
      const [cause, x, z] = this.random.pick(hazards.map((hazard) => [hazard, 1] as const))
      const position = [x + 18 * this.random.normal(), 12, z + 18 * this.random.normal()] as const
      this.write("PlayerDied", { level, cause, seconds }, position)
    }
  }

  private purchase(progress: Progress): void {
    this.pass(15)
    this.write("ShopOpened", { level: progress.level })
    if (this.random.chance(0.45)) return
    const [sku, price] = this.random.pick(products.map((product, i) => [product, 4 - i] as const))
    this.pass(10)
    this.write("Purchase", { sku, price, currency: "USD", level: progress.level })
  }

  private end(startedAt: number): ReadonlyArray<Event> {
    this.pass(5)
    this.write("Logout", { seconds: Math.round((this.now - startedAt) / 1000) })
    return this.events
  }

  private pass(meanSeconds: number): void {
    this.now += Math.round(1000 * (1 + this.random.exponential(meanSeconds)))
  }

  private write(type: string, values: Values, position: Position | null = null): void {
    const { unitId, platform, country, device } = this.player
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
      properties: { platform, country, device, appVersion: "1.4.0" },
      position
    })
  }
}

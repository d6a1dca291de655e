import { pollMillis, refusedWaitMillis, waitMillis } from "../sdk/Backoff.ts"
import { type Timer, unheld } from "../sdk/Timer.ts"

/** How one look at the server went. */
export type Round = { readonly kind: "fresh"; readonly changed: ReadonlyArray<string> } | FailedRound

export interface FailedRound {
  readonly kind: "failed"
  readonly isRefused: boolean
  readonly isFatal: boolean
  readonly message: string
  /** For how long the server asks to be left alone; null where it does not. */
  readonly retryAfterSeconds: number | null
}

/** Whom changes are told. */
export interface Voice {
  readonly ready: () => void
  readonly stale: (message: string) => void
  readonly error: (message: string) => void
  readonly changed: (flags: ReadonlyArray<string>) => void
}

/** Looks at the server again and again, and tells what that changes. */
export class ServerWatch {
  private readonly look: () => Promise<Round>
  private readonly voice: Voice
  private readonly pollSeconds: number
  private timer: Timer | null = null
  private state: "ready" | "stale" | "error" = "ready"
  private failures = 0
  private run = 0
  private looking: Promise<unknown> = Promise.resolve()
  /** The look that follows the one under way. */
  private next: Promise<void> | null = null
  private isBegun = false

  constructor(look: () => Promise<Round>, voice: Voice, pollSeconds: number) {
    this.look = look
    this.voice = voice
    this.pollSeconds = pollSeconds
  }

  /** Whether it has begun, and has not been ended since. */
  get isRunning(): boolean {
    return this.isBegun
  }

  /** The first look, of which whoever begins tells the result. `isUsable` says whether that is that the provider is ready nevertheless. */
  async begin(isUsable: (failed: FailedRound) => boolean): Promise<Round> {
    const run = ++this.run
    this.isBegun = true
    const looked = this.look()
    this.looking = looked
    const round = await looked
    this.state = round.kind === "fresh" || isUsable(round) ? "ready" : "error"
    if (round.kind === "fresh" || !round.isFatal) this.plan(round, run)
    return round
  }

  /**
   * Looks now, or right after the look under way: that may have been answered before what is asked for was published, and answers of two at
   * once might overtake one another. Whoever asks meanwhile waits for the same look.
   */
  again(run = this.run): Promise<void> {
    if (run !== this.run) return Promise.resolve()
    const follow = () => {
      this.next = null
      return this.round(run)
    }
    this.next ??= this.looking.then(follow, follow)
    this.looking = this.next
    return this.next
  }

  private async round(run: number): Promise<void> {
    if (run !== this.run) return
    const round = await this.look()
    if (run !== this.run) return
    this.tell(round)
    this.plan(round, run)
  }

  /** Whoever asked beside the watch has told this failure as an error, so that the next look without one says that it is over. */
  failed(round: FailedRound): void {
    this.state = "error"
    this.plan(round, this.run)
  }

  end(): void {
    this.run++
    this.isBegun = false
    this.next = null
    if (this.timer !== null) clearTimeout(this.timer)
  }

  private tell(round: Round): void {
    const before = this.state
    if (round.kind === "fresh") {
      this.state = "ready"
      if (before !== "ready") this.voice.ready()
      if (round.changed.length > 0) this.voice.changed(round.changed)
    } else if (round.isRefused) {
      this.state = "error"
      if (before !== "error") this.voice.error(round.message)
    } else if (before === "ready") {
      this.state = "stale"
      this.voice.stale(round.message)
    }
  }

  private plan(round: Round, run: number): void {
    if (this.timer !== null) clearTimeout(this.timer)
    if (run !== this.run) return
    const chance = Math.random()
    this.failures = round.kind === "fresh" ? 0 : this.failures + 1
    const failedMillis = ({ isRefused, retryAfterSeconds }: FailedRound) =>
      isRefused ? refusedWaitMillis(chance) : waitMillis(this.failures, chance, retryAfterSeconds)
    this.timer = unheld(
      () => void this.again(run),
      round.kind === "fresh" ? pollMillis(this.pollSeconds, chance) : failedMillis(round)
    )
  }
}

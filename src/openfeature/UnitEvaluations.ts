import { waitMillis } from "../sdk/Backoff.ts"
import type { Client } from "../sdk/Client.ts"
import type { Evaluation, Unit } from "../sdk/Evaluation.ts"
import type { Told } from "../sdk/Told.ts"

interface Entry {
  readonly evaluation: Evaluation
  readonly bytes: number
  /** Milliseconds of `performance.now`, which nobody sets back. */
  readonly freshUntil: number
  readonly isStale: boolean
}

/** What a unit gets, or why that is not known. */
export type UnitAnswer =
  | { readonly kind: "known"; readonly evaluation: Evaluation; readonly isStale: boolean }
  | UnitFailure

type UnitFailure = Extract<Told<Evaluation>, { readonly kind: "failed" }>

const failedMillis = 5000

const awayMillis = ({ retryAfterSeconds }: UnitFailure): number =>
  Math.max(failedMillis, waitMillis(1, 0, retryAfterSeconds))

/** What units got when the server was asked last, in at most so many bytes; those that were asked for longest ago are forgotten first. */
export class UnitEvaluations {
  private readonly entries = new Map<string, Entry>()
  private readonly asked = new Map<string, Promise<UnitAnswer>>()
  private bytes = 0
  private epoch = 0
  /** While the server is away: what is said of units that nothing is known of, and until when nobody asks. */
  private away: { readonly failure: UnitFailure; readonly until: number } | null = null
  private readonly client: Client
  private readonly freshMillis: number
  private readonly mostBytes: number

  constructor(client: Client, freshMillis: number, mostBytes: number) {
    this.client = client
    this.freshMillis = freshMillis
    this.mostBytes = mostBytes
  }

  /** Whoever asks meanwhile waits for the same answer. */
  of(name: { readonly name?: string }, unit: Unit): Promise<UnitAnswer> {
    const key = JSON.stringify(unit)
    const entry = this.entries.get(key)
    const now = performance.now()
    if (entry !== undefined && entry.freshUntil > now) {
      this.entries.delete(key)
      this.entries.set(key, entry)
      return Promise.resolve({ kind: "known", evaluation: entry.evaluation, isStale: entry.isStale })
    }
    const begun = this.asked.get(key)
    if (begun === undefined && this.away !== null) {
      const { failure, until } = this.away
      // One asks whether it is back, and nobody waits for that one.
      if (until > now)
        return Promise.resolve(
          entry === undefined ? failure : { kind: "known", evaluation: entry.evaluation, isStale: true }
        )
      this.away = { failure, until: Number.POSITIVE_INFINITY }
    }
    const asked = begun ?? this.ask(key, { ...name, unit }, entry)
    this.asked.set(key, asked)
    return asked
  }

  /** The server has answered somebody else. */
  reached(): void {
    this.away = null
  }

  /** Everybody is asked about anew. What was known holds where the server then cannot be asked. */
  expire(): void {
    this.epoch++
    this.asked.clear()
    for (const [key, entry] of this.entries) this.entries.set(key, { ...entry, freshUntil: 0 })
  }

  private async ask(
    key: string,
    question: { readonly name?: string; readonly unit: Unit },
    known: Entry | undefined
  ): Promise<UnitAnswer> {
    const { epoch } = this
    const told = await this.client.evaluate(question, known?.evaluation.hash)
    if (epoch === this.epoch) this.asked.delete(key)
    const isAway = told.kind === "failed" && told.problem.kind === "unreachable"
    this.away = isAway ? { failure: told, until: performance.now() + awayMillis(told) } : null
    const evaluation = told.kind === "told" ? told.value : known?.evaluation
    if (evaluation === undefined) return told.kind === "failed" ? told : unanswered
    const isStale = told.kind === "failed"
    const freshMillis = isStale ? failedMillis : this.freshMillis
    if (epoch === this.epoch) this.put(key, { evaluation, isStale, freshUntil: performance.now() + freshMillis })
    return { kind: "known", evaluation, isStale }
  }

  private put(key: string, entry: Omit<Entry, "bytes">): void {
    this.drop(key)
    const bytes = 2 * (key.length + JSON.stringify(entry.evaluation).length)
    this.entries.set(key, { ...entry, bytes })
    this.bytes += bytes
    for (const oldest of this.entries.keys()) {
      if (this.bytes <= this.mostBytes) break
      this.drop(oldest)
    }
  }

  private drop(key: string): void {
    this.bytes -= this.entries.get(key)?.bytes ?? 0
    this.entries.delete(key)
  }
}

const unanswered: UnitAnswer = {
  kind: "failed",
  problem: { kind: "unreachable", message: "The server said that nothing has changed to somebody who knew nothing" },
  status: null,
  retryAfterSeconds: null
}

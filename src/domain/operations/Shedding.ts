/** Who is refused first when there is too much to do: people, then markers, then games. */
export type Precedence = "games" | "ingest" | "people"

/** Milliseconds of a turn of the event loop after which no more requests are taken into it while there is too much to do. */
const budgets: Readonly<Record<Precedence, number>> = { games: 10, ingest: 6, people: 3 }

/** Milliseconds for which every turn has to be long before anything is refused: a single long request is no overload. */
const overloadedMillis = 500

/** Milliseconds after the last refusal until everything is taken again. */
const hold = 1000

/**
 * Requests that may wait for their turn before any is refused. A person's browser has as many open at once, so that who works alone on a
 * machine that is slow is not refused, however many requests follow one another without a pause.
 */
const mayWait = 16

/** A turn of the event loop so far; times in milliseconds. */
export interface Turn {
  readonly age: number
  /** Requests that have come and not begun. */
  readonly waiting: number
  /** For how long all turns before it have been long. */
  readonly longFor: number
}

/**
 * Decides what is refused while the server has more to do than it can. Turns of the event loop that are long one after another say
 * so: each request waits at least for the turn before it. The turns are then kept short by refusing what exceeds a budget, which is
 * smallest for people and largest for games, so that the work that is left goes to games first and a refusal comes soon.
 */
export class Shedding {
  private until = -Infinity

  /** Whether to refuse a request that comes in that turn, at `now` in epoch milliseconds. */
  refuses(precedence: Precedence, { age, waiting, longFor }: Turn, now: number): boolean {
    if (waiting < mayWait) return false
    if (longFor >= overloadedMillis) this.until = now + hold
    if (now >= this.until || age < budgets[precedence]) return false
    this.until = now + hold
    return true
  }
}

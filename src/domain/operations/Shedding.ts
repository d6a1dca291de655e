/** Who is refused first when there is too much to do: people, then markers, then games. */
export type Precedence = "games" | "ingest" | "people"

/** Milliseconds of a turn of the event loop after which no more requests are taken into it while there is too much to do. */
const budgets: Readonly<Record<Precedence, number>> = { games: 20, ingest: 12, people: 5 }

/** Milliseconds for which every turn has to be long before anything is refused: a single long request is no overload. */
const patience = 500

/** Milliseconds after the last refusal until everything is taken again. */
const hold = 1000

/**
 * Decides what is refused while the server has more to do than it can. Turns of the event loop that are long one after another say
 * so: each request waits at least for the turn before it. The turns are then kept short by refusing what exceeds a budget, which is
 * smallest for people and largest for games, so that the work that is left goes to games first and a refusal comes soon.
 */
export class Shedding {
  private until = -Infinity

  /** Whether to refuse, in a turn of that age, where all turns have been long for `longFor`; all in milliseconds. */
  refuses(precedence: Precedence, age: number, longFor: number, now: number): boolean {
    if (longFor >= patience) this.until = now + hold
    if (now >= this.until || age < budgets[precedence]) return false
    this.until = now + hold
    return true
  }
}

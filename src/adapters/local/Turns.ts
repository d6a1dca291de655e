import { Effect, Layer } from "effect"
import { Turns } from "../../ports/operations/Turns.ts"

interface Turn {
  readonly semaphore: Effect.Semaphore
  /** Those who run or wait under the name. */
  users: number
}

/** Turns by name within this process. A name that nobody uses any more is forgotten. */
export const makeTurns = (): Turns["Type"] => {
  const turns = new Map<string, Turn>()

  const enter = (name: string): Turn => {
    const turn = turns.get(name) ?? { semaphore: Effect.unsafeMakeSemaphore(1), users: 0 }
    turn.users++
    turns.set(name, turn)
    return turn
  }

  const leave = (name: string, turn: Turn) => {
    turn.users--
    if (turn.users === 0) turns.delete(name)
  }

  const using = <A, E, R>(name: string, use: (semaphore: Effect.Semaphore) => Effect.Effect<A, E, R>) =>
    Effect.acquireUseRelease(
      Effect.sync(() => enter(name)),
      ({ semaphore }) => use(semaphore),
      (turn) => Effect.sync(() => leave(name, turn))
    )

  return {
    alone: (name, effect) => using(name, (semaphore) => semaphore.withPermits(1)(effect)),
    once: (name, effect) => using(name, (semaphore) => semaphore.withPermitsIfAvailable(1)(effect))
  }
}

/** For stores that one process has for itself. */
export const TurnsLocal = Layer.sync(Turns, makeTurns)

import { Effect } from "effect"
import { nextTurn } from "../ports/operations/NextTurn.ts"

/** Milliseconds of steps after which the event loop takes a turn. */
const sliceMillis = 2

/** Runs the steps, as many in each turn of the event loop as fit into a slice of time, and answers what they return. */
export const inTurns = Effect.fnUntraced(function* <A>(begin: () => Generator<undefined, A>) {
  const clock = yield* Effect.clock
  const steps = begin()
  let beganAt = clock.unsafeCurrentTimeMillis()
  for (;;) {
    const step = steps.next()
    if (step.done === true) return step.value
    if (clock.unsafeCurrentTimeMillis() - beganAt < sliceMillis) continue
    yield* nextTurn
    beganAt = clock.unsafeCurrentTimeMillis()
  }
})

/** Makes something of each, `perTurn` of them in one turn of the event loop. */
export const eachInTurns = Effect.fnUntraced(function* <A, B>(
  all: ReadonlyArray<A>,
  perTurn: number,
  make: (each: A, at: number) => B
) {
  const made: Array<B> = []
  while (made.length < all.length) {
    for (const each of all.slice(made.length, made.length + perTurn)) made.push(make(each, made.length))
    yield* nextTurn
  }
  return made
})

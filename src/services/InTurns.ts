import { Effect } from "effect"
import { nextTurn } from "../ports/operations/NextTurn.ts"

/** What the steps come to, with a turn of the event loop after each. */
export const inTurns = Effect.fnUntraced(function* <A>(begin: () => Generator<undefined, A>) {
  const steps = begin()
  for (;;) {
    const step = steps.next()
    if (step.done === true) return step.value
    yield* nextTurn
  }
})

/** What `make` makes of each, some of them in one turn of the event loop, with a turn after them. */
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

import { Effect, Queue } from "effect"

/** Wakes workers that wait for something to do. Requests made while none waits are kept, one for each worker at most. */
export const makeWakeUp = (workers: number) =>
  Effect.map(Queue.sliding<void>(workers), (requests) => ({
    wakeUp: (): void => {
      Queue.unsafeOffer(requests, undefined)
    },
    /** Completes once, for one worker, after each `wakeUp`. */
    requested: Queue.take(requests)
  }))

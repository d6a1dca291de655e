import { Array, Deferred, Effect, type Scope } from "effect"
import { nextTurn } from "../ports/operations/NextTurn.ts"

export interface GroupsOptions<Request, Answer> {
  /** What one group may take together, in the unit of `sizeOf`. A single request may take more. */
  readonly most: number
  readonly sizeOf: (request: Request) => number
  /** Answers all requests of a group, in their order. */
  readonly handle: (requests: ReadonlyArray<Request>) => Effect.Effect<ReadonlyArray<Answer>>
}

interface Entry<Request, Answer> {
  readonly request: Request
  readonly result: Deferred.Deferred<Answer>
}

/**
 * Handles requests in groups: those that come in the same turn of the event loop, or while a group is under way, are the next one, so that
 * many share one commit and none waits for a timer. Without that turn every request would be alone over a store that answers at once. A group goes on when those who asked hang up. If handling a group dies, each of its requests is handled alone, so
 * that only the one at fault fails.
 */
export const makeGroups = Effect.fnUntraced(function* <Request, Answer>({
  most,
  sizeOf,
  handle
}: GroupsOptions<Request, Answer>): Effect.fn.Return<(request: Request) => Effect.Effect<Answer>, never, Scope.Scope> {
  const scope = yield* Effect.scope
  const waiting = new Set<Entry<Request, Answer>>()
  let isUnderWay = false

  const next = (): ReadonlyArray<Entry<Request, Answer>> => {
    const group = Array.empty<Entry<Request, Answer>>()
    let size = 0
    for (const entry of waiting) {
      size += sizeOf(entry.request)
      if (size > most && group.length > 0) break
      waiting.delete(entry)
      group.push(entry)
    }
    return group
  }

  const settle = (group: ReadonlyArray<Entry<Request, Answer>>): Effect.Effect<void> =>
    Effect.matchCauseEffect(handle(group.map(({ request }) => request)), {
      onSuccess: (answers) =>
        Effect.forEach(Array.zip(group, answers), ([{ result }, answer]) => Deferred.succeed(result, answer), {
          discard: true
        }),
      onFailure: (cause) =>
        group.length === 1
          ? Effect.forEach(group, ({ result }) => Deferred.failCause(result, cause), { discard: true })
          : Effect.forEach(group, (entry) => settle([entry]), { discard: true })
    })

  const handleAll = Effect.whileLoop({
    while: () => (isUnderWay = waiting.size > 0),
    body: () =>
      Effect.zipRight(
        nextTurn,
        Effect.suspend(() => settle(next()))
      ),
    step: () => undefined
  })

  return Effect.fnUntraced(function* (request: Request) {
    const result = yield* Deferred.make<Answer>()
    waiting.add({ request, result })
    if (!isUnderWay) {
      isUnderWay = true
      yield* Effect.forkIn(Effect.uninterruptible(handleAll), scope)
    }
    return yield* Deferred.await(result)
  })
})

import { Array, Context, Effect, Exit, Runtime, type Scope } from "effect"
import { nextTurn } from "../ports/operations/NextTurn.ts"
import { lacksMetadata } from "./Outages.ts"

export interface GroupsOptions<Request, Answer> {
  /** What one group may take together, in the unit of `sizeOf`. A single request may take more. */
  readonly most: number
  readonly sizeOf: (request: Request) => number
  /** Answers all requests of a group, in their order. */
  readonly handle: (requests: ReadonlyArray<Request>) => Effect.Effect<ReadonlyArray<Answer>>
}

export interface Groups<Request, Answer> {
  /** Waits for the answer of a group. */
  readonly ask: (request: Request) => Effect.Effect<Answer>
  /** As `ask`, for a caller without a fiber: `settle` is called once, when the group is done. */
  readonly join: (request: Request, settle: Settle<Answer>) => void
}

type Settle<Answer> = (exit: Exit.Exit<Answer>) => void

interface Entry<Request, Answer> {
  readonly request: Request
  readonly settle: Settle<Answer>
}

/**
 * Handles requests in groups: those that come in the same turn of the event loop, or while a group is under way, are the next one, so that
 * many share one commit and none waits for a timer. Without that turn every request would be alone over a store that answers at once. A group
 * goes on when those who asked hang up. If handling a group dies, each of its requests is handled alone, so that only the one at fault fails;
 * where the database is away none is at fault, and all fail together instead of waiting for it one after the other.
 */
export const makeGroups = Effect.fnUntraced(function* <Request, Answer>({
  most,
  sizeOf,
  handle
}: GroupsOptions<Request, Answer>): Effect.fn.Return<Groups<Request, Answer>, never, Scope.Scope> {
  // The fiber of a group has an empty context, because every statement copies the context of its fiber, and groups need nothing of it.
  const fork = Runtime.runFork(Runtime.make({ ...(yield* Effect.runtime()), context: Context.empty() }))
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

  /** Tells every request its answer, also if telling one of them dies: otherwise the later ones would wait for ever. */
  const settleAll = (settles: ReadonlyArray<() => void>): Effect.Effect<void> => {
    let at = 0
    const rest: Effect.Effect<void> = Effect.catchAllDefect(
      Effect.sync(() => {
        while (at < settles.length) settles[at++]?.()
      }),
      (defect) =>
        Effect.zipRight(
          Effect.logError("A request did not get its answer", defect),
          Effect.suspend(() => rest)
        )
    )
    return rest
  }

  const answer = (group: ReadonlyArray<Entry<Request, Answer>>): Effect.Effect<void> =>
    Effect.matchCauseEffect(handle(group.map(({ request }) => request)), {
      onSuccess: (answers) =>
        settleAll(
          Array.zip(group, answers).map(
            ([{ settle }, own]) =>
              () =>
                settle(Exit.succeed(own))
          )
        ),
      onFailure: (cause) =>
        group.length === 1 || lacksMetadata(cause)
          ? settleAll(
              group.map(
                ({ settle }) =>
                  () =>
                    settle(Exit.failCause(cause))
              )
            )
          : Effect.forEach(group, (entry) => answer([entry]), { discard: true })
    })

  const handleAll = Effect.whileLoop({
    while: () => (isUnderWay = waiting.size > 0),
    body: () =>
      Effect.zipRight(
        nextTurn,
        Effect.suspend(() => answer(next()))
      ),
    step: () => undefined
  })

  const join = (request: Request, settle: Settle<Answer>): void => {
    waiting.add({ request, settle })
    if (isUnderWay) return
    isUnderWay = true
    fork(Effect.uninterruptible(handleAll), { scope })
  }

  return { join, ask: (request) => Effect.async((resume) => join(request, resume)) }
})

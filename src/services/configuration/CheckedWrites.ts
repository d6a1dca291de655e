import { Array as Arr, Effect, Option } from "effect"
import type { EnvironmentId } from "../../domain/Ids.ts"
import { NoticeRepo } from "../../ports/game/NoticeRepo.ts"
import { nextTurn } from "../../ports/operations/NextTurn.ts"
import { Transaction } from "../../ports/operations/Transaction.ts"

/** How often something is checked anew because somebody else wrote meanwhile. */
const attempts = 3

/**
 * Runs writes of configurations and experiments whose checks take long: schemas, links, what holds a path. Within a transaction such a
 * check would keep everybody else from writing metadata.
 */
export class CheckedWrites extends Effect.Service<CheckedWrites>()("services/configuration/CheckedWrites", {
  effect: Effect.map(Effect.all([Transaction, NoticeRepo]), ([transaction, notices]) => {
    const counts = new Map<EnvironmentId, number>()
    const countOf = (environmentId: EnvironmentId): number => counts.get(environmentId) ?? 0

    /** Changes with every write of one of the environments, here as it begins and in other processes once it is committed. */
    const stateOf = (environmentIds: ReadonlyArray<EnvironmentId>) =>
      Effect.map(
        Effect.forEach(environmentIds, (id) => Effect.map(notices.last(id), (last) => last + countOf(id))),
        (states) => states.join(" ")
      )

    /** Within a transaction that writes a configuration or an experiment of the environment: what was checked before has to be checked again. */
    const note = (environmentId: EnvironmentId) =>
      Effect.sync(() => void counts.set(environmentId, countOf(environmentId) + 1))

    /**
     * Runs `check` outside of any transaction, then `write` with what it gave in one, and `told` after that in the same one: where the
     * environments that `check` reads were written to meanwhile, it runs again, at last within the transaction. The event loop then takes a
     * turn.
     */
    const run = <A, B, E, R, E2, R2, R3>(
      read: EnvironmentId | ReadonlyArray<EnvironmentId>,
      check: Effect.Effect<A, E, R>,
      write: (checked: A) => Effect.Effect<B, E2, R2>,
      told: (written: B) => Effect.Effect<void, never, R3>
    ): Effect.Effect<B, E | E2, R | R2 | R3> => {
      const environmentIds = Arr.ensure(read)
      const within = <C, E3, R4>(step: Effect.Effect<C, E3, R4>, after: (done: C) => Effect.Effect<void, never, R3>) =>
        transaction.run(Effect.tap(step, after)).pipe(Effect.zipLeft(nextTurn), Effect.uninterruptible)

      const attempt = (left: number): Effect.Effect<B, E | E2, R | R2 | R3> =>
        Effect.flatMap(stateOf(environmentIds), (state) => {
          if (left === 0) return within(Effect.flatMap(check, write), told)
          const isCurrent = Effect.map(stateOf(environmentIds), (present) => present === state)
          const writeChecked = (checked: A) =>
            within(
              Effect.flatMap(isCurrent, (same): Effect.Effect<Option.Option<B>, E2, R2> =>
                same ? Effect.asSome(write(checked)) : Effect.succeedNone
              ),
              Option.match({ onNone: () => Effect.void, onSome: told })
            ).pipe(Effect.flatMap(Option.match({ onNone: () => attempt(left - 1), onSome: Effect.succeed })))
          return Effect.matchCauseEffect(check, {
            onFailure: (cause) =>
              Effect.if(isCurrent, { onTrue: () => Effect.failCause(cause), onFalse: () => attempt(left - 1) }),
            onSuccess: writeChecked
          })
        })

      return attempt(attempts)
    }

    return { note, run } as const
  })
}) {}

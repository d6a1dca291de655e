import { Effect, Option } from "effect"
import type { EnvironmentId } from "../../domain/Ids.ts"
import { Transaction } from "../../ports/operations/Transaction.ts"

/** How often something is checked anew because somebody else wrote meanwhile. */
const attempts = 3

/**
 * Writes of configurations and experiments whose checks take long: schemas, links, what holds a path. Everybody else's metadata would
 * wait for them within a transaction.
 */
export class CheckedWrites extends Effect.Service<CheckedWrites>()("services/configuration/CheckedWrites", {
  effect: Effect.map(Transaction, (transaction) => {
    const counts = new Map<EnvironmentId, number>()
    const countOf = (environmentId: EnvironmentId): number => counts.get(environmentId) ?? 0

    /** Within a transaction that writes a configuration or an experiment of the environment: what was checked before has to be checked again. */
    const note = (environmentId: EnvironmentId) =>
      Effect.sync(() => void counts.set(environmentId, countOf(environmentId) + 1))

    /**
     * Runs `check` outside of any transaction, then `write` with what it gave in one, and `told` after that, all as one step: where the
     * environment was written to meanwhile, `check` runs again, at last within the transaction.
     */
    const run = <A, B, E, R, E2, R2, R3>(
      environmentId: EnvironmentId,
      check: Effect.Effect<A, E, R>,
      write: (checked: A) => Effect.Effect<B, E2, R2>,
      told: (written: B) => Effect.Effect<void, never, R3>
    ): Effect.Effect<B, E | E2, R | R2 | R3> => {
      const within = <C, E3, R4>(step: Effect.Effect<C, E3, R4>, after: (done: C) => Effect.Effect<void, never, R3>) =>
        transaction.run(step).pipe(Effect.tap(after), Effect.uninterruptible)

      const attempt = (left: number): Effect.Effect<B, E | E2, R | R2 | R3> =>
        Effect.suspend(() => {
          if (left === 0) return within(Effect.flatMap(check, write), told)
          const count = countOf(environmentId)
          const isCurrent = () => countOf(environmentId) === count
          const writeChecked = (checked: A) =>
            within(
              Effect.suspend(() => (isCurrent() ? Effect.asSome(write(checked)) : Effect.succeedNone)),
              Option.match({ onNone: () => Effect.void, onSome: told })
            ).pipe(Effect.flatMap(Option.match({ onNone: () => attempt(left - 1), onSome: Effect.succeed })))
          return Effect.matchCauseEffect(check, {
            onFailure: (cause) => (isCurrent() ? Effect.failCause(cause) : attempt(left - 1)),
            onSuccess: writeChecked
          })
        })

      return attempt(attempts)
    }

    return { note, run } as const
  })
}) {}

import { Context, Effect, Layer } from "effect"
import { AccessVersion } from "../../ports/access/AccessVersion.ts"
import { CredentialRepo } from "../../ports/access/CredentialRepo.ts"
import { ProjectRepo } from "../../ports/access/ProjectRepo.ts"
import { Transaction } from "../../ports/operations/Transaction.ts"

/** Counts the writes of the stores below it. When a key was last used is no part of what it may do. */
export const AccessVersionLive = Layer.effectContext(
  Effect.gen(function* () {
    const keys = yield* CredentialRepo
    const projects = yield* ProjectRepo
    const transaction = yield* Transaction
    let version = 0
    let isTouched = false

    const counted = <A, E, R>(write: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
      Effect.ensuring(
        write,
        Effect.sync(() => {
          version++
          isTouched = true
        })
      )

    /** What was written in a transaction is seen once more at its end, or is gone then. */
    const settled = <A, E, R>(run: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
      Effect.ensuring(
        run,
        Effect.sync(() => {
          if (isTouched) version++
          isTouched = false
        })
      )

    return Context.make(AccessVersion, { current: () => version }).pipe(
      Context.add(
        CredentialRepo,
        CredentialRepo.of({
          ...keys,
          insert: (key) => counted(keys.insert(key)),
          update: (key) => counted(keys.update(key))
        })
      ),
      Context.add(
        ProjectRepo,
        ProjectRepo.of({
          ...projects,
          insert: (application) => counted(projects.insert(application)),
          update: (application) => counted(projects.update(application)),
          remove: (id) => counted(projects.remove(id)),
          insertEnvironment: (environment) => counted(projects.insertEnvironment(environment)),
          updateEnvironment: (environment) => counted(projects.updateEnvironment(environment)),
          removeEnvironment: (id) => counted(projects.removeEnvironment(id))
        })
      ),
      Context.add(Transaction, Transaction.of({ run: (effect) => settled(transaction.run(effect)) }))
    )
  })
)

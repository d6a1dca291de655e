import { Context, Effect, Layer } from "effect"
import { Version } from "../../domain/Validity.ts"
import { AccessVersion } from "../../ports/access/AccessVersion.ts"
import { CredentialRepo } from "../../ports/access/CredentialRepo.ts"
import { ProjectRepo } from "../../ports/access/ProjectRepo.ts"
import { Peers } from "../../ports/operations/Peers.ts"
import { Transaction } from "../../ports/operations/Transaction.ts"

/** Advances the access version with the writes to the stores below it, here and in other processes. */
export const AccessVersionLive = Layer.scopedContext(
  Effect.gen(function* () {
    const keys = yield* CredentialRepo
    const projects = yield* ProjectRepo
    const transaction = yield* Transaction
    const peers = yield* Peers
    const version = new Version(peers.isFresh)
    const advance = Effect.sync(() => version.advance())

    yield* peers.hear(({ kind }) => {
      if (kind === "access") version.advance()
    })

    const counted = <A, E, R>(write: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
      Effect.ensuring(Effect.zipLeft(write, peers.tell({ kind: "access" })), advance)

    /** Others see the writes of a transaction at its end, or never: what they read until then ends there. */
    const countedAtEnd = <A, E, R>(run: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
      Effect.suspend(() => {
        const before = version.current
        return Effect.ensuring(
          run,
          Effect.suspend(() => (version.current === before ? Effect.void : advance))
        )
      })

    return Context.make(AccessVersion, version).pipe(
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
      Context.add(
        Transaction,
        Transaction.of({
          run: (effect, locks) => countedAtEnd(transaction.run(effect, locks)),
          runRemoval: (effect) => countedAtEnd(transaction.runRemoval(effect))
        })
      )
    )
  })
)

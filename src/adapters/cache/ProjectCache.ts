import { Context, Effect, FiberRef, Layer } from "effect"
import { ProjectRepo } from "../../ports/access/ProjectRepo.ts"
import { Transaction } from "../../ports/operations/Transaction.ts"

/** Answers to one question kept at most; one more and it starts anew. */
const capacity = 10_000

/** Counts writes. What was read in one generation is not known in the next. */
class Generation {
  private current = 0
  private readonly isInside = FiberRef.unsafeMake(false)
  private readonly end = Effect.sync(() => {
    this.current++
  })

  /** Nothing that is read while the effect runs outlives it. */
  around<A, E, R>(write: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> {
    return Effect.zipRight(this.end, Effect.ensuring(write, this.end))
  }

  /** The same for a transaction, whose own questions are neither kept nor answered from what is kept. */
  inside<A, E, R>(transaction: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> {
    return this.around(Effect.locally(transaction, this.isInside, true))
  }

  /** The question with its answers kept for as long as the generation lasts. */
  keep<Id extends number, A>(ask: (id: Id) => Effect.Effect<A>): (id: Id) => Effect.Effect<A> {
    let generation = this.current
    let answers = new Map<Id, A>()
    const askOnce = (id: Id) =>
      Effect.suspend(() => {
        if (generation !== this.current || answers.size > capacity) answers = new Map()
        const asked = (generation = this.current)
        const known = answers.get(id)
        if (known !== undefined) return Effect.succeed(known)
        return Effect.tap(ask(id), (answer) =>
          Effect.sync(() => {
            if (this.current === asked) answers.set(id, answer)
          })
        )
      })
    return (id) => Effect.flatMap(FiberRef.get(this.isInside), (inside) => (inside ? ask(id) : askOnce(id)))
  }
}

/**
 * Keeps projects and environments in memory between writes: games name them in every request and they hardly change. Exact, because
 * this process is the only writer and every write and every transaction ends what was read before and during it.
 */
export const ProjectCache = Layer.effectContext(
  Effect.gen(function* () {
    const repo = yield* ProjectRepo
    const transaction = yield* Transaction
    const generation = new Generation()
    const projects = ProjectRepo.of({
      insert: (application) => generation.around(repo.insert(application)),
      update: (application) => generation.around(repo.update(application)),
      remove: (id) => generation.around(repo.remove(id)),
      find: generation.keep(repo.find),
      list: generation.keep(repo.list),
      insertEnvironment: (environment) => generation.around(repo.insertEnvironment(environment)),
      updateEnvironment: (environment) => generation.around(repo.updateEnvironment(environment)),
      removeEnvironment: (id) => generation.around(repo.removeEnvironment(id)),
      findEnvironment: generation.keep(repo.findEnvironment),
      everyEnvironment: repo.everyEnvironment,
      environments: generation.keep(repo.environments)
    })
    const transactions = Transaction.of({ run: (effect) => generation.inside(transaction.run(effect)) })
    return Context.make(ProjectRepo, projects).pipe(Context.add(Transaction, transactions))
  })
)

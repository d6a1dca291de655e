import { DateTime, Effect, Option } from "effect"
import { Principal } from "../../../schema/access/Auth.ts"
import type { CreateEnvironment, EnvironmentRecord, UpdateEnvironment } from "../../../schema/access/Environments.ts"
import { ValidationFailed } from "../../../schema/RequestErrors.ts"
import { AliasTaken, EnvironmentProtected, SlotsExhausted } from "../../../schema/access/AccessErrors.ts"
import { reservedAliases, slug } from "../../domain/access/Alias.ts"
import type { Environment } from "../../domain/access/Organization.ts"
import { keyOf } from "../../domain/access/Principal.ts"
import type { ApplicationId, EnvironmentId } from "../../domain/Ids.ts"
import { EventStore } from "../../ports/analytics/EventStore.ts"
import { ProjectRepo } from "../../ports/access/ProjectRepo.ts"
import { Transaction } from "../../ports/operations/Transaction.ts"
import { Retention } from "../operations/Retention.ts"
import { Removals } from "../operations/Removals.ts"
import { whole } from "../Whole.ts"
import { Policy } from "./Policy.ts"

/** Environments a project may have. */
export const limit = 500

const taken = (alias: string) =>
  Effect.fail(new AliasTaken({ message: `This project already has an environment that answers to ${alias}` }))

const aliasOf = Effect.fnUntraced(function* (name: string) {
  const alias = slug(name)
  if (alias === "") {
    return yield* Effect.fail(
      new ValidationFailed({ message: "alias: expected letters a-z or digits, and the name has none" })
    )
  }
  return reservedAliases.has(alias) ? yield* taken(alias) : alias
})

/** Requests that name no environment go to production, so it keeps its alias and cannot be deleted. */
const demandUnprotected = ({ alias }: Environment) =>
  alias === "production"
    ? Effect.fail(
        new EnvironmentProtected({ message: "The production environment keeps its alias and cannot be deleted" })
      )
    : Effect.void

/** Environments of a project. */
export class Environments extends Effect.Service<Environments>()("services/access/Environments", {
  effect: Effect.gen(function* () {
    const events = yield* EventStore
    const projects = yield* ProjectRepo
    const transaction = yield* Transaction
    const policy = yield* Policy
    const removals = yield* Removals
    const retention = yield* Retention

    /** A key sees the environments it covers. */
    const list = Effect.fnUntraced(function* (applicationId: ApplicationId) {
      yield* policy.application("projects:read", applicationId)
      const key = keyOf(yield* Principal)
      const all = yield* projects.environments(applicationId)
      return all.filter(
        ({ id }) => key === undefined || key.environmentIds.includes(id)
      ) satisfies ReadonlyArray<EnvironmentRecord>
    })

    const create = Effect.fnUntraced(
      function* (applicationId: ApplicationId, { name, alias: wanted = name }: CreateEnvironment) {
        yield* policy.everyEnvironment("environments:write", applicationId)
        const alias = yield* aliasOf(wanted)
        if ((yield* projects.environments(applicationId)).length >= limit) {
          return yield* Effect.fail(
            new SlotsExhausted({ message: `A project may have at most ${limit} environments: delete one first` })
          )
        }
        const createdAt = yield* DateTime.now
        const inserted = yield* projects.insertEnvironment({ applicationId, name, alias, createdAt })
        return (Option.isSome(inserted) ? inserted.value : yield* taken(alias)) satisfies EnvironmentRecord
      },
      (effect) => transaction.run(effect)
    )

    const update = Effect.fnUntraced(
      function* (applicationId: ApplicationId, id: EnvironmentId, change: UpdateEnvironment) {
        const { environment } = yield* policy.environment("environments:write", applicationId, id)
        const alias = change.alias === undefined ? environment.alias : yield* aliasOf(change.alias)
        if (alias !== environment.alias) {
          yield* policy.everyEnvironment("environments:write", applicationId)
          yield* demandUnprotected(environment)
        }
        const { name, retentionDays, markerRetentionDays } = { ...environment, ...change }
        const updated = yield* projects.updateEnvironment({
          ...environment,
          name,
          alias,
          retentionDays,
          markerRetentionDays
        })
        if (Option.isNone(updated)) return yield* taken(alias)
        yield* retention.announce(updated.value)
        return updated.value satisfies EnvironmentRecord
      },
      (effect) => whole(transaction.run(effect))
    )

    /** Deletes an environment with its markers. Keys that were scoped to it remain, but no longer cover it. */
    const remove = Effect.fnUntraced(function* (applicationId: ApplicationId, id: EnvironmentId) {
      const { environment } = yield* policy.environment("environments:write", applicationId, id)
      yield* demandUnprotected(environment)
      const removed = Effect.zipRight(projects.removeEnvironment(environment.id), removals.notice)
      yield* whole(Effect.zipRight(removed, events.drop([environment.id])))
    })

    return { list, create, update, remove } as const
  })
}) {}

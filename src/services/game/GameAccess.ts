import { DateTime, Effect } from "effect"
import { Principal } from "../../../schema/access/Auth.ts"
import { ValidationFailed } from "../../../schema/RequestErrors.ts"
import { EnvironmentNotFound, Forbidden } from "../../../schema/access/AccessErrors.ts"
import type { GameHeaders } from "../../../schema/game/GameHeaders.ts"
import { type ApiKey, useRecordedEvery } from "../../domain/access/ApiKey.ts"
import type { Environment } from "../../domain/access/Organization.ts"
import type { Permission } from "../../domain/access/Permission.ts"
import { keyOf } from "../../domain/access/Principal.ts"
import type { Audience } from "../../domain/configuration/Links.ts"
import type { ApplicationId } from "../../domain/Ids.ts"
import { ProjectRepo } from "../../ports/access/ProjectRepo.ts"
import { Policy } from "../access/Policy.ts"

/** What a game says of itself beside its key. */
export interface GameRequest {
  /** The generation of the `/sdk` route. */
  readonly version: 1 | 2
  readonly headers: GameHeaders
}

/**
 * Until when (epoch ms) a key need not be authenticated again, unless its rights change: by then a request has to take the regular path,
 * which records the use of the key.
 */
export const trustedUntil = (key: ApiKey | undefined): number => {
  const expiresAt = key?.expiresAt ? DateTime.toEpochMillis(key.expiresAt) : Infinity
  const usedAt = key?.lastUsedAt ? DateTime.toEpochMillis(key.lastUsedAt) : -Infinity
  return Math.min(expiresAt, usedAt + useRecordedEvery)
}

const byStudio = new Map([
  ["true", "development"],
  ["false", "production"]
])

const aliasOf = ({ version, headers }: GameRequest): string => {
  const named = headers.environment?.trim().toLowerCase() ?? ""
  if (named !== "") return named
  return byStudio.get(headers.isstudio?.trim().toLowerCase() ?? "") ?? (version === 1 ? "development" : "production")
}

const environmentNamed = (environments: ReadonlyArray<Environment>, alias: string) =>
  environments.find((each) => each.alias === alias) ??
  environments.find((each) => alias === "studio" && each.alias === "development")

/** Finds the project and the environment that a game with a key speaks for. */
export class GameAccess extends Effect.Service<GameAccess>()("services/game/GameAccess", {
  effect: Effect.gen(function* () {
    const policy = yield* Policy
    const projects = yield* ProjectRepo

    const applicationOf = Effect.fnUntraced(function* (key: ApiKey, named: ApplicationId | undefined) {
      if (named !== undefined) return named
      const covered = key.allProjects
        ? (yield* projects.list(key.organizationId)).map(({ id }) => id)
        : key.applicationIds
      const [only, ...others] = covered
      if (only === undefined || others.length > 0) {
        return yield* Effect.fail(new ValidationFailed({ message: "project-id: this key spans projects, so name one" }))
      }
      return only
    })

    /** The project of the request, or why the key may not do that there. */
    const application = Effect.fnUntraced(function* (permission: Permission, headers: GameHeaders) {
      const key = keyOf(yield* Principal)
      if (key === undefined)
        return yield* Effect.fail(new Forbidden({ message: "This endpoint takes a public or a secret key" }))
      return yield* policy.application(permission, yield* applicationOf(key, headers["project-id"]))
    })

    /** The environment of the request, or why the key may not do that there. */
    const environment = Effect.fnUntraced(function* (permission: Permission, request: GameRequest) {
      const { id } = yield* application(permission, request.headers)
      const alias = aliasOf(request)
      const found = environmentNamed(yield* projects.environments(id), alias)
      if (found === undefined) {
        return yield* Effect.fail(
          new EnvironmentNotFound({ message: `Application ${id} has no environment ${alias.slice(0, 64)}` })
        )
      }
      return yield* policy.coversEnvironment(found)
    })

    /** Who the caller asks for: players, who all have the public key, or the game's own servers. */
    const audience = Effect.map(Principal, ({ kind }): Audience => (kind === "public" ? "client" : "server"))

    return { application, environment, audience } as const
  })
}) {}

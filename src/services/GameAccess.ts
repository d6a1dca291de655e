import { Effect } from "effect"
import { Principal } from "../../schema/Auth.ts"
import { EnvironmentNotFound, Forbidden, ValidationFailed } from "../../schema/Errors.ts"
import type { ApiKey } from "../domain/access/ApiKey.ts"
import type { Environment } from "../domain/access/Organization.ts"
import type { Permission } from "../domain/access/Permission.ts"
import { keyOf } from "../domain/access/Principal.ts"
import { ApplicationId } from "../domain/Ids.ts"
import { ProjectRepo } from "../ports/ProjectRepo.ts"
import { Policy } from "./Policy.ts"

/** What a game says of itself beside its key, as the headers have it. */
export interface GameRequest {
  /** The generation of the `/sdk` route. */
  readonly version: 1 | 2
  readonly environment: string | undefined
  readonly isStudio: string | undefined
  readonly projectId: string | undefined
}

const byStudio: Readonly<Record<string, string>> = { true: "development", false: "production" }

const aliasOf = ({ version, environment, isStudio }: GameRequest): string => {
  const named = environment?.trim().toLowerCase()
  if (named !== undefined && named !== "") return named
  return byStudio[isStudio?.trim().toLowerCase() ?? ""] ?? (version === 1 ? "development" : "production")
}

const environmentNamed = (environments: ReadonlyArray<Environment>, alias: string) =>
  environments.find((each) => each.alias === alias) ??
  environments.find((each) => alias === "studio" && each.alias === "development")

const invalidProject = (message: string) => Effect.fail(new ValidationFailed({ message: `project-id: ${message}` }))

/** Finds the project and the environment that a game with a key speaks for. */
export class GameAccess extends Effect.Service<GameAccess>()("services/GameAccess", {
  effect: Effect.gen(function* () {
    const policy = yield* Policy
    const projects = yield* ProjectRepo

    const applicationOf = Effect.fnUntraced(function* (key: ApiKey, projectId: string | undefined) {
      if (projectId !== undefined && projectId !== "") {
        const id = /^[1-9][0-9]{0,15}$/.test(projectId) ? Number(projectId) : Number.NaN
        return Number.isSafeInteger(id) ? ApplicationId.make(id) : yield* invalidProject("expected a positive integer")
      }
      const covered = key.allProjects
        ? (yield* projects.list(key.organizationId)).map(({ id }) => id)
        : key.applicationIds
      const [only, ...others] = covered
      if (only === undefined || others.length > 0) return yield* invalidProject("this key spans projects, so name one")
      return only
    })

    /** The environment of the request, or why the key may not do that there. */
    const environment = Effect.fn("GameAccess.environment")(function* (permission: Permission, request: GameRequest) {
      const key = keyOf(yield* Principal)
      if (key === undefined) return yield* Effect.fail(new Forbidden({ message: "Only keys speak for a game" }))
      const application = yield* policy.application(permission, yield* applicationOf(key, request.projectId))
      const alias = aliasOf(request)
      const found = environmentNamed(yield* projects.environments(application.id), alias)
      if (found === undefined) {
        return yield* Effect.fail(
          new EnvironmentNotFound({ message: `Application ${application.id} has no environment ${alias.slice(0, 64)}` })
        )
      }
      return yield* policy.coversEnvironment(found)
    })

    return { environment } as const
  })
}) {}

import { Effect } from "effect"
import type { EnvironmentId } from "../../domain/Ids.ts"
import { Version } from "../../domain/Validity.ts"
import { AccessVersion } from "../../ports/access/AccessVersion.ts"

const byEnvironment = () => {
  const versions = new Map<EnvironmentId, Version>()
  return (environmentId: EnvironmentId): Version => {
    const known = versions.get(environmentId)
    if (known !== undefined) return known
    const version = new Version()
    versions.set(environmentId, version)
    return version
  }
}

/** The versions that kept answers to games rest on. `Changes` and the stores advance them. */
export class Versions extends Effect.Service<Versions>()("services/game/Versions", {
  effect: Effect.map(
    AccessVersion,
    (access) =>
      ({
        /** Of the keys, projects and environments of every organization. */
        access,
        /** Of the configurations and experiments of an environment. */
        content: byEnvironment(),
        /** Of the assignments of an environment that people change. Enrolment only adds assignments and does not count. */
        assignments: byEnvironment()
      }) as const
  )
}) {}

import { Effect } from "effect"
import type { EnvironmentId } from "../../domain/Ids.ts"
import { Version } from "../../domain/Validity.ts"
import { Peers } from "../../ports/operations/Peers.ts"
import { AccessVersion } from "../../ports/access/AccessVersion.ts"

const byEnvironment = (isFresh: () => boolean) => {
  const versions = new Map<EnvironmentId, Version>()
  return (environmentId: EnvironmentId): Version => {
    const known = versions.get(environmentId)
    if (known !== undefined) return known
    const version = new Version(isFresh)
    versions.set(environmentId, version)
    return version
  }
}

/** The versions that kept answers to games rest on. `Changes` and the stores advance them. */
export class Versions extends Effect.Service<Versions>()("services/game/Versions", {
  effect: Effect.map(
    Effect.all([AccessVersion, Peers]),
    ([access, { isFresh }]) =>
      ({
        /** Of the keys, projects and environments of every organization. */
        access,
        /** Of the configurations and experiments of an environment. */
        content: byEnvironment(isFresh),
        /** Of the assignments of an environment that people change. Enrolment only adds assignments and does not count. */
        assignments: byEnvironment(isFresh)
      }) as const
  )
}) {}

import { Effect, Option } from "effect"
import { EnvironmentId } from "../../domain/Ids.ts"
import { ProjectRepo } from "../../ports/access/ProjectRepo.ts"

/** Questions take turns by the organization that an environment is of. */
export const organizationOf = Effect.map(
  ProjectRepo,
  (projects) => (id: number) =>
    projects.findEnvironment(EnvironmentId.make(id)).pipe(
      Effect.flatMap(Effect.transposeMapOption(({ applicationId }) => projects.find(applicationId))),
      Effect.map((found) => Option.getOrUndefined(Option.flatten(found))?.organizationId)
    )
)

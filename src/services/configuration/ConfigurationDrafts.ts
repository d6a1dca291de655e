import { Effect, Either, Option } from "effect"
import type { CheckConfiguration, ConfigurationProblems } from "../../../schema/configuration/ConfigurationDrafts.ts"
import { diff } from "../../domain/configuration/Diff.ts"
import { placesOf } from "../../domain/configuration/LinkedChanges.ts"
import { lockedPaths } from "../../domain/experiments/PathLock.ts"
import type { ConfigurationId } from "../../domain/Ids.ts"
import { nextTurn } from "../../ports/operations/NextTurn.ts"
import { Policy } from "../access/Policy.ts"
import type { ApplicationWhere } from "../Where.ts"
import { ArmCheck } from "./ArmCheck.ts"
import { ConfigurationCheck } from "./ConfigurationCheck.ts"
import { ConfigurationWrite } from "./ConfigurationWrite.ts"
import { PathLocks } from "./PathLocks.ts"

/** Documents that somebody works on. */
export class ConfigurationDrafts extends Effect.Service<ConfigurationDrafts>()(
  "services/configuration/ConfigurationDrafts",
  {
    effect: Effect.gen(function* () {
      const arms = yield* ArmCheck
      const checks = yield* ConfigurationCheck
      const locks = yield* PathLocks
      const policy = yield* Policy
      const writing = yield* ConfigurationWrite

      /** What would refuse the document as the next version. Writes nothing. */
      const check = Effect.fnUntraced(function* (
        { applicationId, environmentId: wanted }: ApplicationWhere,
        id: ConfigurationId,
        { configuration: document }: CheckConfiguration
      ) {
        const { environment } = yield* policy.environment("configurations:write", applicationId, wanted)
        const present = yield* writing.found(environment.id, id)
        yield* nextTurn
        const changed = placesOf(diff(present.document, document))
        yield* nextTurn
        const conflicts = lockedPaths(yield* locks.of(environment.id), id, changed)
        const next = { ...present, document }
        const { total, first } = yield* checks.problems(next)
        const ofArms = total > 0 ? [] : Option.toArray(Either.getLeft(yield* Effect.either(arms.check(next))))
        const problems = [
          ...conflicts.map(({ path, experimentId }) => ({ path, message: `Experiment ${experimentId} holds it` })),
          ...first,
          ...ofArms.map(({ message }) => ({ path: [], message }))
        ]
        return {
          total: total + conflicts.length + ofArms.length,
          problems: problems.slice(0, 100)
        } satisfies ConfigurationProblems
      })

      return { check } as const
    })
  }
) {}

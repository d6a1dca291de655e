import { Clock, Effect, Either, Option } from "effect"
import type { Configuration } from "../../domain/configuration/Configuration.ts"
import { givenGroups, openAt, type StoredExperiment } from "../../domain/experiments/StoredExperiment.ts"
import type { ExperimentId } from "../../domain/Ids.ts"
import { ConfigurationRepo } from "../../ports/configuration/ConfigurationRepo.ts"
import { ExperimentRepo } from "../../ports/experiments/ExperimentRepo.ts"
import { type Arm, ConfigurationCheck } from "./ConfigurationCheck.ts"

/** The groups of an experiment that change something, under names that tell where they are. */
const armsOf = (experiment: StoredExperiment): ReadonlyArray<Arm> =>
  givenGroups(experiment)
    .filter(({ changeset }) => changeset.operations.length > 0)
    .map(({ name, changeset }) => ({ name: `${name} (experiment ${experiment.id})`, changeset }))

/** Decides whether experiments that have not ended may go on with the next version of their base. */
export class ArmCheck extends Effect.Service<ArmCheck>()("services/configuration/ArmCheck", {
  effect: Effect.gen(function* () {
    const { armCheck, dependents } = yield* ConfigurationCheck
    const configurations = yield* ConfigurationRepo
    const experiments = yield* ExperimentRepo

    /** The group fits the base as it is stored. One that was broken before is no reason to refuse what may mend it. */
    const wasSound = Effect.fnUntraced(function* ({ environmentId, id }: Configuration, arm: Arm) {
      const stored = yield* configurations.find(environmentId, id)
      if (Option.isNone(stored)) return false
      const check = yield* armCheck(stored.value)
      return Either.isRight(yield* Effect.either(check(arm)))
    })

    /**
     * Fails with `ConfigurationInvalid` where a group gets something else than the schema asks for once `next` is written: its own schema,
     * or that of one that links to it. The experiment `ending` ends with it, so that its groups get nothing any more.
     */
    const check = Effect.fnUntraced(function* (next: Configuration, ending: ExperimentId | null = null) {
      const now = yield* Clock.currentTimeMillis
      const open = openAt(yield* experiments.open(next.environmentId), now).filter(({ id }) => id !== ending)
      if (open.length === 0) return
      for (const base of [next, ...(yield* dependents(next))]) {
        const arms = open.filter(({ baseConfigurationId }) => baseConfigurationId === base.id).flatMap(armsOf)
        if (base.schema === null || arms.length === 0) continue
        const checkArm = yield* armCheck(base, next)
        for (const arm of arms) {
          const checked = yield* Effect.either(checkArm(arm))
          if (Either.isLeft(checked) && (yield* wasSound(base, arm))) return yield* Effect.fail(checked.left)
        }
      }
    })

    return { check } as const
  })
}) {}

import { Clock, Effect, Either, Option } from "effect"
import type { Configuration } from "../../domain/configuration/Configuration.ts"
import { at, isOpen, type StoredExperiment } from "../../domain/experiments/StoredExperiment.ts"
import { ConfigurationRepo } from "../../ports/configuration/ConfigurationRepo.ts"
import { ExperimentRepo } from "../../ports/experiments/ExperimentRepo.ts"
import { type Arm, ConfigurationCheck } from "./ConfigurationCheck.ts"

/** The groups of an experiment that change something, under names that tell where they are. */
const armsOf = ({ id, groups }: StoredExperiment): ReadonlyArray<Arm> =>
  groups
    .filter(({ changeset }) => changeset.operations.length > 0)
    .map(({ name, changeset }) => ({ name: `${name} (experiment ${id})`, changeset }))

/** Decides whether experiments that have not ended may go on with the next version of their base. */
export class ArmCheck extends Effect.Service<ArmCheck>()("services/configuration/ArmCheck", {
  effect: Effect.gen(function* () {
    const { checkArms, dependents } = yield* ConfigurationCheck
    const configurations = yield* ConfigurationRepo
    const experiments = yield* ExperimentRepo

    const openOf = Effect.fnUntraced(function* ({ environmentId }: Configuration) {
      const now = yield* Clock.currentTimeMillis
      const open = yield* experiments.open(environmentId)
      return open.map((each) => at(each, now)).filter(isOpen)
    })

    /** The group fits the base as it is stored. One that was broken before is no reason to refuse what may mend it. */
    const wasSound = Effect.fnUntraced(function* ({ environmentId, id }: Configuration, arm: Arm) {
      const stored = yield* configurations.find(environmentId, id)
      return Option.isSome(stored) && Either.isRight(yield* Effect.either(checkArms(stored.value, [arm])))
    })

    /**
     * Fails with `ConfigurationInvalid` where a group gets something else than the schema asks for once `next` is written: its own schema,
     * or that of one that links to it.
     */
    const check = Effect.fnUntraced(function* (next: Configuration) {
      const open = yield* openOf(next)
      if (open.length === 0) return
      for (const base of [next, ...(yield* dependents(next))]) {
        if (base.schema === null) continue
        for (const arm of open.filter(({ baseConfigurationId }) => baseConfigurationId === base.id).flatMap(armsOf)) {
          const checked = yield* Effect.either(checkArms(base, [arm], next))
          if (Either.isLeft(checked) && (yield* wasSound(base, arm))) return yield* Effect.fail(checked.left)
        }
      }
    })

    return { check } as const
  })
}) {}

import { Effect, Schema } from "effect"
import type { AssignUnits } from "../../../schema/game/SdkExperiments.ts"
import { ActiveExperiments } from "../../../schema/game/SdkExperiments.ts"
import type { Changeset } from "../../domain/configuration/Changeset.ts"
import type { PathTree } from "../../domain/configuration/PathTree.ts"
import { leadsTo, subtree } from "../../domain/configuration/PathTree.ts"
import { cutValue } from "../../domain/configuration/Privacy.ts"
import { describe } from "../../domain/game/Descriptor.ts"
import type { Running } from "../../domain/experiments/Admission.ts"
import type { UnitType } from "../../domain/experiments/Experiment.ts"
import { requiredProperties } from "../../domain/experiments/Targeting.ts"
import { type Delivered, Delivery, type Ready } from "./Delivery.ts"
import type { GameRequest } from "./GameAccess.ts"
import { GameAccess } from "./GameAccess.ts"
import { RunningExperiments } from "../experiments/RunningExperiments.ts"
import { SdkConfigurations, type ValidAnswer } from "./SdkConfigurations.ts"
import { WrittenAnswers } from "./WrittenAnswers.ts"
import { WrittenAssignments } from "./WrittenAssignments.ts"

const encoder = new TextEncoder()

/** The changes without those that write what the reader never sees. */
const visible = ({ operations }: Changeset, hidden: PathTree): Changeset => ({
  operations: operations
    .filter(({ path }) => !leadsTo(hidden, path))
    .map((operation) => {
      const inside = operation.op === "delete" ? undefined : subtree(hidden, operation.path)
      return operation.op === "delete" || inside === undefined
        ? operation
        : { ...operation, value: cutValue(operation.value, inside) }
    })
})

/** What games read of experiments. */
export class SdkExperiments extends Effect.Service<SdkExperiments>()("services/game/SdkExperiments", {
  effect: Effect.gen(function* () {
    const access = yield* GameAccess
    const configurations = yield* SdkConfigurations
    const delivery = yield* Delivery
    const runningExperiments = yield* RunningExperiments
    const assignments = yield* WrittenAssignments
    const written = yield* WrittenAnswers

    const shown = (delivered: Delivered, { experiment }: Running) => {
      const base = delivered.configurations.find(({ id }) => id === experiment.baseConfigurationId)
      if (base === undefined) return []
      const described = describe(experiment)
      return [
        {
          ...described,
          groups: described.groups.map((group, ordinal) => ({
            ...group,
            changeset: visible(experiment.groups[ordinal]?.changeset ?? { operations: [] }, base.resolution.hidden)
          }))
        }
      ]
    }

    const write = Effect.fnUntraced(function* (delivered: Delivered, unitType: UnitType | undefined) {
      const running = yield* runningExperiments.of(delivered.environmentId)
      const asked = running.filter(({ experiment }) => unitType === undefined || experiment.unitType === unitType)
      const answer = {
        requiredProperties: requiredProperties(asked.map(({ experiment }) => experiment.targeting)),
        experiments: asked.flatMap((each) => shown(delivered, each))
      }
      const encode = Schema.encode(ActiveExperiments)
      const unnamed = yield* Effect.orDie(encode({ ...answer, hash: "" }))
      const hash = delivery.digest(`active:${JSON.stringify(unnamed)}`)
      return { hash, bytes: encoder.encode(JSON.stringify({ ...unnamed, hash })) } satisfies Ready
    })

    /** Running experiments of one type of units, or of all, with what their groups change, as far as the key may see it. */
    const active = Effect.fnUntraced(function* (request: GameRequest, unitType: UnitType | undefined) {
      const { delivered, validity } = yield* configurations.read(request)
      const ready = yield* written.of(delivered, `active ${unitType ?? ""}`, write(delivered, unitType))
      return { hash: ready.hash, bytes: ready.bytes, validity } satisfies ValidAnswer
    })

    /** Assigns units to every running experiment that takes them. The answer is JSON as the contract has it, written already. */
    const assign = Effect.fnUntraced(function* (request: GameRequest, { unitType, sharedContext, units }: AssignUnits) {
      const environment = yield* access.environment("sdk:read", request)
      const shared = sharedContext?.properties ?? {}
      const asking = units.map(({ distinctId, context }) => ({
        distinctId,
        context: { ...shared, ...context?.properties }
      }))
      const lists = yield* assignments.of(environment.id, unitType, asking)
      const fields = [...lists].map(([distinctId, list]) => `${JSON.stringify(distinctId)}:${list}`)
      return `{"assignments":{${fields.join(",")}}}`
    })

    return { active, assign } as const
  })
}) {}

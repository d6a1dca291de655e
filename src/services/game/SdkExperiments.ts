import { Effect, Schema } from "effect"
import { Principal } from "../../../schema/access/Auth.ts"
import type { AssignUnits } from "../../../schema/game/SdkExperiments.ts"
import { ActiveExperiments } from "../../../schema/game/SdkExperiments.ts"
import { keyOf } from "../../domain/access/Principal.ts"
import type { Changeset } from "../../domain/configuration/Changeset.ts"
import type { PathTree } from "../../domain/configuration/PathTree.ts"
import { leadsTo, subtree } from "../../domain/configuration/PathTree.ts"
import { cutValue } from "../../domain/configuration/Privacy.ts"
import { describe } from "../../domain/game/Descriptor.ts"
import type { Running } from "../../domain/experiments/Admission.ts"
import type { UnitType } from "../../domain/experiments/Experiment.ts"
import { givenGroups } from "../../domain/experiments/StoredExperiment.ts"
import { requiredProperties } from "../../domain/experiments/Targeting.ts"
import type { EnvironmentId } from "../../domain/Ids.ts"
import { type Delivered, Delivery, type Ready } from "./Delivery.ts"
import type { GameRequest } from "./GameAccess.ts"
import { GameAccess, trustedUntil } from "./GameAccess.ts"
import { RunningExperiments } from "../experiments/RunningExperiments.ts"
import { SdkConfigurations, type ValidAnswer } from "./SdkConfigurations.ts"
import { WrittenAnswers } from "./WrittenAnswers.ts"
import { answerOf, WrittenAssignments } from "./WrittenAssignments.ts"

/** Where a game may have units assigned, and the epoch milliseconds until which that holds unless access changes. */
export interface AssignScope {
  readonly environmentId: EnvironmentId
  readonly until: number
}

/** Units of which nothing is said but their names. */
export interface NamedUnits {
  readonly unitType: UnitType
  readonly distinctIds: ReadonlyArray<string>
}

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
      const given = givenGroups(experiment)
      return [
        {
          ...described,
          groups: described.groups.map((group, ordinal) => ({
            ...group,
            changeset: visible(given[ordinal]?.changeset ?? { operations: [] }, base.resolution.hidden)
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
    const assignIn = (environmentId: EnvironmentId, { unitType, sharedContext, units }: AssignUnits) => {
      const shared = sharedContext?.properties ?? {}
      const asking = units.map(({ distinctId, context }) => ({
        distinctId,
        context: { ...shared, ...context?.properties }
      }))
      return Effect.map(assignments.of(environmentId, unitType, asking), answerOf)
    }

    /** The same for a game that has yet to show what it may ask, with the scope of its further questions. */
    const assign = Effect.fnUntraced(function* (request: GameRequest, asked: AssignUnits) {
      const { id: environmentId } = yield* access.environment("sdk:read", request)
      const scope: AssignScope = { environmentId, until: trustedUntil(keyOf(yield* Principal)) }
      return { bytes: yield* assignIn(environmentId, asked), scope }
    })

    /** The answer about units of which nothing is said, if it is known of all of them, without reading or recording anything. */
    const settled = (environmentId: EnvironmentId, { unitType, distinctIds }: NamedUnits): Uint8Array | undefined => {
      const known = assignments.known(environmentId, unitType, distinctIds)
      return known === undefined ? undefined : answerOf(known)
    }

    return { active, assign, assignIn, settled } as const
  })
}) {}

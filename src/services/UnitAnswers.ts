import { Effect, Schema } from "effect"
import { ConfigurationNotFound } from "../../schema/LiveErrors.ts"
import { EvaluatedConfiguration } from "../../schema/SdkConfigurations.ts"
import { inOrder } from "../domain/configuration/Changeset.ts"
import { deliver } from "../domain/delivery/Resolution.ts"
import { named } from "../domain/delivery/Snapshot.ts"
import { requiredProperties } from "../domain/experiments/Targeting.ts"
import type { EnvironmentId } from "../domain/Ids.ts"
import { type Delivered, Delivery, type Ready, type ReadyEntry } from "./Delivery.ts"
import { type AskingUnit, Evaluation, type UnitAssignment } from "./Evaluation.ts"

/** What one unit gets of a configuration. */
export interface Evaluated {
  readonly entry: ReadyEntry
  readonly configuration: ReadyEntry["configuration"]
  readonly assignments: ReadonlyArray<UnitAssignment>
  readonly requiredProperties: ReadonlyArray<string>
}

/** Written answers kept of what is delivered; units in the same groups get the same bytes. */
const capacity = 4000

const encoder = new TextEncoder()

const missing = (name: string | undefined) =>
  Effect.fail(
    new ConfigurationNotFound({
      message:
        name === undefined ? "This environment has no primary configuration" : `No configuration is called ${name}`
    })
  )

export const find = ({ configurations }: Delivered, name: string | undefined) => {
  const entry = named(configurations, name)
  return entry === undefined ? missing(name) : Effect.succeed(entry)
}

/** The unit, and before it the server it plays on. What the game says of the one is not said of the other. */
const unitsOf = (unit: AskingUnit, serverId: string | undefined): ReadonlyArray<AskingUnit> =>
  unit.type === "server" || serverId === undefined || serverId === ""
    ? [unit]
    : [{ type: "server", distinctId: serverId, context: {} }, unit]

const groupOf = ({ experimentId, groupId, assignmentVersion, source, changeset }: UnitAssignment): string =>
  `${experimentId} ${groupId} ${assignmentVersion} ${source} ${changeset.operations.length}`

/** Configurations as single units get them. */
export class UnitAnswers extends Effect.Service<UnitAnswers>()("services/UnitAnswers", {
  effect: Effect.gen(function* () {
    const delivery = yield* Delivery
    const evaluation = yield* Evaluation
    const written = new WeakMap<Delivered, Map<string, Ready>>()

    const assignmentsOf = Effect.fnUntraced(function* (
      environmentId: EnvironmentId,
      { id }: ReadyEntry,
      units: ReadonlyArray<AskingUnit>
    ) {
      const found: Array<UnitAssignment> = []
      for (const unit of units) found.push(...(yield* evaluation.assignmentsFor(environmentId, id, unit)))
      return inOrder(found)
    })

    const requiredOf = ({ experiments }: Delivered, { id }: ReadyEntry) =>
      requiredProperties(
        experiments.filter(({ baseConfigurationId }) => baseConfigurationId === id).map(({ targeting }) => targeting)
      )

    /** What a unit gets of a configuration; assigns it where it may be enrolled. */
    const forUnit = Effect.fn("UnitAnswers.forUnit")(function* (
      environmentId: EnvironmentId,
      delivered: Delivered,
      name: string | undefined,
      unit: AskingUnit | undefined,
      serverId?: string
    ) {
      const entry = yield* find(delivered, name)
      const units = unit === undefined ? [] : unitsOf(unit, serverId)
      const assignments = yield* assignmentsOf(environmentId, entry, units)
      return {
        entry,
        configuration: deliver(entry.resolution, assignments),
        assignments,
        requiredProperties: requiredOf(delivered, entry)
      } satisfies Evaluated
    })

    const write = Effect.fnUntraced(function* (
      delivered: Delivered,
      entry: ReadyEntry,
      assignments: ReadonlyArray<UnitAssignment>,
      groups: ReadonlyArray<string>
    ) {
      const { id, name, privacy, updatedAt } = entry
      const required = requiredOf(delivered, entry)
      const isPlain = groups.length === 0 && required.length === 0
      const hash = isPlain
        ? entry.hash
        : delivery.digest(`evaluated:${entry.hash}${JSON.stringify([groups, required])}`)
      const encoded = yield* Effect.orDie(
        Schema.encode(EvaluatedConfiguration)({
          ...{ hash, configurationId: id, name, privacy, updatedAt },
          configuration: deliver(entry.resolution, assignments),
          experiments: assignments,
          requiredProperties: required
        })
      )
      return { hash, bytes: encoder.encode(JSON.stringify(encoded)) } satisfies Ready
    })

    /** The same, written out. Its hash is that of the configuration as long as no experiment is about it. */
    const answerFor = Effect.fnUntraced(function* (
      environmentId: EnvironmentId,
      delivered: Delivered,
      name: string | undefined,
      unit: AskingUnit,
      serverId: string | undefined
    ) {
      const entry = yield* find(delivered, name)
      const assignments = yield* assignmentsOf(environmentId, entry, unitsOf(unit, serverId))
      const groups = assignments.map(groupOf)
      const exposed = assignments.map((each) => (each.exposureProxyRecorded ? "1" : "0")).join("")
      const key = `${entry.id} ${exposed} ${groups.join(",")}`
      const known = written.get(delivered) ?? new Map<string, Ready>()
      const ready = known.get(key)
      if (ready !== undefined) return ready
      if (known.size >= capacity) known.clear()
      const fresh = yield* write(delivered, entry, assignments, groups)
      known.set(key, fresh)
      written.set(delivered, known)
      return fresh
    })

    return { forUnit, answerFor } as const
  })
}) {}

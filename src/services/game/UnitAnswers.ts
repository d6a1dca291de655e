import { Effect, Schema } from "effect"
import { ConfigurationNotFound } from "../../../schema/configuration/ConfigurationErrors.ts"
import { EvaluatedConfiguration } from "../../../schema/game/SdkConfigurations.ts"
import { inOrder } from "../../domain/configuration/Changeset.ts"
import { deliver } from "../../domain/game/Resolution.ts"
import { named } from "../../domain/game/Snapshot.ts"
import { requiredProperties, type Targeting } from "../../domain/experiments/Targeting.ts"
import type { EnvironmentId } from "../../domain/Ids.ts"
import { type Delivered, Delivery, type Ready, type ReadyEntry } from "./Delivery.ts"
import { UnitVersions } from "./UnitVersions.ts"
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

type AskedUnit = Pick<AskingUnit, "type" | "distinctId">

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

/** What units got, kept by name where nothing but a change of the experiments or of their assignments changes it. */
interface Settled {
  readonly version: number
  readonly byUnit: Map<string, Ready>
}

/** Units whose answer is kept at most; one more and it starts anew. */
const unitCapacity = 200_000

const isForEveryone = ({ cohortIds, conditions, newUsersOnly }: Targeting): boolean =>
  cohortIds.length === 0 && conditions.length === 0 && !newUsersOnly

const unitKey = (name: string | undefined, { type, distinctId }: AskedUnit, serverId: string | undefined): string =>
  `${name ?? ""}\n${type}\n${serverId ?? ""}\n${distinctId}`

/** Configurations as single units get them. */
export class UnitAnswers extends Effect.Service<UnitAnswers>()("services/game/UnitAnswers", {
  effect: Effect.gen(function* () {
    const delivery = yield* Delivery
    const evaluation = yield* Evaluation
    const versions = yield* UnitVersions
    const written = new WeakMap<Delivered, Map<string, Ready>>()
    const settled = new WeakMap<Delivered, Settled>()

    const settledNow = (environmentId: EnvironmentId, delivered: Delivered): Settled => {
      const version = versions.of(environmentId)
      const kept = settled.get(delivered)
      if (kept?.version === version && kept.byUnit.size < unitCapacity) return kept
      const fresh = { version, byUnit: new Map<string, Ready>() }
      settled.set(delivered, fresh)
      return fresh
    }

    /** What the unit got before, where it gets the same for as long as this is delivered. */
    const known = (
      environmentId: EnvironmentId,
      delivered: Delivered,
      name: string | undefined,
      unit: AskedUnit,
      serverId: string | undefined
    ): Ready | undefined => settledNow(environmentId, delivered).byUnit.get(unitKey(name, unit, serverId))

    /** Every experiment has the unit for good, recorded as exposed, or whom it takes is decided by the id alone. */
    const isSettled = (
      { experiments }: Delivered,
      { id }: ReadyEntry,
      units: ReadonlyArray<AskingUnit>,
      assignments: ReadonlyArray<UnitAssignment>
    ): boolean =>
      assignments.every(({ exposureProxyRecorded }) => !exposureProxyRecorded) &&
      experiments.every(
        (each) =>
          each.baseConfigurationId !== id ||
          !units.some(({ type }) => type === each.unitType) ||
          isForEveryone(each.targeting) ||
          (each.permanentEnrollment && assignments.some(({ experimentId }) => experimentId === each.id))
      )

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
      const { version, byUnit } = settledNow(environmentId, delivered)
      const entry = yield* find(delivered, name)
      const units = unitsOf(unit, serverId)
      const assignments = yield* assignmentsOf(environmentId, entry, units)
      const settle = (ready: Ready): Ready => {
        if (version === versions.of(environmentId) && isSettled(delivered, entry, units, assignments))
          byUnit.set(unitKey(name, unit, serverId), ready)
        return ready
      }
      const groups = assignments.map(groupOf)
      const exposed = assignments.map((each) => (each.exposureProxyRecorded ? "1" : "0")).join("")
      const key = `${entry.id} ${exposed} ${groups.join(",")}`
      const answers = written.get(delivered) ?? new Map<string, Ready>()
      const ready = answers.get(key)
      if (ready !== undefined) return settle(ready)
      if (answers.size >= capacity) answers.clear()
      const fresh = yield* write(delivered, entry, assignments, groups)
      answers.set(key, fresh)
      written.set(delivered, answers)
      return settle(fresh)
    })

    return { forUnit, answerFor, known } as const
  })
}) {}

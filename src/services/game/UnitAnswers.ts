import { Effect, Schema } from "effect"
import { ConfigurationNotFound } from "../../../schema/configuration/ConfigurationErrors.ts"
import { EvaluatedConfiguration } from "../../../schema/game/SdkConfigurations.ts"
import { inOrder } from "../../domain/configuration/Changeset.ts"
import type { Document } from "../../domain/configuration/Document.ts"
import { deliver } from "../../domain/game/Resolution.ts"
import { named } from "../../domain/game/Snapshot.ts"
import { isSettled } from "../../domain/experiments/Settled.ts"
import { requiredProperties } from "../../domain/experiments/Targeting.ts"
import type { EnvironmentId } from "../../domain/Ids.ts"
import { mebibyte } from "../../domain/LruCache.ts"
import { ValidCache } from "../../domain/ValidCache.ts"
import { type Delivered, Delivery, type Ready, type ReadyEntry } from "./Delivery.ts"
import { type AskingUnit, Evaluation, type UnitAssignment } from "./Evaluation.ts"
import { Versions } from "./Versions.ts"
import { WrittenAnswers } from "./WrittenAnswers.ts"

/** A configuration that was asked for, and the groups in which the unit gets it. */
export interface FoundForUnit {
  readonly delivered: Delivered
  readonly entry: ReadyEntry
  readonly assignments: ReadonlyArray<UnitAssignment>
}

/** The environment and audience whose configurations are asked about. */
export type DeliveredPlace = Pick<Delivered, "audience" | "environmentId">

/** Which configuration a unit asks for: the one of that name or alias, or the primary one. */
export interface UnitQuestion {
  readonly name: string | undefined
  readonly unit: Pick<AskingUnit, "distinctId" | "type">
  /** The game server that the unit plays on. */
  readonly serverId: string | undefined
}

/** A unit's question with what the game tells about the unit. */
export interface FullUnitQuestion extends UnitQuestion {
  readonly unit: AskingUnit
}

/** A reference to a string that another cache holds. */
const pointerBytes = 8

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

/** The units that take part: the asking one, and before it the game server it plays on. The context describes the asking unit alone. */
const unitsOf = (unit: AskingUnit, serverId: string | undefined): ReadonlyArray<AskingUnit> =>
  unit.type === "server" || serverId === undefined || serverId === ""
    ? [unit]
    : [{ type: "server", distinctId: serverId, context: {} }, unit]

const groupOf = ({ experimentId, groupId, assignmentVersion, source, changeset }: UnitAssignment): string =>
  `${experimentId} ${groupId} ${assignmentVersion} ${source} ${changeset.operations.length}`

/**
 * True when this unit's answer can only change if the experiments or their assignments change: all its exposures are recorded, and
 * every experiment on this configuration either targets everyone or has the unit permanently.
 */
const cannotChange = (
  { experiments }: Delivered,
  { id }: ReadyEntry,
  units: ReadonlyArray<AskingUnit>,
  assignments: ReadonlyArray<UnitAssignment>
): boolean =>
  assignments.every(({ exposureProxyRecorded }) => !exposureProxyRecorded) &&
  isSettled(
    experiments.filter(
      ({ baseConfigurationId, unitType }) => baseConfigurationId === id && units.some(({ type }) => type === unitType)
    ),
    (experimentId) => assignments.some((each) => each.experimentId === experimentId)
  )

/** Joins names and ids, which may contain any character, with their lengths, so that no two lists give the same text. */
const keyOf = ({ environmentId, audience }: DeliveredPlace, { name, unit, serverId }: UnitQuestion): string =>
  `${environmentId} ${audience} ${unit.type} ${name?.length} ${serverId?.length} ${name}${serverId}${unit.distinctId}`

/** Configurations as single units get them. */
export class UnitAnswers extends Effect.Service<UnitAnswers>()("services/game/UnitAnswers", {
  effect: Effect.gen(function* () {
    const delivery = yield* Delivery
    const evaluation = yield* Evaluation
    const versions = yield* Versions
    const written = yield* WrittenAnswers
    const clock = yield* Effect.clock
    /** For each settled unit the key of its written answer. */
    const settledKeys = new ValidCache<string>(96 * mebibyte, () => pointerBytes)

    /** The answer that a settled unit got before, without reading or recording anything. */
    const settled = (place: DeliveredPlace, question: UnitQuestion): Ready | undefined => {
      const now = clock.unsafeCurrentTimeMillis()
      const key = settledKeys.get(keyOf(place, question), now)
      return key === undefined ? undefined : written.find(key, now)
    }

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

    /** The groups in which a unit gets a configuration; assigns it where it may be enrolled. Without a unit: none. */
    const forUnit = Effect.fnUntraced(function* (
      delivered: Delivered,
      name: string | undefined,
      unit: AskingUnit | undefined,
      serverId?: string
    ) {
      const entry = yield* find(delivered, name)
      const units = unit === undefined ? [] : unitsOf(unit, serverId)
      const assignments = yield* assignmentsOf(delivered.environmentId, entry, units)
      return { delivered, entry, assignments } satisfies FoundForUnit
    })

    /**
     * The answer that `write` makes of a configuration as units in these groups get it, once for all of them. `shape` names the kind of
     * answer.
     */
    const writtenFor = <E, R>(
      { delivered, entry, assignments }: FoundForUnit,
      shape: string,
      write: (configuration: Document) => Effect.Effect<Ready, E, R>
    ) =>
      written.of(
        delivered,
        `${shape} ${entry.id} ${assignments.map(groupOf).join(",")}`,
        Effect.suspend(() => write(deliver(entry.resolution, assignments)))
      )

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

    /** The same as a written answer. While no experiment concerns the configuration, the answer's hash is that of the configuration. */
    const answerFor = Effect.fnUntraced(function* (delivered: Delivered, question: FullUnitQuestion) {
      const { environmentId, validity } = delivered
      const unchanged = validity.and(versions.assignments(environmentId).validity())
      const entry = yield* find(delivered, question.name)
      const units = unitsOf(question.unit, question.serverId)
      const assignments = yield* assignmentsOf(environmentId, entry, units)
      const groups = assignments.map(groupOf)
      const exposed = assignments.map((each) => (each.exposureProxyRecorded ? "1" : "0")).join("")
      const ready = yield* written.of(
        delivered,
        `unit ${entry.id} ${exposed} ${groups.join(",")}`,
        write(delivered, entry, assignments, groups)
      )
      if (cannotChange(delivered, entry, units, assignments))
        settledKeys.set(keyOf(delivered, question), ready.key, unchanged)
      return ready
    })

    return { forUnit, writtenFor, answerFor, settled } as const
  })
}) {}

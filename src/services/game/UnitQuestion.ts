import { Effect } from "effect"
import { ConfigurationNotFound } from "../../../schema/configuration/ConfigurationErrors.ts"
import { isSettled } from "../../domain/experiments/Settled.ts"
import { asksForMore } from "../../domain/experiments/Targeting.ts"
import { named } from "../../domain/game/Snapshot.ts"
import type { Delivered, ReadyEntry } from "./Delivery.ts"
import type { AskingUnit, UnitAssignment } from "./Evaluation.ts"

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

/** A question of a unit about a configuration that has been found. */
export interface AskedEntry {
  readonly delivered: Delivered
  readonly entry: ReadyEntry
  readonly question: FullUnitQuestion
}

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
export const unitsOf = (unit: AskingUnit, serverId: string | undefined): ReadonlyArray<AskingUnit> =>
  unit.type === "server" || serverId === undefined || serverId === ""
    ? [unit]
    : [{ type: "server", distinctId: serverId, context: {} }, unit]

export const groupOf = ({ experimentId, groupId, assignmentVersion, source, changeset }: UnitAssignment): string =>
  `${experimentId} ${groupId} ${assignmentVersion} ${source} ${changeset.operations.length}`

/** What tells the groups of units apart: that of which `groupOf` is the text. */
export const groupNumbers = {
  keyOf: ({ groupId }: UnitAssignment) => groupId,
  factsOf: ({ experimentId, groupId, assignmentVersion, source, changeset }: UnitAssignment) => ({
    experimentId,
    groupId,
    assignmentVersion,
    source,
    operations: changeset.operations.length
  })
} as const

/**
 * True when this unit's next answer can only change if the experiments or their assignments change, once its exposures are stored: every
 * experiment on this configuration either targets everyone or has the unit permanently.
 */
export const isSettledIn = (
  { experiments }: Delivered,
  { id }: ReadyEntry,
  units: ReadonlyArray<AskingUnit>,
  assignments: ReadonlyArray<UnitAssignment>
): boolean =>
  isSettled(
    experiments.filter(
      ({ baseConfigurationId, unitType }) => baseConfigurationId === id && units.some(({ type }) => type === unitType)
    ),
    (experimentId) => assignments.some((each) => each.experimentId === experimentId)
  )

/** Whether cohorts or first sights decide who gets the configuration: others are not to wait until those are known. */
export const isSlow = ({ experiments }: Delivered, { id }: ReadyEntry): boolean =>
  experiments.some(({ baseConfigurationId, targeting }) => baseConfigurationId === id && asksForMore(targeting))

/** Joins names and ids, which may contain any character, with their lengths, so that no two lists give the same text. */
export const keyOf = ({ environmentId, audience }: DeliveredPlace, { name, unit, serverId }: UnitQuestion): string =>
  `${environmentId} ${audience} ${unit.type} ${name?.length} ${serverId?.length} ${name}${serverId}${unit.distinctId}`

import type { Document, Json, Path } from "../configuration/Document.ts"
import type { Context } from "../experiments/Context.ts"
import { validate } from "../experiments/Context.ts"
import { givenGroups, type StoredExperiment } from "../experiments/StoredExperiment.ts"
import { requiredProperties } from "../experiments/Targeting.ts"
import type { ExperimentGroupId } from "../Ids.ts"
import type { ResolvedConfiguration } from "./Resolution.ts"
import { deliver } from "./Resolution.ts"
import { Either } from "effect"

/** The base configuration that groups change, as an audience gets it. */
export interface Base {
  readonly resolution: ResolvedConfiguration
  readonly privacy: ReadonlyArray<Path>
}

/** A group with the complete configuration of its members. Instants are epoch ms. */
export interface LegacyGroup {
  readonly id: ExperimentGroupId
  readonly groupName: string
  readonly experimentName: string
  readonly endsAt?: number
  readonly configs: { readonly options: { readonly privacy: ReadonlyArray<Path> }; readonly variables: Document }
}

/** The groups of a settled experiment. */
export const groupsOf = ({ resolution, privacy }: Base, experiment: StoredExperiment): ReadonlyArray<LegacyGroup> => {
  const { id: experimentId, name: experimentName, unitType, progress } = experiment
  return givenGroups(experiment).map(({ id, name: groupName, changeset }) => ({
    id,
    groupName,
    experimentName,
    ...(progress.endsAt === null ? {} : { endsAt: progress.endsAt }),
    configs: { options: { privacy }, variables: deliver(resolution, [{ experimentId, unitType, changeset }]) }
  }))
}

/** The start and, if known, the end (epoch ms) of groups whose experiments have not begun, by group id. */
export const timesOf = (scheduled: ReadonlyArray<StoredExperiment>): Readonly<Record<string, ReadonlyArray<number>>> =>
  Object.fromEntries(
    scheduled.flatMap(({ groups, progress: { startsAt, endsAt } }) =>
      groups.map(({ id }) => [String(id), endsAt === null ? [startsAt] : [startsAt, endsAt]] as const)
    )
  )

const bare = (name: string): string => name.replace(/^(properties|roblox)\./, "")

const asked = (experiments: ReadonlyArray<StoredExperiment>): ReadonlyArray<string> =>
  requiredProperties(experiments.map(({ targeting }) => targeting))

/**
 * The properties that older game servers are asked to send. They use names without the prefix that tells the source.
 */
export const propertiesAsked = (experiments: ReadonlyArray<StoredExperiment>): ReadonlyArray<string> => [
  ...new Set(asked(experiments).map(bare))
]

/** The context that an older game server sends, under the names that experiments use; undefined if it is invalid. */
export const contextOf = (
  experiments: ReadonlyArray<StoredExperiment>,
  sent: Readonly<Record<string, Json>>
): Context | undefined => {
  const context = validate(sent)
  if (Either.isLeft(context)) return undefined
  const names = asked(experiments)
  return Object.fromEntries(
    Object.entries(context.right).flatMap(([name, value]) => {
      const meant = names.filter((each) => bare(each) === bare(name))
      return (meant.length === 0 ? [`properties.${bare(name)}`] : meant).map((each) => [each, value] as const)
    })
  )
}

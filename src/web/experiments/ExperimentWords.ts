import type { AnyExperiment, StartedExperiment } from "../api/Started.ts"
import { deniedText } from "../text/Denied.ts"

export type Experiment = StartedExperiment
export type Status = AnyExperiment["status"]
export type ExperimentGroup = Experiment["groups"][number]

export const statusWords: Readonly<Record<Status, string>> = {
  draft: "Draft",
  scheduled: "Scheduled",
  active: "Running",
  paused: "Paused",
  completed: "Ended",
  terminated: "Ended early"
}

/** Whether the experiment takes or may take players: it holds its paths of the configuration. */
export const isOpen = ({ status }: { readonly status: Status }): boolean =>
  status === "scheduled" || status === "active" || status === "paused"

/** A path of a configuration as people read it. */
export const pathWords = (path: ReadonlyArray<string>): string => path.join(" › ")

/** Paths of the base that any group changes, each once. */
export const pathsOf = (
  groups: ReadonlyArray<Pick<ExperimentGroup, "changeset">>
): ReadonlyArray<ReadonlyArray<string>> => {
  const paths = groups.flatMap(({ changeset }) => changeset.operations.map(({ path }) => path))
  return [...new Map(paths.map((path) => [JSON.stringify(path), path])).values()].filter((path) => path.length > 0)
}

/** Basis points as percent: 3333 is `33.33 %`. */
export const shareText = (weight: number): string => `${Number((weight / 100).toFixed(2))} %`

/** What an experiment puts into groups, one of them: a player, or a game server with everybody on it. */
export const unitWord = ({ unitType }: Pick<Experiment, "unitType">): string =>
  unitType === "server" ? "game server" : "player"

/** Several of them. */
export const unitsWord = (experiment: Pick<Experiment, "unitType">): string => `${unitWord(experiment)}s`

export const percentWords = (percent: number, units: string): string => `${Number(percent.toFixed(2))} % of ${units}`

/** Why a control is not there for somebody. */
export const lacking = deniedText("experiments:write")

import type { Path } from "../../domain/configuration/Document.ts"
import type { AnyExperiment } from "../api/Started.ts"
import { isOpen } from "../experiments/ExperimentWords.ts"
import type { ProjectContext } from "../shell/Project.tsx"
import { meets } from "./Draft.ts"

/** An experiment that holds paths of a configuration: they cannot be changed while it waits for its start, runs or is paused. */
export interface Lock {
  readonly experimentId: number
  readonly name: string
  readonly paths: ReadonlyArray<Path>
}

export const locksOn = (experiments: ReadonlyArray<AnyExperiment>, configurationId: number): ReadonlyArray<Lock> =>
  experiments
    .filter(({ status, baseConfigurationId }) => baseConfigurationId === configurationId && isOpen({ status }))
    .map(({ id, name, groups }) => ({
      experimentId: id,
      name,
      paths: groups
        .flatMap(({ changeset }) => changeset.operations.map(({ path }) => path))
        .filter((path) => path.length > 0)
    }))

/** The experiment that holds a path, something on the way to it or something inside it. */
export const lockOf = (locks: ReadonlyArray<Lock>, path: Path): Lock | undefined =>
  locks.find(({ paths }) => paths.some((held) => meets(held, path)))

/** The page of an experiment. */
export const experimentAddress = (
  { applicationId, environment }: Pick<ProjectContext, "applicationId" | "environment">,
  experimentId: number
): string => `/p/${applicationId}/${environment.alias}/experiments/${experimentId}`

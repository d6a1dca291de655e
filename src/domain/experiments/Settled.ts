import type { ExperimentId } from "../Ids.ts"
import type { StoredExperiment } from "./StoredExperiment.ts"

interface Targeted extends Pick<StoredExperiment, "id" | "permanentEnrollment"> {
  readonly targeting: {
    readonly cohortIds: ReadonlyArray<unknown>
    readonly conditions: ReadonlyArray<unknown>
    readonly newUsersOnly: boolean
  }
}

const isForEveryone = ({ cohortIds, conditions, newUsersOnly }: Targeted["targeting"]): boolean =>
  cohortIds.length === 0 && conditions.length === 0 && !newUsersOnly

/**
 * True when only a change of these experiments or of their assignments can alter which of them a unit is in: each targets everyone, or
 * has the unit permanently. `isIn` tells whether the unit is in an experiment.
 */
export const isSettled = (experiments: ReadonlyArray<Targeted>, isIn: (id: ExperimentId) => boolean): boolean =>
  experiments.every(
    ({ id, permanentEnrollment, targeting }) => isForEveryone(targeting) || (permanentEnrollment && isIn(id))
  )

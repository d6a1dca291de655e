import type { EnvironmentId } from "../Ids.ts"

/** The erasure of a unit from an environment, for as long as it has not ended. */
export interface Erasure {
  readonly environmentId: EnvironmentId
  readonly unitId: string
  /** Epoch milliseconds: markers up to then are refused from now on. */
  readonly erasedAt: number
}

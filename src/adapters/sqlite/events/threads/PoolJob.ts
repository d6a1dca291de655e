import type { StoreQuestion } from "../cohorts/CohortQuestion.ts"
import type { Control } from "../read/Control.ts"
import type { PoolAnswer, Terms } from "./PoolTerms.ts"

/** A question that waits for a thread of the readers, or has one. */
export interface Job {
  readonly id: number
  readonly environmentId: number
  readonly question: StoreQuestion
  readonly terms: Terms
  readonly owner: number
  readonly done: (outcome: PoolAnswer<never>) => void
  control: Control
  timer: NodeJS.Timeout | null
  /** When a thread began with it, by `performance.now`. */
  begunAt: number
  isSettled: boolean
  /** The question has been told to stop, and begins again: another owner waits for its thread, or the readers are to rest. */
  isYielding: boolean
  /** The question gave up a thread beyond its owner's share to another owner: it begins again only when its owner holds no other thread. */
  hasYielded: boolean
  /** How often it was stopped for a rest of the readers. */
  rests: number
}

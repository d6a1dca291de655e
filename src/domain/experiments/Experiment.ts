import { Schema } from "effect"
import type { ExperimentGroupId } from "../Ids.ts"
import type { Rollout } from "./Rollout.ts"

export const ExperimentStatus = Schema.Literal("scheduled", "active", "paused", "completed", "terminated")
export type ExperimentStatus = typeof ExperimentStatus.Type

export const UnitType = Schema.Literal("user", "server")
export type UnitType = typeof UnitType.Type

export const AssignmentMode = Schema.Literal("weightedHash", "roundRobin")
export type AssignmentMode = typeof AssignmentMode.Type

/** The part of a group that assignment needs; groups are in the order of their ordinals. */
export interface AssignableGroup {
  readonly id: ExperimentGroupId
  /** Basis points; a group of weight 0 takes no new units. */
  readonly weight: number
  /** Members of a dropped group get the base configuration and keep their assignment. */
  readonly isDropped: boolean
}

/** A period of constant weights (by ordinal) and percent, lasting until the next phase. */
export interface Phase {
  readonly from: number
  readonly weights: ReadonlyArray<number>
  readonly percent: number
}

/** The state of an experiment that time and operators change. Instants are epoch ms. */
export interface ExperimentProgress {
  readonly status: ExperimentStatus
  readonly startsAt: number
  readonly endsAt: number | null
  readonly terminatedAt: number | null
  readonly terminationReason: string | null
  readonly winnerGroupId: ExperimentGroupId | null
  readonly groups: ReadonlyArray<AssignableGroup>
  readonly rollout: Rollout
  readonly phases: ReadonlyArray<Phase>
}

/** Whether units get what their groups change: who is in a group keeps that while it is paused. */
export const isRunning = (status: ExperimentStatus): boolean => status === "active" || status === "paused"

/** Whether the experiment has ended. */
export const hasEnded = (status: ExperimentStatus): boolean => status === "completed" || status === "terminated"

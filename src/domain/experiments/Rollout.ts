/** A planned change of the percent. Instants are epoch ms. */
export interface RolloutStep {
  readonly at: number
  /** The percentage of units that may be enrolled, 0..100. */
  readonly percent: number
  readonly state: "pending" | "applied" | "skipped"
}

export type RolloutAction = "set" | "step" | "advance" | "pause" | "resume" | "replaceSteps"

export interface RolloutEntry {
  readonly at: number
  readonly action: RolloutAction
  /** The percent from this entry on. */
  readonly percent: number
}

export interface Rollout {
  readonly percent: number
  /** `ramping` while steps are pending; `paused` while no new unit is enrolled. */
  readonly status: "idle" | "ramping" | "paused"
  readonly pausedAt: number | null
  readonly steps: ReadonlyArray<RolloutStep>
  readonly history: ReadonlyArray<RolloutEntry>
}

export interface PlannedStep {
  readonly at: number
  readonly percent: number
}

const statusOf = (steps: ReadonlyArray<RolloutStep>): "idle" | "ramping" =>
  steps.some(({ state }) => state === "pending") ? "ramping" : "idle"

const pending = ({ at, percent }: PlannedStep): RolloutStep => ({ at, percent, state: "pending" })

/** A new rollout at a percent, with its planned steps. */
export const make = (percent: number, planned: ReadonlyArray<PlannedStep>): Rollout => {
  const steps = planned.map(pending)
  return { percent, status: statusOf(steps), pausedAt: null, steps, history: [] }
}

/** The next pending step; null if there is none. */
export const nextStep = ({ steps }: Rollout): RolloutStep | null =>
  steps.find(({ state }) => state === "pending") ?? null

const record = (rollout: Rollout, at: number, action: RolloutAction, change: Partial<Rollout>): Rollout => {
  const changed = { ...rollout, ...change }
  const status = changed.pausedAt === null ? statusOf(changed.steps) : "paused"
  return { ...changed, status, history: [...rollout.history, { at, action, percent: changed.percent }] }
}

/** Takes the next pending step. Returns the same rollout if there is none. */
export const takeStep = (rollout: Rollout, at: number, action: "step" | "advance"): Rollout => {
  const step = nextStep(rollout)
  if (step === null) return rollout
  const steps = rollout.steps.map((other): RolloutStep => (other === step ? { ...step, state: "applied" } : other))
  return record(rollout, at, action, { percent: step.percent, steps })
}

const skipPending = (steps: ReadonlyArray<RolloutStep>): ReadonlyArray<RolloutStep> =>
  steps.map((step): RolloutStep => (step.state === "pending" ? { ...step, state: "skipped" } : step))

/** Sets the percent by hand. Pending steps are skipped, so that no plan undoes what an operator did. */
export const setPercent = (rollout: Rollout, at: number, percent: number): Rollout =>
  record(rollout, at, "set", { percent, steps: skipPending(rollout.steps) })

/** Pauses the rollout: no new unit is enrolled. */
export const pause = (rollout: Rollout, at: number): Rollout => record(rollout, at, "pause", { pausedAt: at })

/**
 * Resumes a paused rollout. Pending steps are delayed by the length of the pause, so that each percent still gets its
 * time. Where the clock was set back during the pause, they stay.
 */
export const resume = (rollout: Rollout, at: number): Rollout => {
  const length = Math.max(0, at - (rollout.pausedAt ?? at))
  const steps = rollout.steps.map((step) => (step.state === "pending" ? { ...step, at: step.at + length } : step))
  return record(rollout, at, "resume", { pausedAt: null, steps })
}

/**
 * Replaces the pending steps by a new plan. If paused, the pause counts from now on, so the plan is only delayed by its
 * remainder.
 */
export const replaceSteps = (rollout: Rollout, at: number, planned: ReadonlyArray<PlannedStep>): Rollout => {
  const kept = rollout.steps.filter(({ state }) => state !== "pending")
  const pausedAt = rollout.pausedAt === null ? null : at
  return record(rollout, at, "replaceSteps", { steps: [...kept, ...planned.map(pending)], pausedAt })
}

/** Ends the rollout: no pending step will be taken. */
export const close = (rollout: Rollout): Rollout => ({
  ...rollout,
  status: "idle",
  pausedAt: null,
  steps: skipPending(rollout.steps)
})

import type { Answer } from "./Wire.ts"

/** An experiment or a draft of one, which has no start while nobody has planned it. */
export type AnyExperiment = Answer<"experiments.list">[number]

/** An experiment that has been started, or is planned to start. */
export type StartedExperiment = Omit<AnyExperiment, "status" | "startsAt"> & {
  readonly status: Exclude<AnyExperiment["status"], "draft">
  readonly startsAt: string
}

export const isStarted = (experiment: AnyExperiment): experiment is StartedExperiment =>
  experiment.status !== "draft" && experiment.startsAt !== null

/** Those that are no drafts. */
export const startedOf = (all: ReadonlyArray<AnyExperiment>): ReadonlyArray<StartedExperiment> => all.filter(isStarted)

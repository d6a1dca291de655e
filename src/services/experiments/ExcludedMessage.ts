import type { Exclusion } from "../../domain/experiments/Decision.ts"

const exclusions = {
  holdout: "is held out of this experiment",
  layer: "belongs to another experiment of the layer"
} satisfies Record<Exclusion, string>

/** Why somebody cannot put the unit into an experiment, and how it is done nevertheless. */
export const excludedMessage = (distinctId: string, exclusion: Exclusion): string =>
  `Unit ${distinctId} ${exclusions[exclusion]}: assign it by hand with ignoreExclusion to have it here nevertheless`

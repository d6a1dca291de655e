import type { DateTime } from "effect"
import { ExperimentChanged } from "../../../schema/experiments/ExperimentErrors.ts"
import { demandUnchanged } from "../BasedOn.ts"

/** Refuses a change that was made on another state of an experiment, or of a draft of one. */
export const demandSame = (present: { readonly updatedAt: DateTime.Utc }, basedOn: DateTime.Utc | undefined) =>
  demandUnchanged("experiment", present, basedOn, (message) => new ExperimentChanged({ message }))

import type { StoredExperiment } from "./StoredExperiment.ts"

/**
 * Experiments of an environment that have not ended, and characters of what they have stored as JSON together: evaluations read all of them at once, and
 * so does what starts and ends those of the whole server.
 */
export const mostOpen = 500
export const mostOpenCharacters = 16 * 1024 * 1024

/** How many experiments that have not ended there are, and the characters of what is stored of them. */
export interface OpenSize {
  readonly count: number
  readonly characters: number
}

/** What may be long of an experiment. */
type Sized = Pick<StoredExperiment, "groups" | "metrics">

const charactersOf = ({ groups, metrics }: Sized): number => JSON.stringify(groups).length + metrics.length

/** Whether an environment with so much may have another experiment. */
export const hasRoom = ({ count, characters }: OpenSize, experiment: Sized): boolean =>
  count < mostOpen && characters + charactersOf(experiment) <= mostOpenCharacters

/** Whether an experiment, one of those that are so much, may become another one: always where it does not grow. */
export const hasRoomToGrow = ({ characters }: OpenSize, before: Sized, after: Sized): boolean => {
  const growth = charactersOf(after) - charactersOf(before)
  return growth <= 0 || characters + growth <= mostOpenCharacters
}

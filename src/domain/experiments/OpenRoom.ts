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

/** Whether an environment with so much may have another experiment. Its groups are what may be long of it. */
export const hasRoom = ({ count, characters }: OpenSize, { groups }: Pick<StoredExperiment, "groups">): boolean =>
  count < mostOpen && characters + JSON.stringify(groups).length <= mostOpenCharacters

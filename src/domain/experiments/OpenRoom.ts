import type { Size } from "../Room.ts"
import { hasRoomFor, hasRoomToGrow } from "../Room.ts"
import type { StoredExperiment } from "./StoredExperiment.ts"

/**
 * Experiments of an environment that have not ended, and characters of what they have stored as JSON together: evaluations read all of them at once, and
 * so does what starts and ends those of the whole server.
 */
export const mostOpen: Size = { count: 500, characters: 16 * 1024 * 1024 }

/** What may be long of an experiment. */
type Sized = Pick<StoredExperiment, "groups" | "metrics">

const charactersOf = ({ groups, metrics }: Sized): number => JSON.stringify(groups).length + metrics.length

/** Whether an environment whose open experiments are so much may have another one. */
export const mayBegin = (size: Size, experiment: Sized): boolean => hasRoomFor(size, mostOpen, charactersOf(experiment))

/** Whether one of them may become another one. */
export const mayBecome = (size: Size, before: Sized, after: Sized): boolean =>
  hasRoomToGrow(size, mostOpen, charactersOf(before), charactersOf(after))

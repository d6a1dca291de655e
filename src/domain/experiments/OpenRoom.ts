import type { Size } from "../Room.ts"
import { hasRoomFor, hasRoomToGrow } from "../Room.ts"
import type { StoredExperiment } from "./StoredExperiment.ts"

/**
 * Experiments of an environment that have not ended, and characters of what they have stored as JSON together: evaluations read all of them at once, and
 * so does what starts and ends those of the whole server.
 */
export const mostOpen: Size = { count: 500, characters: 16 * 1024 * 1024 }

/**
 * The same of all experiments of an environment, those that have ended too: lists have all of them, and so has what asks in which of them a player was.
 * Nothing deletes one.
 */
export const mostKept: Size = { count: 10_000, characters: 64 * 1024 * 1024 }

/** Events of an experiment, and steps of its rollout, at which nobody changes it any more: each of its writes and evaluations has all of them. */
const mostEvents = 1000

/** What may be long of an experiment. */
type Sized = Pick<StoredExperiment, "groups" | "metrics">

const charactersOf = ({ groups, metrics }: Sized): number => JSON.stringify(groups).length + metrics.length

/** Whether an environment whose open experiments are so much may have another one. */
export const mayBegin = (size: Size, experiment: Sized): boolean => hasRoomFor(size, mostOpen, charactersOf(experiment))

/** Whether one of them may become another one. */
export const mayBecome = (size: Size, before: Sized, after: Sized): boolean =>
  hasRoomToGrow(size, mostOpen, charactersOf(before), charactersOf(after))

/** Whether an environment that keeps so much may have another experiment. */
export const mayBeKept = (size: Size, experiment: Sized): boolean =>
  hasRoomFor(size, mostKept, charactersOf(experiment))

/** Whether one of those that it keeps may become another one. */
export const mayBeKeptAs = (size: Size, before: Sized, after: Sized): boolean =>
  hasRoomToGrow(size, mostKept, charactersOf(before), charactersOf(after))

/** Whether the rollout or the weights of an experiment may change once more. */
export const mayChange = ({ events, progress }: Pick<StoredExperiment, "events" | "progress">): boolean =>
  events.length < mostEvents && progress.rollout.steps.length < mostEvents

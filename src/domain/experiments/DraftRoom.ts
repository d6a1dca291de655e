import type { Size } from "../Room.ts"
import { hasRoomFor, hasRoomToGrow } from "../Room.ts"
import type { ExperimentDraft } from "./ExperimentDraft.ts"

/** Drafts of experiments of an environment, and characters of what they plan as JSON together: the list of experiments has all of them. */
export const mostDrafts: Size = { count: 500, characters: 16 * 1024 * 1024 }

type Sized = Pick<ExperimentDraft, "plan">

/** Whether an environment whose drafts are so much may have another one. */
export const mayBeDrafted = (size: Size, { plan }: Sized): boolean => hasRoomFor(size, mostDrafts, plan.length)

/** Whether one of them may become another one. */
export const mayBecome = (size: Size, before: Sized, after: Sized): boolean =>
  hasRoomToGrow(size, mostDrafts, before.plan.length, after.plan.length)

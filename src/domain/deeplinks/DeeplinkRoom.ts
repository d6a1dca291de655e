import type { Size } from "../Room.ts"
import { hasRoomFor, hasRoomToGrow } from "../Room.ts"
import type { Deeplink } from "./Deeplink.ts"

/** Deeplinks of a project, and characters of their metadata as JSON together: a list has all of them. */
export const mostDeeplinks: Size = { count: 10_000, characters: 16 * 1024 * 1024 }

type Sized = Pick<Deeplink, "metadata">

const charactersOf = ({ metadata }: Sized): number => JSON.stringify(metadata).length

/** Whether a project whose deeplinks are so much may have another one. */
export const mayBeAdded = (size: Size, deeplink: Sized): boolean =>
  hasRoomFor(size, mostDeeplinks, charactersOf(deeplink))

/** Whether one of them may become another one. */
export const mayBecome = (size: Size, before: Sized, after: Sized): boolean =>
  hasRoomToGrow(size, mostDeeplinks, charactersOf(before), charactersOf(after))

import type { Size } from "../../Room.ts"
import { hasRoomFor, hasRoomToGrow } from "../../Room.ts"
import type { SavedQuery } from "./SavedQuery.ts"

/** Saved queries of a project, those that no list shows included, and characters of their definitions and descriptions together. */
export const mostSavedQueries: Size = { count: 10_000, characters: 16 * 1024 * 1024 }

type Sized = Pick<SavedQuery, "definition" | "description">

export const charactersOf = ({ definition, description }: Sized): number =>
  definition.length + (description ?? "").length

/** Whether a project whose saved queries are so much may have another one. */
export const mayBeSaved = (size: Size, query: Sized): boolean => hasRoomFor(size, mostSavedQueries, charactersOf(query))

/** Whether one of them may become another one. */
export const mayBecome = (size: Size, before: Sized, after: Sized): boolean =>
  hasRoomToGrow(size, mostSavedQueries, charactersOf(before), charactersOf(after))

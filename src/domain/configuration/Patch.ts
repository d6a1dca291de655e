import { Either } from "effect"
import type { Document, Json, Path } from "./Document.ts"
import { DocumentDraft } from "./DocumentDraft.ts"

export type Change =
  | { readonly op: "set"; readonly path: Path; readonly value: Json }
  | { readonly op: "remove"; readonly path: Path }

export interface PatchFailure {
  readonly reason: "EmptyPath" | "NotAnObject"
  /** Where applying stopped: the change's path, or the part of it that is no object. */
  readonly path: Path
}

const perform = (draft: DocumentDraft, change: Change): PatchFailure | null => {
  if (change.path.length === 0) return { reason: "EmptyPath", path: [] }
  if (change.op === "remove") {
    draft.remove(change.path)
    return null
  }
  const obstacle = draft.makeParents(change.path)
  if (obstacle !== null) return { reason: "NotAnObject", path: obstacle }
  draft.set(change.path, change.value)
  return null
}

/**
 * Applies an editor's changes in order, all or none. `set` creates missing parents; removing a missing path is no
 * failure.
 */
export const apply = (document: Document, changes: ReadonlyArray<Change>): Either.Either<Document, PatchFailure> => {
  const draft = new DocumentDraft(document)
  for (const change of changes) {
    const failure = perform(draft, change)
    if (failure !== null) return Either.left(failure)
  }
  return Either.right(draft.document())
}

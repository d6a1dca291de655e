import type { ExperimentId } from "../Ids.ts"
import { type AppliedChangeset, inOrder, perform } from "./Changeset.ts"
import type { Document, Path } from "./Document.ts"
import { DocumentDraft } from "./DocumentDraft.ts"

/** A place where an experiment's change stands in the end. */
export interface ChangedPath {
  readonly path: Path
  readonly experimentId: ExperimentId
}

/** Whether a path is another one, or leads to something inside of it. */
export const isWithin = (path: Path, around: Path): boolean =>
  around.length <= path.length && around.every((key, index) => key === path[index])

/**
 * The places that changesets, applied in order, set or delete in effect. Of changes of one place, or of one around it, the later one
 * stands alone; a change inside a value that another one set stands beside it, behind it in the list.
 */
export const changedPaths = (
  document: Document,
  changesets: ReadonlyArray<AppliedChangeset>
): ReadonlyArray<ChangedPath> => {
  const draft = new DocumentDraft(document)
  let found: ReadonlyArray<ChangedPath> = []
  for (const { experimentId, changeset } of inOrder(changesets)) {
    for (const operation of changeset.operations) {
      if (!perform(draft, operation)) continue
      const { path } = operation
      found = [...found.filter((each) => !isWithin(each.path, path)), { path, experimentId }]
    }
  }
  return found
}

import type { ExperimentId } from "../Ids.ts"
import type { Document, Json, Path } from "./Document.ts"
import { DocumentDraft } from "./DocumentDraft.ts"

/** `add` means the same as `set`. */
export type Operation =
  | { readonly op: "set" | "add"; readonly path: Path; readonly value: Json }
  | { readonly op: "delete"; readonly path: Path }

/** The changes that a group of an experiment makes to the base configuration, in order. */
export interface Changeset {
  readonly operations: ReadonlyArray<Operation>
}

/** A changeset that applies to a unit because of an active assignment. */
export interface AppliedChangeset {
  readonly experimentId: ExperimentId
  readonly unitType: "user" | "server"
  readonly changeset: Changeset
}

/** Does the operation; false if it does nothing. */
export const perform = (draft: DocumentDraft, operation: Operation): boolean =>
  operation.op === "delete" ? draft.remove(operation.path) : draft.set(operation.path, operation.value)

const applied = (document: Document, operations: Iterable<Operation>): Document => {
  const draft = new DocumentDraft(document)
  for (const operation of operations) perform(draft, operation)
  return draft.document()
}

/**
 * Applies a changeset. It never fails: operations on a missing parent, a missing path to delete, or the empty path do
 * nothing.
 */
export const apply = (document: Document, { operations }: Changeset): Document => applied(document, operations)

const rank = ({ unitType }: AppliedChangeset): number => (unitType === "server" ? 0 : 1)

/** The order of application: server units first, then user units, each by ascending experiment id. Later ones win. */
export const inOrder = <A extends AppliedChangeset>(changesets: ReadonlyArray<A>): ReadonlyArray<A> =>
  changesets.toSorted((a, b) => rank(a) - rank(b) || a.experimentId - b.experimentId)

/** The document after all changesets, applied in order. */
export const applyAll = (document: Document, changesets: ReadonlyArray<AppliedChangeset>): Document =>
  applied(
    document,
    inOrder(changesets).flatMap(({ changeset }) => changeset.operations)
  )

/** The paths whose operation has no effect because the document no longer has them; the experiment is then degraded. */
export const lostPaths = (document: Document, { operations }: Changeset): ReadonlyArray<Path> => {
  const draft = new DocumentDraft(document)
  return operations
    .filter((operation) => !perform(draft, operation) && operation.path.length > 0)
    .map(({ path }) => path)
}

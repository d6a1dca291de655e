import type { ExperimentId } from "../Ids.ts"
import type { Document, Json, Path } from "./Document.ts"
import { get, hasParent, remove, set } from "./Document.ts"

/** `add` is another word for `set`. */
export type Operation =
  | { readonly op: "set" | "add"; readonly path: Path; readonly value: Json }
  | { readonly op: "delete"; readonly path: Path }

/** What a group of an experiment changes in the base configuration, in order. */
export interface Changeset {
  readonly operations: ReadonlyArray<Operation>
}

/** A changeset that holds for a unit because of an active assignment. */
export interface AppliedChangeset {
  readonly experimentId: ExperimentId
  readonly unitType: "user" | "server"
  readonly changeset: Changeset
}

const perform = (document: Document, operation: Operation): Document =>
  operation.op === "delete" ? remove(document, operation.path) : set(document, operation.path, operation.value)

/** Never fails: a missing parent, a missing path to delete and the empty path change nothing. */
export const apply = (document: Document, { operations }: Changeset): Document => operations.reduce(perform, document)

const rank = ({ unitType }: AppliedChangeset): number => (unitType === "server" ? 0 : 1)

/** Server units first, then user units, each by ascending experiment id; the later ones win. */
export const inOrder = <A extends AppliedChangeset>(changesets: ReadonlyArray<A>): ReadonlyArray<A> =>
  changesets.toSorted((a, b) => rank(a) - rank(b) || a.experimentId - b.experimentId)

/** The document with every changeset applied, in order. */
export const applyAll = (document: Document, changesets: ReadonlyArray<AppliedChangeset>): Document =>
  inOrder(changesets).reduce((merged, { changeset }) => apply(merged, changeset), document)

const isLost = (document: Document, operation: Operation): boolean =>
  operation.op === "delete" ? get(document, operation.path) === undefined : !hasParent(document, operation.path)

/** Paths whose operation does nothing in this document, because it no longer has them: the experiment is degraded. */
export const lostPaths = (document: Document, { operations }: Changeset): ReadonlyArray<Path> => {
  const lost: Array<Path> = []
  operations.reduce((current, operation) => {
    if (operation.path.length > 0 && isLost(current, operation)) lost.push(operation.path)
    return perform(current, operation)
  }, document)
  return lost
}

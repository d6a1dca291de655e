import { Either } from "effect"
import type { AppliedChangeset } from "../configuration/Changeset.ts"
import { applyAll } from "../configuration/Changeset.ts"
import type { Document, Path } from "../configuration/Document.ts"
import type { Audience, LinkFailure, LinkSource, Lookup } from "../configuration/Links.ts"
import { resolve } from "../configuration/Links.ts"
import { cut } from "../configuration/Privacy.ts"
import { linkedPrivacy } from "./LinkedPrivacy.ts"

/** A configuration with its links resolved, ready for the changes of any unit. */
export interface Resolution {
  readonly document: Document
  /** The paths that the audience must keep from game clients; empty if the audience is the clients. */
  readonly privacy: ReadonlyArray<Path>
  /** The paths that the audience never gets, whatever wrote them. */
  readonly hidden: ReadonlyArray<Path>
}

const distinct = (paths: ReadonlyArray<Path>): ReadonlyArray<Path> => [
  ...new Map(paths.map((path) => [JSON.stringify(path), path] as const)).values()
]

/**
 * Resolves a configuration's links once for all units. Paths that linked configurations keep private are private here
 * too.
 */
export const prepare = (
  source: LinkSource,
  lookup: Lookup,
  audience: Audience
): Either.Either<Resolution, LinkFailure> =>
  Either.map(resolve(source.document, lookup, audience), (document) => {
    const own = source.privacy.filter((path) => path.length > 0)
    const privacy = distinct([...own, ...linkedPrivacy(source, lookup, audience === "server")])
    return audience === "server" ? { document, privacy, hidden: [] } : { document, privacy: [], hidden: privacy }
  })

/**
 * What a unit gets: links resolved, then its changesets applied, then private paths cut. Without changesets, what
 * everyone gets.
 */
export const deliver = ({ document, hidden }: Resolution, changesets: ReadonlyArray<AppliedChangeset>): Document => {
  const isAllHidden = hidden.some((path) => path.length === 0)
  return cut(isAllHidden ? document : applyAll(document, changesets), hidden)
}

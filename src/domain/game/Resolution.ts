import { Either } from "effect"
import type { AppliedChangeset } from "../configuration/Changeset.ts"
import { applyAll } from "../configuration/Changeset.ts"
import type { Document, Path } from "../configuration/Document.ts"
import type { Audience, LinkFailure, LinkSource, Lookup } from "../configuration/Links.ts"
import { resolve } from "../configuration/Links.ts"
import type { PathTree } from "../configuration/PathTree.ts"
import { pathTree } from "../configuration/PathTree.ts"
import { cut, distinct } from "../configuration/Privacy.ts"
import { linkedPrivacy } from "./LinkedPrivacy.ts"

/** A configuration with its links resolved, ready for the changes of any unit. */
export interface ResolvedConfiguration {
  readonly document: Document
  /** The paths that the audience must keep from game clients; empty if the audience is the clients. */
  readonly privacy: ReadonlyArray<Path>
  /** The paths that the audience never gets, whatever wrote them; the empty path if it gets nothing. */
  readonly hidden: PathTree
}

/**
 * Resolves a configuration's links once for all units. Paths that linked configurations keep private are private here
 * too.
 */
export const prepare = (
  source: LinkSource,
  lookup: Lookup,
  audience: Audience
): Either.Either<ResolvedConfiguration, LinkFailure> =>
  Either.gen(function* () {
    const document = yield* resolve(source.document, lookup, audience)
    // What holds no links is not copied.
    const hasLinks = document !== source.document
    const linked = hasLinks ? yield* linkedPrivacy(source, lookup, audience === "server") : []
    const privacy = distinct([...source.privacy.filter((path) => path.length > 0), ...linked])
    return audience === "server"
      ? { document, privacy, hidden: pathTree([]) }
      : { document, privacy: [], hidden: pathTree(privacy) }
  })

/**
 * What a unit gets: links resolved, then its changesets applied, then private paths cut. Without changesets, what
 * everyone gets.
 */
export const deliver = (
  { document, hidden }: ResolvedConfiguration,
  changesets: ReadonlyArray<AppliedChangeset>
): Document => cut(hidden.isEnd || changesets.length === 0 ? document : applyAll(document, changesets), hidden)

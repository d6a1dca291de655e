import type { Document, Json, Path } from "../../domain/configuration/Document.ts"
import { equals, get } from "../../domain/configuration/Document.ts"
import type { Conflict, ConfigurationDraft } from "./Draft.ts"
import { merged, pathsWithout, resolved, uppermost, withValue } from "./Draft.ts"

/** A version as far as a draft goes on from it. */
export interface Base {
  readonly version: number
  readonly configuration: Document
  readonly privacy: ReadonlyArray<Path>
}

export interface Begun {
  readonly base: Base
  readonly draft: ConfigurationDraft
  /** A text that is no JSON yet, with which the document is being replaced. */
  readonly unread: string | null
  /** The version that was live when the draft was begun, where others have published since. */
  readonly begunOn: number | null
  /** Values that somebody else changed too since then, and what they were before. */
  readonly disputed: ReadonlyArray<{ readonly path: Path; readonly before: Json | undefined }>
}

/** A draft in which nothing is changed yet. */
export const begin = ({ version, configuration, privacy }: Base): Begun => ({
  base: { version, configuration, privacy },
  draft: { document: configuration, privacy },
  unread: null,
  begunOn: null,
  disputed: []
})

const privacyBeside = (base: Base, draft: ConfigurationDraft, live: Base): ReadonlyArray<Path> => {
  const hidden = pathsWithout(pathsWithout(draft.privacy, base.privacy), live.privacy)
  return [...pathsWithout(live.privacy, pathsWithout(base.privacy, draft.privacy)), ...hidden]
}

/**
 * The draft as it goes on from what is live now. It has what others have published, but for values that it changes itself: these are
 * disputed where others changed them too. A text that is being typed stays as it is.
 */
export const beside = (begun: Begun, live: Base): Begun => {
  const { base, draft, unread, begunOn, disputed } = begun
  if (base.version === live.version || unread !== null) return begun
  const merge = merged(base.configuration, draft.document, live.configuration)
  const mine = new Set(merge.conflicts.keys())
  return {
    base: begin(live).base,
    draft: {
      document: resolved(live.configuration, merge, mine),
      privacy: privacyBeside(base, draft, live)
    },
    unread,
    begunOn: begunOn ?? base.version,
    disputed: [...disputed, ...merge.conflicts.map((conflict) => ({ path: conflict.path, before: conflict.base }))]
  }
}

/** Disputed values that are still others in the draft than in what is live. */
export const conflictsIn = ({ base, draft, disputed }: Begun): ReadonlyArray<Conflict> =>
  uppermost(disputed.map(({ path }) => path))
    .map((path) => ({
      path,
      base: disputed.find((each) => each.path === path)?.before,
      mine: get(draft.document, path),
      theirs: get(base.configuration, path)
    }))
    .filter(({ mine, theirs }) => !equals(mine, theirs))

/** The document with their values at the conflicts that were decided so. */
export const withTheirs = (
  document: Document,
  conflicts: ReadonlyArray<Conflict>,
  theirsAt: ReadonlySet<number>
): Document =>
  conflicts.reduce(
    (made, { path, theirs }, index) => (theirsAt.has(index) ? withValue(made, path, theirs) : made),
    document
  )

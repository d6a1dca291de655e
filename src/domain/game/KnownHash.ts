import { listsTag, noneMatchNames } from "../EntityTag.ts"

/** The ways in which a caller may say which version it has: `?hash=`, `If-None-Match` and `knownHash` of a body. */
export interface KnownHash {
  readonly hash?: string | undefined
  readonly ifNoneMatch?: string | undefined
  readonly knownHash?: string | undefined
}

/**
 * Whether the caller has this very version. `hash` and `knownHash` may be written like an entity tag too. Where `If-None-Match` is sent, it
 * alone decides: a cache on the way, such as that of a browser, adds the tag of what it holds, and gives that to the caller in the place of a
 * 304, whatever the caller itself knows.
 */
export const isKnown = (version: string, { hash = "", ifNoneMatch = "", knownHash = "" }: KnownHash): boolean =>
  ifNoneMatch.trim() === ""
    ? listsTag(hash, version) || listsTag(knownHash, version)
    : noneMatchNames(ifNoneMatch, version)

import { listsTag, noneMatchNames } from "../EntityTag.ts"

/** The ways in which a caller may say which version it has: `?hash=`, `If-None-Match` and `knownHash` of a body. */
export interface KnownHash {
  readonly hash?: string | undefined
  readonly ifNoneMatch?: string | undefined
  readonly knownHash?: string | undefined
}

/** Whether the caller has this very version. `hash` and `knownHash` may be written like an entity tag too. */
export const isKnown = (version: string, { hash = "", ifNoneMatch = "", knownHash = "" }: KnownHash): boolean =>
  listsTag(hash, version) || listsTag(knownHash, version) || noneMatchNames(ifNoneMatch, version)

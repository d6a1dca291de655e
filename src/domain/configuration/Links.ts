import { Either } from "effect"
import type { ConfigurationId } from "../Ids.ts"
import type { Document, Json, Path } from "./Document.ts"
import { isObject, setOwn } from "./Document.ts"
import type { Link } from "./Link.ts"
import { knownLinks, parse } from "./Link.ts"
import { isLink } from "./LinkTurns.ts"
import type { PathTree } from "./PathTree.ts"
import { leadsTo, subtree } from "./PathTree.ts"
import { cutValue, privacyTree } from "./Privacy.ts"

export interface LinkFailure {
  /**
   * `TooLarge`: over 100,000 values, 128 levels, 32 links in a chain, or 20,000 private paths behind links. `NotAnObject`: the root
   * links to a value that is no object.
   */
  readonly reason: "Malformed" | "Dangling" | "Cycle" | "TooLarge" | "NotAnObject"
  /** Where the link is in the document that was resolved; items of arrays by their index. */
  readonly at: Path
}

export interface LinkSource {
  readonly document: Document
  readonly privacy: ReadonlyArray<Path>
}

/** Who reads: `server` sees everything, `client` sees nothing that a linked configuration keeps private. */
export type Audience = "server" | "client"

export type Lookup = (configurationId: ConfigurationId) => LinkSource | undefined

/** The most values that a document may have once its links are resolved. */
const mostValues = 100_000

const mostLevels = 128

/** The most links in a chain. */
export const longestChain = 32

/** A walk over the document that is resolved. It ends with its first failure. */
interface Walk {
  readonly lookup: Lookup
  readonly audience: Audience
  /** Keys from the root of the document to where the walk is. */
  readonly at: Array<string>
  /** The links that led there. */
  readonly chain: Array<string>
  readonly privacy: Map<LinkSource, PathTree>
  values: number
  failure: LinkFailure | null
}

const fail = (walk: Walk, reason: LinkFailure["reason"]): undefined => {
  walk.failure ??= { reason, at: [...walk.at] }
}

const privacyOf = ({ privacy }: Walk, source: LinkSource): PathTree => {
  const known = privacy.get(source) ?? privacyTree(source.privacy)
  privacy.set(source, known)
  return known
}

/** The child of a value, resolved; undefined if it is hidden from the reader, or the walk has failed. */
const child = (walk: Walk, key: string, value: Json): Json | undefined => {
  const isScalar = typeof value !== "object" || value === null
  if (isScalar && walk.values < mostValues && walk.at.length < mostLevels) {
    walk.values++
    return value
  }
  walk.at.push(key)
  const resolved = resolveValue(walk, value)
  walk.at.pop()
  return resolved
}

const resolveItems = (walk: Walk, items: ReadonlyArray<Json>): Json | undefined => {
  const resolved: Array<Json> = []
  for (const [index, item] of items.entries()) {
    resolved.push(child(walk, String(index), item) ?? null)
    if (walk.failure !== null) return undefined
  }
  return resolved
}

const copyOf = (object: Document, keys: ReadonlyArray<string>): Record<string, Json> => {
  const copy: Record<string, Json> = {}
  for (const key of keys) setOwn(copy, key, object[key]!)
  return copy
}

/** What holds no links is not copied. */
const resolveObject = (walk: Walk, object: Document): Json | undefined => {
  let resolved: Record<string, Json> | null = null
  const keys = Object.keys(object)
  for (const [index, key] of keys.entries()) {
    const value = child(walk, key, object[key]!)
    if (walk.failure !== null) return undefined
    if (resolved === null && value === object[key]) continue
    resolved ??= copyOf(object, keys.slice(0, index))
    if (value !== undefined) setOwn(resolved, key, value)
  }
  return resolved ?? object
}

const resolveValue = (walk: Walk, value: Json): Json | undefined => {
  if (++walk.values > mostValues || walk.at.length > mostLevels) return fail(walk, "TooLarge")
  if (Array.isArray(value)) return resolveItems(walk, value)
  if (!isObject(value)) return value
  if (!isLink(value)) return resolveObject(walk, value)
  const link = parse(value)
  return Either.isLeft(link) ? fail(walk, link.left) : follow(walk, link.right)
}

const follow = (walk: Walk, link: Link): Json | undefined => {
  const name = JSON.stringify([link.configurationId, ...link.path])
  if (walk.chain.includes(name)) return fail(walk, "Cycle")
  if (walk.chain.length >= longestChain) return fail(walk, "TooLarge")
  const source = walk.lookup(link.configurationId)
  if (source === undefined) return fail(walk, "Dangling")
  const hidden = walk.audience === "client" ? privacyOf(walk, source) : undefined
  if (hidden !== undefined && leadsTo(hidden, link.path)) return undefined
  walk.chain.push(name)
  const located = locate(walk, source.document, link.path)
  const value = located === undefined ? undefined : resolveValue(walk, located)
  walk.chain.pop()
  const inside = hidden === undefined ? undefined : subtree(hidden, link.path)
  return value === undefined || inside === undefined ? value : cutValue(value, inside)
}

const locate = (walk: Walk, document: Json, path: Path): Json | undefined => {
  let value: Json | undefined = document
  let isBehindLink = false
  for (const key of path) {
    if (isObject(value) && isLink(value)) {
      value = resolveValue(walk, value)
      if (walk.failure !== null) return undefined
      isBehindLink = true
    }
    if (!isObject(value) || !Object.hasOwn(value, key)) {
      return isBehindLink && walk.audience === "client" ? undefined : fail(walk, "Dangling")
    }
    value = value[key]!
  }
  return value
}

/**
 * The document with all links, also nested ones, replaced by what they point to. Writers check with the audience
 * `server`. What a client must not see of a linked configuration is left out (null inside an array), not reported as
 * dangling.
 */
export const resolve = (
  document: Document,
  lookup: Lookup,
  audience: Audience
): Either.Either<Document, LinkFailure> => {
  const links = knownLinks(document)
  if (links !== undefined && !links.hasLinks && links.values <= mostValues && links.levels <= mostLevels)
    return Either.right(document)
  const walk: Walk = { lookup, audience, at: [], chain: [], privacy: new Map(), values: 0, failure: null }
  const resolved = resolveValue(walk, document) ?? {}
  if (walk.failure !== null) return Either.left(walk.failure)
  return isObject(resolved) ? Either.right(resolved) : Either.left({ reason: "NotAnObject", at: [] })
}

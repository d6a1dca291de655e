import { Either } from "effect"
import type { Document, Json, Path } from "../../../src/domain/configuration/Document.ts"
import { isObject } from "../../../src/domain/configuration/Document.ts"
import type { Link } from "../../../src/domain/configuration/Link.ts"
import { parse } from "../../../src/domain/configuration/Link.ts"
import { isLink } from "../../../src/domain/configuration/LinkTurns.ts"
import type { Audience, LinkFailure, LinkSource, Lookup } from "../../../src/domain/configuration/Links.ts"

// Links and private paths by definition: one at a time, each over the whole document. What the server uses takes one pass for all and
// must agree.

const cutPath = (value: Json, path: Path): Json => {
  const [key, ...rest] = path
  if (Array.isArray(value))
    return value.map((item: Json, index: number) => {
      const left = cutPath(item, path)
      if (String(index) !== key) return left
      return rest.length === 0 ? null : cutPath(left, rest)
    })
  if (!isObject(value)) return value
  const kept = Object.entries(value).filter(([name]) => rest.length > 0 || name !== key)
  return Object.fromEntries(kept.map(([name, child]) => [name, name === key ? cutPath(child, rest) : child]))
}

/** A value without its private parts. A path that meets an array continues in each item, or in the one it names. */
export const simpleCutValue = (value: Json, privacy: ReadonlyArray<Path>): Json =>
  privacy.reduce((current, path) => (path.length === 0 ? current : cutPath(current, path)), value)

/** A document as a game client may see it. The empty path is ignored. */
export const simpleCut = (document: Document, privacy: ReadonlyArray<Path>): Document => {
  const left = simpleCutValue(document, privacy)
  return isObject(left) ? left : document
}

const isPrefix = (prefix: Path, path: Path): boolean => prefix.every((key, index) => key === path[index])

/** Whether the value at a path is private, by itself or because something around it is. */
export const simpleCovers = (privacy: ReadonlyArray<Path>, path: Path): boolean =>
  privacy.some((hidden) => hidden.length > 0 && isPrefix(hidden, path))

/** The private paths inside the value at a path, relative to it. */
export const simpleInside = (privacy: ReadonlyArray<Path>, path: Path): ReadonlyArray<Path> =>
  privacy
    .filter((hidden) => hidden.length > path.length && isPrefix(path, hidden))
    .map((hidden) => hidden.slice(path.length))

interface Walk {
  readonly lookup: Lookup
  readonly audience: Audience
  readonly visited: { values: number }
}

interface Place {
  readonly at: Path
  readonly chain: ReadonlyArray<string>
}

type Resolved<A> = Either.Either<A, LinkFailure>

const fail = (reason: LinkFailure["reason"], { at }: Place): Resolved<never> => Either.left({ reason, at })

const child = ({ at, chain }: Place, key: string | number): Place => ({ at: [...at, String(key)], chain })

/** Resolves a value; undefined if it is hidden from the reader. */
const walk = (context: Walk, value: Json, place: Place): Resolved<Json | undefined> => {
  if (++context.visited.values > 100_000 || place.at.length > 128) return fail("TooLarge", place)
  if (Array.isArray(value)) {
    const items = value.map((item: Json, index) => walk(context, item, child(place, index)))
    return Either.map(Either.all(items), (resolved) => resolved.map((item) => item ?? null))
  }
  if (!isObject(value)) return Either.right(value)
  if (isLink(value)) {
    return Either.match(parse(value), {
      onLeft: (reason) => fail(reason, place),
      onRight: (link) => follow(context, link, place)
    })
  }
  const entries = Object.entries(value).map(([key, item]) =>
    Either.map(walk(context, item, child(place, key)), (resolved) =>
      resolved === undefined ? [] : [[key, resolved] as const]
    )
  )
  return Either.map(Either.all(entries), (resolved) => Object.fromEntries(resolved.flat()))
}

const follow = (context: Walk, link: Link, { at, chain }: Place): Resolved<Json | undefined> => {
  const key = JSON.stringify([link.configurationId, ...link.path])
  if (chain.includes(key)) return fail("Cycle", { at, chain })
  if (chain.length >= 32) return fail("TooLarge", { at, chain })
  const source = context.lookup(link.configurationId)
  if (source === undefined) return fail("Dangling", { at, chain })
  const isClient = context.audience === "client"
  if (isClient && simpleCovers(source.privacy, link.path)) return Either.right(undefined)
  const place = { at, chain: [...chain, key] }
  return locate(context, source.document, link.path, place).pipe(
    Either.flatMap((value) => (value === undefined ? Either.right(undefined) : walk(context, value, place))),
    Either.map((value) =>
      value === undefined || !isClient ? value : simpleCutValue(value, simpleInside(source.privacy, link.path))
    )
  )
}

const locate = (context: Walk, document: Json, path: Path, place: Place): Resolved<Json | undefined> => {
  let value: Json | undefined = document
  let isBehindLink = false
  for (const key of path) {
    if (isLink(value)) {
      const resolved: Resolved<Json | undefined> = walk(context, value, place)
      if (Either.isLeft(resolved)) return resolved
      isBehindLink = true
      value = resolved.right
    }
    if (!isObject(value) || !Object.hasOwn(value, key)) {
      return isBehindLink && context.audience === "client" ? Either.right(undefined) : fail("Dangling", place)
    }
    value = value[key]!
  }
  return Either.right(value)
}

/** What `resolve` does. */
export const simpleResolve = (document: Document, lookup: Lookup, audience: Audience): Resolved<Document> => {
  const root = { at: [], chain: [] }
  return Either.flatMap(walk({ lookup, audience, visited: { values: 0 } }, document, root), (value) =>
    value === undefined ? Either.right({}) : isObject(value) ? Either.right(value) : fail("NotAnObject", root)
  )
}

interface LinkPlace {
  readonly at: Path
  readonly link: Link
}

interface Search {
  readonly lookup: Lookup
  readonly intoArrays: boolean
}

const startsWith = (path: Path, prefix: Path): boolean => prefix.every((key, index) => key === path[index])

const meet = (a: Path, b: Path): boolean => startsWith(a, b) || startsWith(b, a)

const places = (search: Search, value: Json, at: Path): ReadonlyArray<LinkPlace> => {
  if (Array.isArray(value)) return search.intoArrays ? value.flatMap((item: Json) => places(search, item, at)) : []
  if (!isObject(value)) return []
  if (isLink(value)) return Either.match(parse(value), { onLeft: () => [], onRight: (link) => [{ at, link }] })
  return Object.entries(value).flatMap(([key, item]) => places(search, item, [...at, key]))
}

/** The private paths that a link hides, within the part of its target that `wanted` leads to. */
const behind = (search: Search, { at, link }: LinkPlace, wanted: Path, depth: number): ReadonlyArray<Path> => {
  const source = search.lookup(link.configurationId)
  if (source === undefined || depth >= 32) return []
  const target = [...link.path, ...wanted.slice(at.length)]
  const hidden = [...source.privacy.filter((path) => path.length > 0), ...linked(search, source, target, depth + 1)]
  if (hidden.some((path) => startsWith(link.path, path))) return [at]
  return hidden.filter((path) => startsWith(path, link.path)).map((path) => [...at, ...path.slice(link.path.length)])
}

/**
 * The private paths that come from links. What is private itself already hides what its links lead to; only there may
 * links be circular for a client.
 */
const linked = (search: Search, { document, privacy }: LinkSource, wanted: Path, depth: number): ReadonlyArray<Path> =>
  places(search, document, [])
    .filter(({ at }) => meet(at, wanted) && !simpleCovers(privacy, at))
    .flatMap((place) => behind(search, place, wanted, depth))

/** What `linkedPrivacy` finds. */
export const simpleLinkedPrivacy = (source: LinkSource, lookup: Lookup, intoArrays: boolean): ReadonlyArray<Path> => {
  const distinct = new Map(
    linked({ lookup, intoArrays }, source, [], 0).map((path) => [JSON.stringify(path), path] as const)
  )
  return [...distinct.values()]
}

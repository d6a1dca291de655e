import { Either } from "effect"
import type { ConfigurationId } from "../Ids.ts"
import type { Document, Json, Path } from "./Document.ts"
import { isObject } from "./Document.ts"
import type { Link } from "./Link.ts"
import { isLink, parse } from "./Link.ts"
import { covers, cutValue, inside } from "./Privacy.ts"

export interface LinkFailure {
  /**
   * `TooLarge`: over 100,000 values, 128 levels, or 32 links in a chain. `NotAnObject`: the root links to a value that
   * is no object.
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
  if (isClient && covers(source.privacy, link.path)) return Either.right(undefined)
  const place = { at, chain: [...chain, key] }
  return locate(context, source.document, link.path, place).pipe(
    Either.flatMap((value) => (value === undefined ? Either.right(undefined) : walk(context, value, place))),
    Either.map((value) =>
      value === undefined || !isClient ? value : cutValue(value, inside(source.privacy, link.path))
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

/**
 * The document with all links, also nested ones, replaced by what they point to. Writers check with the audience
 * `server`. What a client must not see of a linked configuration is left out (null inside an array), not reported as
 * dangling.
 */
export const resolve = (document: Document, lookup: Lookup, audience: Audience): Resolved<Document> => {
  const root = { at: [], chain: [] }
  return Either.flatMap(walk({ lookup, audience, visited: { values: 0 } }, document, root), (value) =>
    value === undefined ? Either.right({}) : isObject(value) ? Either.right(value) : fail("NotAnObject", root)
  )
}

import { Either } from "effect"
import type { Json, Path } from "../configuration/Document.ts"
import { isObject } from "../configuration/Document.ts"
import type { Link } from "../configuration/Link.ts"
import { isLink, parse } from "../configuration/Link.ts"
import type { LinkSource, Lookup } from "../configuration/Links.ts"
import { covers } from "../configuration/Privacy.ts"

interface Place {
  readonly at: Path
  readonly link: Link
}

interface Walk {
  readonly lookup: Lookup
  readonly intoArrays: boolean
}

const startsWith = (path: Path, prefix: Path): boolean => prefix.every((key, index) => key === path[index])

const meet = (a: Path, b: Path): boolean => startsWith(a, b) || startsWith(b, a)

const places = (walk: Walk, value: Json, at: Path): ReadonlyArray<Place> => {
  if (Array.isArray(value)) return walk.intoArrays ? value.flatMap((item: Json) => places(walk, item, at)) : []
  if (!isObject(value)) return []
  if (isLink(value)) return Either.match(parse(value), { onLeft: () => [], onRight: (link) => [{ at, link }] })
  return Object.entries(value).flatMap(([key, item]) => places(walk, item, [...at, key]))
}

/** The private paths that a link hides, within the part of its target that `wanted` leads to. */
const behind = (walk: Walk, { at, link }: Place, wanted: Path, depth: number): ReadonlyArray<Path> => {
  const source = walk.lookup(link.configurationId)
  if (source === undefined || depth >= 32) return []
  const target = [...link.path, ...wanted.slice(at.length)]
  const hidden = [...source.privacy.filter((path) => path.length > 0), ...linked(walk, source, target, depth + 1)]
  if (hidden.some((path) => startsWith(link.path, path))) return [at]
  return hidden.filter((path) => startsWith(path, link.path)).map((path) => [...at, ...path.slice(link.path.length)])
}

/**
 * The private paths that come from links. What is private itself already hides what its links lead to; only there may
 * links be circular for a client.
 */
const linked = (walk: Walk, { document, privacy }: LinkSource, wanted: Path, depth: number): ReadonlyArray<Path> =>
  places(walk, document, [])
    .filter(({ at }) => meet(at, wanted) && !covers(privacy, at))
    .flatMap((place) => behind(walk, place, wanted, depth))

/**
 * The paths of a document that linked configurations keep private, relative to the document; the empty path if all of
 * it is. Links inside arrays count for every item if `intoArrays`, otherwise they are skipped.
 */
export const linkedPrivacy = (source: LinkSource, lookup: Lookup, intoArrays: boolean): ReadonlyArray<Path> => {
  const distinct = new Map(
    linked({ lookup, intoArrays }, source, [], 0).map((path) => [JSON.stringify(path), path] as const)
  )
  return [...distinct.values()]
}

import { Either } from "effect"
import type { Path } from "../configuration/Document.ts"
import type { Link } from "../configuration/Link.ts"
import type { LinkFailure, LinkSource, Lookup } from "../configuration/Links.ts"
import { longestChain } from "../configuration/Links.ts"
import type { PathTree } from "../configuration/PathTree.ts"
import { leadsTo, pathsIn, subtree } from "../configuration/PathTree.ts"
import { distinct, privacyTree } from "../configuration/Privacy.ts"
import type { LinkPlaces } from "./LinkPlaces.ts"
import { linkPlaces } from "./LinkPlaces.ts"

/** The most private paths that may be found behind links; a path counts again for each link that it is found through. */
const mostPaths = 20_000

/** What is to be known of a configuration, found once however many links lead to it. */
interface Index {
  readonly privacy: PathTree
  readonly places: LinkPlaces
}

interface Walk {
  readonly lookup: Lookup
  readonly intoArrays: boolean
  readonly indexes: Map<LinkSource, Index>
  paths: number
}

/** A way into a configuration: the part of it that is asked for, and the number of links before it. */
interface Request {
  readonly wanted: Path
  readonly depth: number
}

const indexOf = ({ indexes, intoArrays }: Walk, source: LinkSource): Index => {
  const known = indexes.get(source)
  if (known !== undefined) return known
  const index = { privacy: privacyTree(source.privacy), places: linkPlaces(source.document, intoArrays) }
  indexes.set(source, index)
  return index
}

const isPrefix = (prefix: Path, path: Path): boolean => prefix.every((key, index) => key === path[index])

/** The private paths that a link at `at` hides, within the part of its target that is asked for. */
const behind = (walk: Walk, at: Path, link: Link, { wanted, depth }: Request): ReadonlyArray<Path> => {
  const source = walk.lookup(link.configurationId)
  if (source === undefined || depth >= longestChain) return []
  const { privacy } = indexOf(walk, source)
  if (leadsTo(privacy, link.path)) return [at]
  const target = [...link.path, ...wanted.slice(at.length)]
  const linked = [...linkedIn(walk, source, { wanted: target, depth: depth + 1 })]
  if (linked.some((path) => isPrefix(path, link.path))) return [at]
  const inside = linked.filter((path) => isPrefix(link.path, path)).map((path) => path.slice(link.path.length))
  const own = subtree(privacy, link.path)
  return [...(own === undefined ? [] : pathsIn(own, [])), ...inside].map((path) => [...at, ...path])
}

/** The paths, as long as there are not too many. */
function* counted(walk: Walk, paths: Iterable<Path>): Generator<Path> {
  for (const path of paths) {
    if (++walk.paths > mostPaths) return
    yield path
  }
}

/**
 * The private paths that come from links in what is asked for. What is private itself already hides what its links lead to; only there
 * may links be circular for a client.
 */
function* linkedIn(walk: Walk, source: LinkSource, request: Request): Generator<Path> {
  const { privacy, places } = indexOf(walk, source)
  yield* below(walk, places, privacy, [], request)
}

function* below(
  walk: Walk,
  { links, children }: LinkPlaces,
  privacy: PathTree | undefined,
  at: Path,
  request: Request
): Generator<Path> {
  if (privacy?.isEnd === true || walk.paths > mostPaths) return
  for (const link of links) yield* counted(walk, behind(walk, at, link, request))
  const key = request.wanted[at.length]
  for (const each of key === undefined ? children.keys() : [key]) {
    const child = children.get(each)
    if (child !== undefined) yield* below(walk, child, privacy?.children.get(each), [...at, each], request)
  }
}

/**
 * The paths of a document that linked configurations keep private, relative to the document; the empty path if all of
 * it is. Links inside arrays count for every item if `intoArrays`, otherwise they are skipped. Fails with `TooLarge` beyond 20,000
 * paths. The document's links must resolve.
 */
export const linkedPrivacy = (
  source: LinkSource,
  lookup: Lookup,
  intoArrays: boolean
): Either.Either<ReadonlyArray<Path>, LinkFailure> => {
  const walk: Walk = { lookup, intoArrays, indexes: new Map(), paths: 0 }
  const paths = distinct([...linkedIn(walk, source, { wanted: [], depth: 0 })])
  return walk.paths > mostPaths ? Either.left({ reason: "TooLarge", at: [] }) : Either.right(paths)
}

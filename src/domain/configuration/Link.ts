import { ended } from "../Ended.ts"
import { Either, Schema } from "effect"
import { ConfigurationId } from "../Ids.ts"
import type { Document, Json, Path } from "./Document.ts"
import { isObject, keysOf } from "./Document.ts"
import { isLink, turnLinks } from "./LinkTurns.ts"

/**
 * `{"$link": {"configurationId": n, "path"?: [...]}}` stands for another configuration, or for the value at a path of
 * it.
 */
export interface Link {
  readonly configurationId: ConfigurationId
  readonly path: Path
}

const isId = Schema.is(ConfigurationId)

const isPath = (value: Json | undefined): value is Path =>
  Array.isArray(value) && value.every((key: Json) => typeof key === "string")

/** Reads a link. */
export const parse = (value: Json): Either.Either<Link, "Malformed"> => {
  const written = isObject(value) && Object.keys(value).length === 1 ? value["$link"] : undefined
  if (!isObject(written)) return Either.left("Malformed")
  const { configurationId, path = [], ...more } = written
  return isId(configurationId) && isPath(path) && Object.keys(more).length === 0
    ? Either.right({ configurationId, path })
    : Either.left("Malformed")
}

/** What one walk over a document tells of the links in it. */
export interface LinkFacts {
  /** The ids of configurations that it links to directly, each once, in order of appearance. */
  readonly targets: ReadonlyArray<ConfigurationId>
  /** Whether it has any link, well-formed or not. */
  readonly hasLinks: boolean
  /** Its values, itself included. */
  readonly values: number
  /** Most levels of objects and lists in one another. */
  readonly levels: number
}

interface Collected {
  readonly targets: Set<ConfigurationId>
  hasLinks: boolean
  values: number
  levels: number
  /** Fields and items that were looked at. */
  looks: number
}

/** Fields and items that one step looks at. */
const looksPerStep = 4096

function* collectSteps(value: Json, depth: number, found: Collected): Generator<undefined, void> {
  found.values++
  if (typeof value !== "object" || value === null) return
  found.levels = Math.max(found.levels, depth)
  if (isLink(value)) {
    found.hasLinks = true
    const link = parse(value)
    if (Either.isRight(link)) found.targets.add(link.right.configurationId)
    return
  }
  // Reads each value where it is: a list of a large object's values costs twice as much as this.
  const keys = isObject(value) ? keysOf(value) : null
  const items = isObject(value) ? [] : value
  for (let at = 0; at < (keys ?? items).length; at++) {
    const each = keys === null || !isObject(value) ? items[at]! : value[keys[at]!]!
    if (typeof each === "object" && each !== null) yield* collectSteps(each, depth + 1, found)
    else found.values++
    if (++found.looks % looksPerStep === 0) yield undefined
  }
}

/** Of documents, which never change: checks and writes of one ask for the same. */
const known = new WeakMap<Document, LinkFacts>()

/** What is known of the links in a document; undefined where nobody has asked. */
export const knownLinks = (document: Document): LinkFacts | undefined => known.get(document)

/** The links of a document, found in steps where they are not known yet: after each, others may have a turn. */
export function* linkSteps(document: Document): Generator<undefined, LinkFacts> {
  const before = known.get(document)
  if (before !== undefined) return before
  const found: Collected = { targets: new Set(), hasLinks: false, values: 0, levels: 0, looks: 0 }
  yield* collectSteps(document, 1, found)
  const { hasLinks, values, levels } = found
  const facts = { targets: [...found.targets], hasLinks, values, levels }
  known.set(document, facts)
  return facts
}

/**
 * The ids of configurations that a document links to directly, each once, in order of appearance. Malformed links are
 * ignored.
 */
export const targets = (document: Document): ReadonlyArray<ConfigurationId> => ended(linkSteps(document)).targets

/** The value with its links pointed to other configurations. Malformed links are kept. */
export const retarget = (value: Json, to: (configurationId: ConfigurationId) => ConfigurationId): Json =>
  turnLinks(value, (each) => Either.getOrNull(parse(each)), to)

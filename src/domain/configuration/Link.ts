import { Either, Schema } from "effect"
import { ConfigurationId } from "../Ids.ts"
import type { Document, Json, Path } from "./Document.ts"
import { isObject } from "./Document.ts"

/**
 * `{"$link": {"configurationId": n, "path"?: [...]}}` stands for another configuration, or for the value at a path of
 * it.
 */
export interface Link {
  readonly configurationId: ConfigurationId
  readonly path: Path
}

/** Whether a value claims to be a link, well-formed or not. */
export const isLink = (value: Json): boolean => isObject(value) && Object.hasOwn(value, "$link")

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

const collect = (value: Json, found: Set<ConfigurationId>): void => {
  if (Array.isArray(value)) {
    for (const item of value) collect(item, found)
  } else if (isObject(value)) {
    if (!isLink(value)) {
      // Reads each value where it is: a list of a large object's values costs twice as much as this.
      for (const key of Object.keys(value)) collect(value[key]!, found)
      return
    }
    const link = parse(value)
    if (Either.isRight(link)) found.add(link.right.configurationId)
  }
}

/** Of documents, which never change: checks and writes of one ask for the same. */
const known = new WeakMap<Document, ReadonlyArray<ConfigurationId>>()

/**
 * The ids of configurations that a document links to directly, each once, in order of appearance. Malformed links are
 * ignored.
 */
export const targets = (document: Document): ReadonlyArray<ConfigurationId> => {
  const before = known.get(document)
  if (before !== undefined) return before
  const found = new Set<ConfigurationId>()
  collect(document, found)
  const all = [...found]
  known.set(document, all)
  return all
}

/** The value with its links pointed to other configurations. Malformed links are kept. */
export const retarget = (value: Json, to: (configurationId: ConfigurationId) => ConfigurationId): Json => {
  if (Array.isArray(value)) return value.map((item: Json) => retarget(item, to))
  if (!isObject(value)) return value
  if (!isLink(value)) {
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, retarget(item, to)]))
  }
  return Either.match(parse(value), {
    onLeft: () => value,
    onRight: ({ configurationId, path }) => ({
      $link: { configurationId: to(configurationId), ...(path.length === 0 ? {} : { path }) }
    })
  })
}

import { Either, Schema } from "effect"
import { ConfigurationId } from "../Ids.ts"
import type { Json, Path } from "./Document.ts"
import { isObject } from "./Document.ts"

/**
 * `{"$link": {"configurationId": n, "path"?: [...]}}` stands for another configuration, or for the value at a path of
 * it.
 */
export interface Link {
  readonly configurationId: ConfigurationId
  readonly path: Path
}

const Written = Schema.Struct({
  $link: Schema.Struct({ configurationId: ConfigurationId, path: Schema.optional(Schema.Array(Schema.String)) })
})

const read = Schema.decodeUnknownEither(Written, { onExcessProperty: "error" })

/** Whether a value claims to be a link, well-formed or not. */
export const isLink = (value: Json): boolean => isObject(value) && Object.hasOwn(value, "$link")

/** Reads a link. */
export const parse = (value: Json): Either.Either<Link, "Malformed"> =>
  Either.mapBoth(read(value), {
    onLeft: () => "Malformed" as const,
    onRight: ({ $link: { configurationId, path } }) => ({ configurationId, path: path ?? [] })
  })

/**
 * The ids of configurations that a value links to directly, each once, in order of appearance. Malformed links are
 * ignored.
 */
export const targets = (value: Json): ReadonlyArray<ConfigurationId> => {
  if (Array.isArray(value)) return [...new Set(value.flatMap((item: Json) => targets(item)))]
  if (!isObject(value)) return []
  if (isLink(value)) return Either.match(parse(value), { onLeft: () => [], onRight: (link) => [link.configurationId] })
  return [...new Set(Object.values(value).flatMap(targets))]
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

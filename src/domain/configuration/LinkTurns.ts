import type { Json, Path } from "./Document.ts"
import { isObject } from "./Document.ts"

/** The key that makes an object a link. */
export const linkKey = "$link"

/** Whether a value claims to be a link, well-formed or not. */
export const isLink = (value: Json): boolean => isObject(value) && Object.hasOwn(value, linkKey)

/** The value with its links pointed to other configurations. Those in which `linkOf` reads nothing are kept. */
export const turnLinks = <Id extends number>(
  value: Json,
  linkOf: (value: Json) => { readonly configurationId: Id; readonly path: Path } | null,
  to: (configurationId: Id) => Id
): Json => {
  if (Array.isArray(value)) return value.map((item: Json) => turnLinks(item, linkOf, to))
  if (!isObject(value)) return value
  if (!isLink(value)) {
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, turnLinks(item, linkOf, to)]))
  }
  const link = linkOf(value)
  if (link === null) return value
  const { configurationId, path } = link
  return { $link: { configurationId: to(configurationId), ...(path.length === 0 ? {} : { path }) } }
}

import { isWithin } from "./ChangedPaths.ts"
import type { Changeset } from "./Changeset.ts"
import type { Document, Json, Path } from "./Document.ts"
import { isObject } from "./Document.ts"
import { isLink, linkKey } from "./LinkTurns.ts"

/**
 * The places at which a document differs, each once, from the changes that `diff` finds. A link is one place, whatever in it differs:
 * with it changes all that the document has from behind it.
 */
export const placesOf = (changes: ReadonlyArray<{ readonly path: Path }>): ReadonlyArray<Path> => {
  const places: Array<Path> = []
  let link: Path | undefined
  for (const { path } of changes) {
    const at = path.indexOf(linkKey)
    if (at < 0) {
      places.push(path)
      continue
    }
    // The changes inside of one link follow one another.
    if (link?.length === at && isWithin(path, link)) continue
    link = path.slice(0, at)
    places.push(link)
  }
  return places
}

/** The link that stands in a document before a path ends, if one does. */
export const linkBefore = (document: Document, path: Path): Path | null => {
  let value: Json | undefined = document
  for (const [index, key] of path.entries()) {
    if (!isObject(value)) return null
    if (isLink(value)) return path.slice(0, index)
    value = Object.hasOwn(value, key) ? value[key] : undefined
  }
  return null
}

/**
 * The first link that a changeset would have to go through; null where it goes through none. What is behind a link is another
 * configuration's, so that the document itself cannot take such a change.
 */
export const linkOnTheWay = (document: Document, { operations }: Changeset): Path | null => {
  for (const [index, { path }] of operations.entries()) {
    const link = linkBefore(document, path)
    if (link === null) continue
    const isReplaced = operations
      .slice(0, index)
      .some((before) => before.path.length > 0 && isWithin(link, before.path))
    if (!isReplaced) return link
  }
  return null
}
